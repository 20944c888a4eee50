// Tests of files: dropped onto the page, edited in it, and saved as downloads.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { close, downloads, drop, native, newFolder, ofCheckpoint, ofPreset, open, opened, said, share, state, until } from "./support.mjs";

const PRESET = `description = "mine"
[world]
size = [64, 48]
[start]
boids = 900
[sight.cohesion]
disc = 4
[sight.separation]
disc = 2
[sight.alignment]
disc = 3
[weights]
cohesion = 0.5
`;
const WRONG = PRESET.replace("cohesion = 0.5", "colesion = 0.5");
const CHAIN = `description = "a wind"
extends = "cell-fast"
[[rule]]
kernel = "wind.wgsl"
weight = 0.1
`;
const KERNEL = `fn wind(cell: Cell) -> Vector {
    return on_axes(Vector3(512, 0, 0));
}
`;

export const tests = {};

/** Opens a small swarm of the CPU. */
async function small(options = {}) {
  const page = await open("#preset=droplets&size=96x96", { engine: "cpu", ...options });
  await opened(page);
  return page;
}

/** Pauses the swarm where it is, and gives its step. */
async function pause(page) {
  await page.evaluate(() => document.getElementById("swarm").focus());
  await page.keyboard.press("Space");
  await until(page, "it plays on", async () => (await state(page)).paused);
  return (await state(page)).step;
}

/** Saves the swarm as a checkpoint, and gives its path. */
async function checkpoint(page, next) {
  await page.keyboard.down("Control");
  await page.keyboard.press("s");
  await page.keyboard.up("Control");
  return next(".checkpoint");
}

/** The frames of a film or a picture, as the browser decodes them: their number, and the size of each. */
function decoded(page, path, type) {
  return page.evaluate(async (base64, type) => {
    const data = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
    const decoder = new ImageDecoder({ data, type });
    await decoder.tracks.ready;
    await decoder.completed;
    const count = decoder.tracks.selectedTrack.frameCount;
    const sizes = new Set();
    const different = new Set();
    for (let frameIndex = 0; frameIndex < count; frameIndex += 1) {
      const { image } = await decoder.decode({ frameIndex });
      sizes.add(`${image.displayWidth}x${image.displayHeight}`);
      const pixels = new Uint8Array(image.allocationSize());
      await image.copyTo(pixels);
      different.add(pixels.reduce((sum, pixel, index) => (sum + pixel * ((index % 9973) + 1)) >>> 0, 0));
      image.close();
    }
    return { count, sizes: [...sizes], different: different.size };
  }, readFileSync(path).toString("base64"), type);
}

tests["a wrong preset that is dropped shows its line"] = async () => {
  const page = await small();
  await drop(page, "mine.toml", WRONG);
  await said(page, /mine\.toml:13: weights\.colesion/);
  await close(page);
};

tests["a preset that is dropped plays"] = async () => {
  const page = await small();
  await drop(page, "mine.toml", PRESET);
  await until(page, "another preset plays", async () => (await state(page)).preset === "mine");
  await close(page);
};

tests["a replay that is dropped plays to its hash, in the page and in the program"] = async () => {
  const page = await small();
  const next = await downloads(page);
  await page.mouse.move(200, 200);
  await until(page, "nobody hunts", async () => (await state(page)).hunts);
  await page.mouse.move(260, 220);
  await until(page, "no step is played", async () => (await state(page)).step > 20);
  await page.keyboard.press("k");
  const path = await next(".replay.json");
  const { preset, state_hash: hash } = JSON.parse(native("replay", path, "--json"));
  assert.equal(preset, "droplets");
  await close(page);
  const other = await open("#preset=fog&size=64x64", { engine: "cpu" });
  await opened(other);
  await drop(other, "hunt.replay.json", readFileSync(path));
  await until(other, "another preset plays", async () => (await state(other)).preset === "droplets");
  assert.match(await said(other, /the replay is over/), new RegExp(`in the very state that was saved.*${hash}`));
  await close(other);
};

tests["a checkpoint that is dropped goes on, and what the page saves of it is the program's"] = async () => {
  const path = join(newFolder(), "swarm.checkpoint");
  native("render", "fog", "--size", "64x48", "--steps", "40", "--checkpoint", path, "--engine", "cpu");
  for (const engine of ["cpu", "gpu"]) {
    const page = await small({ engine });
    const next = await downloads(page);
    await drop(page, "swarm.checkpoint", readFileSync(path));
    await until(page, "another swarm plays", async () => (await state(page)).preset === "fog");
    await until(page, "no step is played", async () => (await state(page)).step > 45);
    assert.equal((await state(page)).engine, engine);
    await pause(page);
    const found = ofCheckpoint(await checkpoint(page, next));
    assert.deepEqual(found, ofPreset("fog", "--size", "64x48", "--steps", String(found.steps)));
    await close(page);
  }
};

tests["a damaged checkpoint says so, and the swarm plays on"] = async () => {
  const path = join(newFolder(), "swarm.checkpoint");
  native("render", "fog", "--size", "32x32", "--steps", "1", "--checkpoint", path, "--engine", "cpu");
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] ^= 1;
  const page = await small();
  await drop(page, "swarm.checkpoint", bytes);
  await said(page, /swarm\.checkpoint: is damaged/);
  const { step, preset } = await state(page);
  assert.equal(preset, "droplets");
  await until(page, "the swarm stands still", async () => (await state(page)).step > step);
  await close(page);
};

tests["without WebGPU presets, replays and checkpoints that are dropped play, and mistakes are said"] = async () => {
  const folder = newFolder();
  const [saved, replay] = [join(folder, "swarm.checkpoint"), join(folder, "hunt.replay.json")];
  native("render", "fog", "--size", "64x48", "--steps", "40", "--checkpoint", saved, "--engine", "cpu");
  const page = await small({ adapter: "none" });
  await drop(page, "mine.toml", WRONG);
  await said(page, /mine\.toml:13: weights\.colesion/);
  await drop(page, "mine.toml", PRESET);
  await until(page, "another preset plays", async () => (await state(page)).preset === "mine");
  await drop(page, "swarm.checkpoint", readFileSync(saved));
  await until(page, "another swarm plays", async () => (await state(page)).preset === "fog" && (await state(page)).step >= 40);
  await close(page);
};

tests["a checkpoint and a still are downloads; the program goes on from the checkpoint to the same hash"] = async () => {
  const page = await small();
  const next = await downloads(page);
  await until(page, "no step is played", async () => (await state(page)).step > 10);
  const step = await pause(page);
  const path = await checkpoint(page, next);
  assert.deepEqual(ofCheckpoint(path), ofPreset("droplets", "--size", "96x96", "--steps", String(step)));
  const resumed = JSON.parse(native("render", "--resume", path, "--steps", "7", "--json"));
  assert.equal(resumed.state_hash, ofPreset("droplets", "--size", "96x96", "--steps", String(step + 7)).hash);
  await page.keyboard.press("p");
  const still = await decoded(page, await next(".png"), "image/png");
  assert.deepEqual([still.count, still.sizes], [1, [(await state(page)).window.join("x")]]);
  await close(page);
};

/** Leads the keys to the next control of the panel with such a name. */
async function focus(page, pattern) {
  await page.evaluate(() => document.getElementById("swarm").focus());
  const seen = [];
  for (let presses = 0; presses < 200; presses += 1) {
    const before = (await state(page)).focused;
    await page.keyboard.press(before === null ? "F6" : "Tab");
    await until(page, "the keys stay where they are", async () => (await state(page)).focused !== before, 20);
    seen.push((await state(page)).focused);
    if (pattern.test(seen.at(-1))) return;
  }
  throw new Error(`the keys have reached ${[...new Set(seen)].join("; ")}`);
}

/** Presses the control that has the keys. */
async function enter(page) {
  await page.keyboard.press("Enter");
  // Another key in the same frame would be for the control as it was before.
  await new Promise((resolve) => setTimeout(resolve, 1500));
}

for (const [form, ending, type] of [["APNG", ".apng", "image/png"], ["GIF", ".gif", "image/gif"]]) {
  tests[`a film is a download: ${form}`] = async () => {
    const page = await small();
    const next = await downloads(page);
    if (form !== "APNG") {
      await focus(page, /^Film/);
      await enter(page);
      await focus(page, /^combo box/);
      await enter(page);
      await focus(page, new RegExp(`^${form}`));
      await enter(page);
    }
    // A film shows the window without the panel.
    await page.evaluate(() => murmuration.show_panel(false));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await page.evaluate(() => document.getElementById("swarm").focus());
    await page.keyboard.press("m");
    await until(page, "no frame is filmed", async () => (await state(page)).film_frames >= 6);
    await page.keyboard.press("m");
    const frames = Number((await said(page, /saved \d+ frames as/)).match(/saved (\d+) frames/)[1]);
    const film = await decoded(page, await next(ending), type);
    assert.deepEqual([film.count, film.sizes], [frames, [(await state(page)).window.join("x")]]);
    assert.ok(film.different > frames / 2, `${film.different} of ${frames} frames differ`);
    await close(page);
  };
}

/** Opens the editor by the button of the panel. */
async function edit(page) {
  await focus(page, /^edit/i);
  await page.keyboard.press("Enter");
  await until(page, "there is no editor", () => page.evaluate(() => document.getElementById("editor")?.open));
}

/** Plays a text as a file of the editor. Gives what the editor says. */
function play(page, name, text) {
  return page.evaluate((name, text) => {
    const editor = document.getElementById("editor");
    [editor.querySelector("input").value, editor.querySelector("textarea").value] = [name, text];
    [...editor.querySelectorAll("button")].find((button) => button.textContent === "play").click();
    return editor.querySelector("output").value;
  }, name, text);
}

tests["the editor shows the line of a mistake, and a text without one acts"] = async () => {
  const page = await small();
  await edit(page);
  const [name, text] = await page.evaluate(() => ["input", "textarea"].map((tag) => document.querySelector(`#editor ${tag}`).value));
  assert.equal(name, "droplets.toml");
  const line = 1 + text.split("\n").findIndex((line) => line.startsWith("seed"));
  assert.ok(line > 0, text);
  assert.match(await play(page, name, text.replace(/^seed = .*$/m, "sead = 3")), new RegExp(`droplets\\.toml:${line}: sead`));
  assert.notEqual((await state(page)).seed, 77);
  assert.match(await play(page, name, text.replace(/^seed = .*$/m, "seed = 77")), /is taken over/);
  await until(page, "the edit does not act", async () => (await state(page)).seed === 77);
  await close(page);
};

tests["a kernel of one's own plays, and shows the line of a mistake"] = async () => {
  const page = await small({ engine: "gpu" });
  await edit(page);
  assert.match(await play(page, "wind.wgsl", KERNEL), /is taken over/);
  assert.match(await play(page, "wind.toml", CHAIN), /is taken over/);
  assert.match(await play(page, "mine.toml", `chain = "wind.toml"\n${PRESET}wind = 0.5\n`), /is taken over/);
  await until(page, "another preset plays", async () => (await state(page)).preset === "mine");
  await until(page, "no step is played", async () => (await state(page)).step > 2);
  await play(page, "wind.wgsl", KERNEL.replace("512, 0, 0", "512, 0, nothing"));
  await said(page, /wind\.wgsl:2: .*nothing/);
  await play(page, "wind.wgsl", KERNEL.replace("512", "-512"));
  await said(page, /reloaded wind\.wgsl; the same swarm goes on/);
  const { step } = await state(page);
  await until(page, "the swarm stands still", async () => (await state(page)).step > step);
  assert.equal((await state(page)).engine, "gpu");
  await page.evaluate(() => document.getElementById("editor").close());
  assert.match(native("verify", await share(page), "--engine", "gpu"), /verified/);
  await close(page);
};
