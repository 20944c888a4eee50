// Tests of the server of the page, on a folder of its own: node server.mjs
//
// Both servers are tested: node's, and that of Python, which `serve.sh` takes on a machine without node.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "page-"));
const web = fileURLToPath(new URL("..", import.meta.url));
for (const name of ["serve.sh", "serve.mjs"]) cpSync(join(web, name), join(folder, name));
mkdirSync(join(folder, "dist"));
writeFileSync(join(folder, "dist/index.html"), "the page");
writeFileSync(join(folder, "secret"), "no file of the page");

// A folder of programs without node.
const programs = join(folder, "programs");
mkdirSync(programs);
const said = (line) => execFileSync("sh", ["-c", line], { encoding: "utf8" }).trim();
symlinkSync(said("command -v dirname"), join(programs, "dirname"));
symlinkSync(said("python3 -c 'import sys; print(sys.executable)'"), join(programs, "python3"));
const shell = said("command -v sh");
const paths = { node: process.env.PATH, python: programs };

/** A server, once it tells its address, and a function that ends it. */
async function serve(port, PATH) {
  const server = spawn(shell, [join(folder, "serve.sh"), port], { env: { ...process.env, PATH }, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const told = new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data).split("\n")[0])));
  const address = await Promise.race([told, ended]);
  const answers = () => new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => resolve(!socket.end().destroyed));
    socket.once("error", () => setTimeout(() => resolve(server.exitCode === null ? answers() : false), 50));
  });
  assert.ok(await answers(), "the server has ended");
  return { address, end: () => (server.kill(), ended) };
}

/** The status of an answer to a path that `fetch` would not send; 0 without an answer. */
function status(port, path) {
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`));
    socket.once("data", (data) => (socket.destroy(), resolve(Number(String(data).split(" ")[1]))));
    for (const event of ["error", "end"]) socket.once(event, () => resolve(0));
  });
}

/** The message about a port that cannot be served. */
function refused(port, PATH) {
  const run = spawnSync(shell, [join(folder, "serve.sh"), port], { env: { ...process.env, PATH }, encoding: "utf8" });
  assert.equal(run.status, 1, run.stderr);
  return run.stderr;
}

try {
  for (const [index, [name, PATH]] of Object.entries(paths).entries()) {
    const port = String(47811 + index);
    const { address, end } = await serve(port, PATH);
    try {
      assert.equal(address, `http://127.0.0.1:${port}/`);
      assert.equal(await (await fetch(address)).text(), "the page");
      // Python's server leaves an address with a zero byte without an answer.
      for (const path of ["/%", "/%ff", "/%00", "/%2e%2e/secret", "/..%2fsecret", "/none"]) {
        const answer = await status(port, path);
        assert.ok(answer === 404 || name === "python" && answer === 0, `${name}: ${path}: ${answer}`);
      }
      await status(port, "//");
      assert.equal(await status(port, "/"), 200, `${name} has ended`);
      assert.match(refused(port, PATH), new RegExp(`^web/serve.sh: port ${port}: is in use.*; name another, as in sh web/serve.sh 8081\n$`));
      for (const wrong of ["abc", "-1", "0", "65536", "1e3", "80 80", "99999999999999999999"]) {
        assert.equal(refused(wrong, PATH), `web/serve.sh: port ${wrong}: is no port; name one from 1 to 65535, as in sh web/serve.sh 8081\n`);
      }
    } finally {
      await end();
    }
    console.log(`ok      the server by ${name}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
