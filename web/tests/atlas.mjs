// Tests of the page of an atlas: a file that needs no network, whose tiles play by their commands and their links.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { browser, close, native, newFolder, open, opened, picture, said, until } from "./support.mjs";

const ATLAS = `description = "<b>what</b> droplets can do"
preset = "droplets"
size = "64x48"
samples = 24
seeds = "7..8"
steps = 80
frames = 4
[ranges]
weights.cohesion = [0.0, 1.5]
noise.angle = [0.0, 3.0]
[set]
start.headings = ["random", "aligned"]
`;

export const tests = {};

/** Makes an atlas, and opens its page as a file. */
async function openAtlas(text, ...options) {
  const folder = newFolder();
  writeFileSync(join(folder, "atlas.toml"), text);
  native("atlas", "run", join(folder, "atlas.toml"), "--out", folder, ...options);
  const page = await (await browser("software")).newPage();
  page.failures = [];
  page.on("pageerror", (error) => page.failures.push(error.message));
  page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) page.failures.push(`asks for ${request.url()}`); });
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(`file://${join(folder, "index.html")}`);
  await page.waitForFunction(() => globalThis.atlas?.tiles().length > 0);
  return page;
}

const text = (page, id) => page.evaluate((id) => document.getElementById(id).textContent, id);

/** Clicks the tile in the middle of the list, and waits until the panel has its link. */
async function clickTile(page) {
  await page.evaluate(() => document.getElementById("stage").scrollIntoView({ block: "center" }));
  const place = await page.evaluate(() => {
    const { left, top } = document.getElementById("map").getBoundingClientRect();
    const tiles = atlas.tiles();
    const tile = tiles[Math.floor(tiles.length / 2)];
    return { point: tile.point, x: left + tile.x + tile.width / 2, y: top + tile.y + tile.height / 2 };
  });
  await page.mouse.click(place.x, place.y);
  await page.waitForFunction(() => document.getElementById("link").dataset.text && document.getElementById("command").textContent);
  assert.equal(await page.evaluate(() => atlas.selected), place.point);
  return page.evaluate(() => document.getElementById("link").dataset.text);
}

tests["an atlas shows its tiles; a click tells the command and the link of a tile, and both play it"] = async () => {
  const page = await openAtlas(ATLAS);
  assert.equal(await page.evaluate(() => atlas.points), 48);
  assert.equal(await text(page, "description"), "<b>what</b> droplets can do");
  const link = await clickTile(page);
  const hash = await text(page, "hash");
  assert.match(hash, /^[0-9a-f]{64}$/);
  await picture(page, "atlas");
  // The tiles are lit, and so is the film.
  const lit = (id) => page.evaluate((id) => {
    const canvas = document.getElementById(id);
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((count, value, index) => count + (index % 4 < 3 && value > 90), 0) / data.length;
  }, id);
  for (const id of ["map", "clip"]) await until(page, `${id} is dark`, async () => await lit(id) > 0.01);
  const command = await text(page, "command");
  assert.match(command, /^murmuration render droplets --seed 7 --size 64x48 --set /);
  const words = execFileSync("sh", ["-c", `for word in ${command}; do printf '%s\\n' "$word"; done`], { encoding: "utf8" }).trim().split("\n");
  assert.equal(JSON.parse(native(...words.slice(1))).state_hash, hash);
  assert.match(native("verify", link), /verified/);
  await page.keyboard.press("Escape");
  assert.ok(await page.evaluate(() => document.getElementById("panel").hidden));
  await close(page);
  // The page plays it too.
  const swarm = await open(link, { engine: "cpu" });
  await opened(swarm);
  await swarm.evaluate(() => murmuration.verify());
  assert.match(await said(swarm, /hash is [0-9a-f]{64}/, 120), /the very state/);
  await close(swarm);
};

tests["an atlas of a preset of one's own carries it in its links"] = async () => {
  const own = native("check", "droplets", "--print").replace(/^seed = .*$/m, "seed = 18446744073709551");
  const page = await openAtlas(ATLAS.replace('preset = "droplets"', `preset = """\n${own}"""`).replace("samples = 24", "samples = 3").replace('seeds = "7..8"', "seeds = 9223372036854775807"));
  const link = await clickTile(page);
  assert.match(link, /^#replay=/);
  assert.match(native("verify", link), /verified/);
  const command = await text(page, "command");
  assert.ok(command.startsWith("murmuration verify '#replay="), command);
  await close(page);
};

tests["a page of an atlas keeps its view in the address, and a regime can be hidden"] = async () => {
  const page = await openAtlas(ATLAS, "--base", "https://example.org/page/");
  await page.select("#x", "polarisation");
  await page.select("#colour", "mean_speed");
  await until(page, "the address has no view", () => page.evaluate(() => /x=polarisation/.test(location.hash) && /colour=mean_speed/.test(location.hash)));
  await page.select("#colour", "regime");
  const before = await page.evaluate(() => atlas.tiles().length);
  await page.type("#filter", "weights.cohesion > 0.75");
  await page.waitForFunction((before) => atlas.tiles().length < before, {}, before);
  await page.type("#filter", " and polarization > 0.5");
  await page.waitForFunction(() => /polarization/.test(document.getElementById("wrong").textContent) && !document.getElementById("wrong").hidden);
  await clickTile(page);
  assert.ok(await page.evaluate(() => document.querySelector("#link a").href.startsWith("https://example.org/page/#preset=droplets&")));
  await close(page);
};
