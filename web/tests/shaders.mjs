// Asks Chromium's compiler of WGSL for every shader of the program: node shaders.mjs FOLDER SHADERS
//
// FOLDER may be empty. SHADERS is a file of JSON, which the test `the_shaders_are_written_for_a_browser` writes. Each shader has its text, and for each
// of its files the first line there, the origin, and the numbers of the lines in the file.

import assert from "node:assert/strict";
import { close, finish, open, expected as shaders } from "./support.mjs";

/** A text that naga accepts and the standard refuses. */
const REFUSED = "fn either(p: bool, q: bool) -> bool { return p || q && p; }";

/** The messages about each text. */
const messages = (page, texts) => page.evaluate(async (texts) => {
  globalThis.device ??= await (await navigator.gpu.requestAdapter()).requestDevice();
  const all = texts.map((code) => device.createShaderModule({ code }).getCompilationInfo());
  const wrong = (info) => info.messages.filter(({ type }) => type === "error").map(({ lineNum, message }) => [lineNum, message]);
  return (await Promise.all(all)).map(wrong);
}, texts);

/** A message with its file and line, or with the line of the generated part. */
function located({ text, files }, [line, message]) {
  const file = files.find(({ first, lines }) => first <= line && line < first + lines.length);
  const place = file ? `${file.origin}:${file.lines[line - file.first]}` : `${files[0]?.origin}, generated part`;
  return `${place}: ${message}\n    ${text.split("\n")[line - 1]}`;
}

const begun = Date.now();
const page = await open("");
assert.match(JSON.stringify(await messages(page, [REFUSED])), /requires parenthesis/);
const counts = new Map();
for (let first = 0; first < shaders.length; first += 50) {
  const some = shaders.slice(first, first + 50);
  for (const [index, wrong] of (await messages(page, some.map(({ text }) => text))).entries()) {
    for (const message of wrong.map((each) => located(some[index], each))) counts.set(message, (counts.get(message) ?? 0) + 1);
  }
}
await close(page);
await finish();
for (const [message, count] of counts) console.log(`REFUSED ${message}\n    in ${count} shaders`);
const seconds = ((Date.now() - begun) / 1000).toFixed(1);
console.log(`${shaders.length} shaders, ${counts.size} faults, ${seconds} s`);
process.exitCode = counts.size > 0 || shaders.length === 0 ? 1 : 0;
