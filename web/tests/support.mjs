// What the tests of the page share: browsers, pages, what a page shows, files that are dropped and downloaded, and the program.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";

export const [folder, expectedFile, ...wanted] = process.argv.slice(2);
/** The links that the program made. */
export const expected = JSON.parse(readFileSync(expectedFile, "utf8"));
const pictures = process.env.PICTURES;
if (pictures !== undefined) mkdirSync(pictures, { recursive: true });

const ADAPTERS = {
  software: ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan", "--use-vulkan=swiftshader", "--use-angle=swiftshader"],
  none: ["--disable-features=WebGPU", "--disable-gpu"],
};

/** A server of the built page: its address, and a function that ends it. */
export async function serve() {
  const script = join(dirname(fileURLToPath(import.meta.url)), "serve.mjs");
  const server = spawn(process.execPath, [script, folder, "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data).trim())));
  const ended = new Promise((resolve) => server.once("exit", resolve));
  return { address, end: () => (server.kill(), ended) };
}

/** What the program writes. */
export function native(...options) {
  return execFileSync(process.env.MURMURATION, options, { encoding: "utf8" });
}

const { address, end } = await serve();
const browsers = new Map();
export async function browser(adapter) {
  if (!browsers.has(adapter)) {
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    const args = ["--no-sandbox", "--disable-dev-shm-usage", "--touch-events=enabled", ...ADAPTERS[adapter]];
    browsers.set(adapter, await puppeteer.launch({ executablePath, headless: true, args }));
  }
  return browsers.get(adapter);
}

/** A page with a link, once its swarm is there. */
export async function open(link, { engine = "auto", adapter = "software", width = 640, height = 480, path = "", from = address } = {}) {
  const page = await (await browser(adapter)).newPage();
  await page.setViewport({ width, height, hasTouch: true });
  page.failures = [];
  page.on("pageerror", (error) => page.failures.push(error.message));
  await page.goto(`${from}${path}?engine=${engine}${link}`);
  return page;
}

export async function until(page, what, condition, seconds = 90) {
  const end = Date.now() + 1000 * seconds;
  while (Date.now() < end) {
    const value = await condition();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`after ${seconds} s: ${what}; the page shows ${JSON.stringify(await state(page))}`);
}

export const state = (page) => page.evaluate(() => JSON.parse(globalThis.murmuration?.state?.() ?? "null"));
export const opened = (page, seconds) => until(page, "the swarm is not there", () => state(page), seconds);
export const said = (page, pattern, seconds) => until(page, `nobody says ${pattern}`, async () => {
  const text = (await state(page))?.message;
  return text !== null && text !== undefined && pattern.test(text) && text;
}, seconds);

export async function close(page) {
  assert.deepEqual(page.failures, []);
  await page.close();
}

export async function picture(page, name) {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** Drops a file onto a page. */
export async function drop(page, name, bytes) {
  await page.evaluate((name, base64) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))], name));
    dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
  }, name, Buffer.from(bytes).toString("base64"));
}

const folders = [];

/** A new folder. */
export function newFolder() {
  folders.push(mkdtempSync(join(tmpdir(), "murmuration-page-")));
  return folders.at(-1);
}

/** Lets a page save its downloads. Returns a function that waits for the next one with an ending, and gives its path. */
export async function downloads(page) {
  const into = newFolder();
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: into });
  const seen = new Set();
  return (ending) => until(page, `no download ends with ${ending}`, () => {
    const name = readdirSync(into).find((name) => name.endsWith(ending) && !seen.has(name));
    seen.add(name);
    return name && join(into, name);
  });
}

/** The step and the hash of a checkpoint, by the program. */
export function ofCheckpoint(path) {
  const { steps, state_hash: hash } = JSON.parse(native("render", "--resume", path, "--steps", "0", "--json"));
  return { steps, hash };
}

/** The step and the hash of a run of a preset without inputs, by the program. */
export function ofPreset(...options) {
  const [, steps, hash] = native("link", ...options, "--engine", "cpu").match(/&steps=(\d+)&hash=([0-9a-f]{64})/);
  return { steps: Number(steps), hash };
}

/** Asks for the link of the run, and waits for it in the address. */
export async function share(page) {
  await page.evaluate(() => { document.getElementById("swarm").focus(); });
  const before = await page.evaluate(() => location.hash);
  await page.keyboard.down("Control");
  await page.keyboard.press("l");
  await page.keyboard.up("Control");
  return until(page, "there is no link", () => page.evaluate((before) => location.hash !== before && location.hash, before));
}

/** Closes what a test has left open. */
export async function closeAll() {
  for (const browser of browsers.values()) for (const page of (await browser.pages()).slice(1)) await page.close();
}

/** Ends the browsers and the server, and removes the folders. */
export async function finish() {
  for (const browser of browsers.values()) await browser.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  await end();
}
