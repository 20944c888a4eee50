// Serves a folder of static files on 127.0.0.1: node serve.mjs FOLDER PORT
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";

const [folder, port] = process.argv.slice(2);
const types = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css",
  ".wasm": "application/wasm", ".json": "application/json", ".toml": "text/plain; charset=utf-8", ".jpg": "image/jpeg", ".png": "image/png",
};

const server = createServer(async (request, response) => {
  try {
    // An address that cannot be decoded names no file.
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const file = join(folder, path.endsWith(sep) ? join(path, "index.html") : path);
    const bytes = await readFile(file);
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream", "cache-control": "no-cache" });
    response.end(bytes);
  } catch {
    response.writeHead(404, { "content-type": "text/plain" });
    response.end("there is no such file\n");
  }
});
server.on("error", ({ code }) => {
  const problem = code === "EADDRINUSE" ? "is in use" : `cannot be opened (${code})`;
  console.error(`web/serve.sh: port ${port}: ${problem}; name another, as in sh web/serve.sh 8081`);
  process.exitCode = 1;
});
server.listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
