// Tests of further visits: a reload, and a visit without a network.

import assert from "node:assert/strict";
import { browser, close, native, open, opened, serve, share, state, until } from "./support.mjs";

export const tests = {};

/** Lets the page keep its swarm, as it does when it is hidden. Gives the step from which it was kept on. */
async function keep(page) {
  const { step } = await state(page);
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...given) {
      const asked = put.apply(this, given);
      asked.transaction.addEventListener("complete", () => { window.isKept = true; });
      return asked;
    };
  });
  // The first swarm that is kept may be one that the page has asked for before.
  for (let times = 0; times < 2; times += 1) {
    await page.evaluate(() => {
      window.isKept = false;
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
      delete document.hidden;
    });
    await until(page, "the swarm is not kept", () => page.evaluate(() => window.isKept));
  }
  return step;
}

for (const engine of ["cpu", "gpu"]) {
  tests[`a reload goes on, and its link has the whole run (${engine})`] = async () => {
    const page = await open("#preset=droplets&size=64x64&seed=5", { engine });
    await opened(page);
    await page.mouse.move(200, 200);
    await until(page, "nobody hunts", async () => (await state(page)).hunts);
    await page.mouse.move(260, 220);
    await until(page, "no step is played", async () => (await state(page)).step > 20);
    const step = await keep(page);
    await page.reload();
    const first = await opened(page);
    assert.deepEqual([first.preset, first.seed, first.engine, first.lost], ["droplets", 5, engine, 0]);
    assert.ok(first.step >= step, `it has begun at step ${first.step}, and step ${step} was kept`);
    await until(page, "the swarm stands still", async () => (await state(page)).step > first.step + 5);
    await page.mouse.move(200, 260);
    const { lost } = await state(page);
    assert.equal(lost, 0);
    const link = await share(page);
    assert.match(link, /^#replay=/);
    const verified = native("verify", link);
    assert.match(verified, /verified: step (\d+) /);
    assert.ok(Number(verified.match(/step (\d+) /)[1]) > first.step, verified);
    await close(page);
  };
}

tests["after one visit the page plays without a network"] = async () => {
  const { address, end } = await serve();
  const page = await open("#preset=droplets&size=96x96", { engine: "cpu", from: address });
  await opened(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await end();
  await assert.rejects(fetch(address), "the server has not ended");
  await page.reload();
  await opened(page);
  const { step } = await state(page);
  await until(page, "the swarm stands still", async () => (await state(page)).step > step + 5);
  // The gallery and the pages beside are there as well.
  assert.ok(await page.evaluate(async () => (await (await fetch("gallery.toml")).text()).includes("[[run]]")));
  await close(page);
  const other = await (await browser("software")).newPage();
  other.failures = [];
  await other.goto(`${address}?engine=cpu#preset=fog&size=64x64`);
  await opened(other);
  await until(other, "the swarm stands still", async () => (await state(other)).step > 5);
  assert.equal((await state(other)).preset, "fog");
  await close(other);
};
