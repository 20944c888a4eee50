// Asks Chromium's compiler of WGSL for every shader of the program: node shaders.mjs FOLDER SHADERS
//
// FOLDER may be empty. SHADERS is a file of JSON, which the test `the_shaders_are_written_for_a_browser` writes. Each
// shader has its text. For each of its files it has the first line in the text, the origin, and for each line the
// number in the file.

import assert from "node:assert/strict";
import { close, finish, open, expected as shaders } from "./support.mjs";

/** A text that naga accepts and the standard refuses. */
const REFUSED = "fn either(p: bool, q: bool) -> bool { return p || q && p; }";

/** The messages about each text. */
const messages = (page, texts) => page.evaluate(async (texts) => {
  globalThis.device ??= await (await navigator.gpu.requestAdapter()).requestDevice();
  const all = texts.map((code) => device.createShaderModule({ code }).getCompilationInfo());
  const errors = (info) => info.messages.filter(({ type }) => type === "error");
  return (await Promise.all(all)).map((info) => errors(info).map(({ lineNum, message }) => [lineNum, message]));
}, texts);

/** A message with its file and line, or with the line of the generated part. */
function located({ text, files }, [line, message]) {
  const file = files.find(({ first, lines }) => first <= line && line < first + lines.length);
  const place = file ? `${file.origin}:${file.lines[line - file.first]}` : `${files[0]?.origin ?? "Rust"}, generated part`;
  return `${place}: ${message}\n    ${text.split("\n")[line - 1]}`;
}

const begun = Date.now();
const counts = new Map();
try {
  const page = await open("");
  assert.match(JSON.stringify(await messages(page, [REFUSED])), /requires parenthesis/);
  for (let first = 0; first < shaders.length; first += 50) {
    const some = shaders.slice(first, first + 50);
    const all = await messages(page, some.map(({ text }) => text));
    for (const message of all.flatMap((wrong, index) => wrong.map((each) => located(some[index], each)))) {
      counts.set(message, (counts.get(message) ?? 0) + 1);
    }
  }
  await close(page);
} finally {
  await finish();
}
for (const [message, count] of counts) console.log(`REFUSED ${message}\n    in ${count} shaders`);
const seconds = ((Date.now() - begun) / 1000).toFixed(1);
console.log(`${shaders.length} shaders, ${counts.size} faults, ${seconds} s`);
process.exitCode = counts.size > 0 || shaders.length === 0 ? 1 : 0;
