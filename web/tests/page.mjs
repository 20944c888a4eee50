// Tests of the page in headless Chromium: node page.mjs FOLDER EXPECTED [NAME…]
//
// FOLDER holds the built page. EXPECTED is a file of JSON: the links that the program made, by the names of the tests that verify them.
// The browser draws and computes on a software adapter, or has no WebGPU at all.

import assert from "node:assert/strict";
import { browser, close, closeAll, expected, finish, native, open, opened, picture, said, share, state, until, wanted } from "./support.mjs";
import { tests as testsOfAtlases } from "./atlas.mjs";
import { tests as testsOfFiles } from "./files.mjs";
import { tests as testsOfVisits } from "./visits.mjs";

/** Verifies a link in a page. A software adapter on a busy machine may not answer in time: then the link is verified once more, and the test says so. */
async function verify(name, options, engine) {
  try {
    await verifyOnce(name, options, engine);
  } catch (error) {
    if (engine !== "gpu" || !String(error).includes("nobody says")) throw error;
    console.log(`AGAIN   ${name} by WebGPU: ${String(error).slice(0, 300)}`);
    await closeAll();
    await verifyOnce(name, options, engine);
  }
}

async function verifyOnce(name, options, engine) {
  const page = await open(expected[name], options);
  await opened(page);
  await page.evaluate(() => murmuration.verify());
  const text = await said(page, /hash is [0-9a-f]{64}/, 240);
  assert.match(text, /the very state/, text);
  assert.equal((await state(page)).engine, engine, "another engine has played");
  assert.equal((await state(page)).lost, 0);
  await picture(page, `${name}-${engine}-${options.adapter ?? "software"}`);
  await close(page);
}

const tests = {};
// What a software adapter cannot do in the time of a test.
const LEFT_OUT = { murmuration: "a software adapter compiles the shaders of its deep world for minutes" };
for (const name of ["droplets", "murmuration", "aquarium", "three", "moods"]) {
  tests[`${name} by the CPU has the hash of the program`] = () => verify(name, { engine: "cpu" }, "cpu");
  if (name in LEFT_OUT) console.log(`LEFT OUT ${name} by WebGPU: ${LEFT_OUT[name]}`);
  else tests[`${name} by WebGPU has the hash of the program`] = () => verify(name, { engine: "gpu" }, "gpu");
}
tests["without WebGPU the CPU plays and draws, and has the hash of the program"] = () => verify("droplets", { adapter: "none" }, "cpu");

tests["a hunt is shared, and the program plays it to the same end"] = async () => {
  const page = await open("#preset=droplets&size=96x96", { engine: "cpu" });
  await opened(page);
  await page.mouse.move(200, 200);
  await page.mouse.down();
  for (let x = 200; x < 400; x += 20) await page.mouse.move(x, 220);
  await page.mouse.up();
  await until(page, "no step is played", async () => (await state(page)).step > 20);
  const link = await share(page);
  assert.match(link, /^#replay=/);
  assert.match(native("verify", link), /verified/);
  await close(page);
};

tests["on a device a hunt, a key, a brush and an undo wait for nothing, and the program plays them to the same end"] = async () => {
  const page = await open("#preset=droplets&size=64x64", { engine: "gpu" });
  await until(page, "no step is played", async () => (await state(page))?.step > 2);
  await page.mouse.move(120, 200);
  await until(page, "nobody hunts", async () => (await state(page)).hunts);
  await page.evaluate(() => document.getElementById("swarm").focus());
  // b: spawn boids; a press; z: undo; Escape: the hunter again.
  await page.keyboard.press("b");
  await page.mouse.down();
  await page.mouse.move(140, 210);
  await page.mouse.up();
  await until(page, "no boids come", async () => (await state(page)).spawned > 0);
  await page.keyboard.press("z");
  await until(page, "the boids stay", async () => (await state(page)).spawned === 0);
  const { step } = await state(page);
  await until(page, "no step is played", async () => (await state(page)).step > step + 2);
  assert.equal((await state(page)).engine, "gpu");
  assert.equal((await state(page)).lost, 0);
  const link = await share(page);
  assert.match(link, /^#replay=/);
  assert.match(native("verify", link), /verified/);
  await close(page);
};

tests["a world that is too large says so, and the swarm plays on"] = async () => {
  const page = await open("#preset=droplets&size=96x96", { engine: "cpu" });
  await opened(page);
  await page.evaluate(() => { location.hash = "#preset=droplets&size=16384x16384"; });
  await said(page, /memory/);
  const { step } = await state(page);
  await until(page, "the swarm stands still", async () => (await state(page)).step > step);
  await close(page);
};

tests["a lost device comes back"] = async () => {
  const page = await open("#preset=droplets&size=96x96", { engine: "gpu" });
  await until(page, "no step is played", async () => (await state(page))?.step > 3);
  await page.evaluate(() => murmuration.lose_device());
  await until(page, "there is no other canvas", async () => (await state(page))?.canvases === 2, 60);
  const { step } = await state(page);
  await until(page, "the swarm stands still", async () => (await state(page)).step > step, 60);
  assert.equal((await state(page)).lost, 0);
  await page.close();
};

tests["a damaged link gives one message, and the default swarm plays"] = async () => {
  const page = await open("#preset=droplets&size=96x96&steps=3", { engine: "cpu" });
  await opened(page);
  const link = expected.droplets;
  const messages = await page.evaluate((link) => {
    const messages = [];
    for (let index = 1; index <= 50; index += 1) {
      const at = Math.floor((index * link.length) / 51);
      const damaged = `${link.slice(0, at)}%00!${link.slice(at + 3)}`;
      try {
        murmuration.follow(damaged);
        messages.push("");
      } catch (error) {
        messages.push(error.message);
      }
    }
    return messages;
  }, link);
  assert.equal(messages.length, 50);
  for (const message of messages) assert.match(message, /^[^\n]+; [^\n]+$/, message);
  await close(page);
  const wrong = await open("#preset=nothing", { engine: "cpu" });
  await said(wrong, /there is no preset of this name/);
  await close(wrong);
};

tests["fingers hunt, stretch the view and open the panel"] = async () => {
  const page = await open("#preset=droplets&size=96x96", { engine: "cpu" });
  const before = await opened(page);
  // A finger that moves at once does not rest, however slow the page is: nothing is waited for between the two events.
  const session = await page.createCDPSession();
  const finger = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await Promise.all([finger("touchStart", { x: 200, y: 200 }), finger("touchMove", { x: 220, y: 220 })]);
  await until(page, "the finger does not hunt", async () => (await state(page)).hunts);
  await finger("touchEnd");
  await until(page, "the hunter stays", async () => !(await state(page)).hunts);
  const first = await page.touchscreen.touchStart(200, 240);
  const second = await page.touchscreen.touchStart(240, 240);
  await second.move(380, 240);
  await first.end();
  await second.end();
  await until(page, "the view is not stretched", async () => (await state(page)).pixels_per_cell > 1.3 * before.pixels_per_cell);
  const rest = await page.touchscreen.touchStart(200, 200);
  await until(page, "the panel stays", async () => (await state(page)).panel !== before.panel, 10);
  await rest.end();
  await close(page);
};

tests["the window follows the page's size, and plays on after it was hidden"] = async () => {
  const page = await open("#preset=droplets&size=96x96", { engine: "cpu" });
  await opened(page);
  await page.setViewport({ width: 500, height: 700, hasTouch: true });
  await until(page, "the size is the old one", async () => String((await state(page)).window) === "500,700");
  const other = await (await browser("software")).newPage();
  await other.bringToFront();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await page.bringToFront();
  const { step } = await state(page);
  await until(page, "the swarm stands still", async () => (await state(page)).step > step);
  await other.close();
  await close(page);
};

tests["the keyboard alone pauses, steps and reaches the buttons"] = async () => {
  const page = await open("#preset=droplets&size=96x96", { engine: "cpu" });
  await opened(page);
  await page.keyboard.press("Space");
  await until(page, "it plays on", async () => (await state(page)).paused);
  const { step } = await state(page);
  await page.keyboard.press(".");
  await until(page, "no step is made", async () => (await state(page)).step === step + 1);
  await page.keyboard.press("Space");
  await until(page, "it stays paused", async () => !(await state(page)).paused);
  // F6 leads the keys into the panel, Tab to its next control, and Enter presses a button.
  const seen = new Set();
  await page.keyboard.press("F6");
  await until(page, "F6 leads nowhere", async () => (await state(page)).focused);
  for (let presses = 0; presses < 120 && !/^pause/i.test((await state(page)).focused ?? ""); presses += 1) {
    await page.keyboard.press("Tab");
    await new Promise((resolve) => setTimeout(resolve, 80));
    seen.add((await state(page)).focused);
  }
  assert.match((await state(page)).focused, /^pause/i, `Tab has reached ${[...seen].join("; ")}`);
  await page.keyboard.press("Enter");
  await until(page, "Enter does not press the button", async () => (await state(page)).paused, 10);
  await close(page);
};

tests["a swarm in any page plays, and tells its steps"] = async () => {
  const page = await open("", { path: "example.html", adapter: "none" });
  await until(page, "the swarm is not there", () => page.evaluate(() => /^step [1-9]/.test(document.getElementById("said").textContent)), 30);
  const facts = await page.evaluate(async () => {
    const { start } = await import("./swarm.js");
    const swarm = await start("#preset=droplets&size=64x64&seed=3");
    swarm.advance(5);
    const density = swarm.density();
    return { step: swarm.step, cells: density.length, boids: density.reduce((sum, quanta) => sum + quanta / 65536, 0), account: [...swarm.account()], link: swarm.link() };
  });
  assert.equal(facts.step, 5);
  assert.equal(facts.cells, 64 * 64);
  assert.equal(facts.boids, facts.account[0]);
  assert.match(native("verify", facts.link), /verified/);
  await picture(page, "example");
  await close(page);
};

let failed = 0;
for (const [name, run] of Object.entries({ ...tests, ...testsOfAtlases, ...testsOfFiles, ...testsOfVisits })) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
  const begun = Date.now();
  try {
    await run();
    console.log(`ok      ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.stack ?? error}`);
    await closeAll();
  }
}
await finish();
if (failed > 0) console.log(`${failed} tests failed`);
process.exit(failed === 0 ? 0 : 1);
