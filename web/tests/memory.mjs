// Measures the memory of the page over some minutes of the default swarm, every 30 s: node memory.mjs FOLDER EXPECTED MINUTES [cpu|gpu]
//
// `wasm`: the memory of the program; `heap`: the objects of JavaScript in use; `browser`: the resident memory of all processes of the browser.

import { readFileSync, readdirSync } from "node:fs";
import { browser, finish, open, opened, state, wanted } from "./support.mjs";

const [minutes = "10", engine = "cpu"] = wanted;

/** The resident bytes of a process and of those that it has started. */
function resident(root) {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      // `proc(5)`: the fields behind the name of the program. The fourth is the parent, and the 24th the pages in memory.
      const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").pop().split(" ");
      return [{ id: Number(name), parent: Number(fields[1]), bytes: 4096 * Number(fields[21]) }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
  const own = new Set([root]);
  let bytes = 0;
  for (let before = 0; before < own.size;) {
    before = own.size;
    for (const { id, parent } of processes) if (own.has(parent)) own.add(id);
  }
  for (const process of processes) if (own.has(process.id)) bytes += process.bytes;
  return bytes;
}

const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(1);
const page = await open("", { engine });
await opened(page);
const begun = Date.now();
console.log("seconds  step  wasm  heap  browser, in MiB");
for (let sample = 0; sample <= 2 * Number(minutes); sample += 1) {
  await new Promise((resolve) => setTimeout(resolve, begun + 30_000 * sample - Date.now()));
  const { step, memory } = await state(page);
  const { JSHeapUsedSize } = await page.metrics();
  const process = (await browser("software")).process().pid;
  console.log([30 * sample, step, mebibytes(memory), mebibytes(JSHeapUsedSize), mebibytes(resident(process))].join("  "));
}
await finish();
