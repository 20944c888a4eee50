// The page: it opens the window in its canvas, follows links, takes files that are dropped, and keeps the swarm over a reload.

import init, * as program from "./murmuration_web.js";
import * as editor from "./editor.js";
import * as gallery from "./gallery.js";
import * as plain from "./plain.js";

// What the page calls: the program, or where there is no WebGPU the page's own view in its place.
let murmuration = program;

const canvas = document.getElementById("swarm");
const status = document.getElementById("status");
const options = new URLSearchParams(location.search);

function show(text) {
  status.textContent = text;
  status.hidden = false;
}

// Asks the person before a link takes much time or runs kernels of a stranger. `undefined`: nothing has to be asked.
async function isWanted(link) {
  const question = murmuration.question(link);
  if (question === undefined) return true;
  const dialog = document.getElementById("question");
  document.getElementById("asked").textContent = question;
  dialog.returnValue = "no";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  return dialog.returnValue === "yes";
}

async function follow(link) {
  try {
    if (await isWanted(link)) murmuration.follow(link);
  } catch (error) {
    murmuration.say(error.message, true);
  }
}

// A link that was asked for goes into the address and the clipboard.
async function share(link) {
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(location.href);
    murmuration.say("the link of this run is in the clipboard and in the address", false);
  } catch {
    murmuration.say("the link of this run is in the address", false);
  }
}

function takeDroppedFiles(event) {
  event.preventDefault();
  const files = [...event.dataTransfer.files];
  // Presets come last: they read the others.
  files.sort((one, other) => one.name.endsWith(".toml") - other.name.endsWith(".toml"));
  files.reduce(async (before, file) => {
    await before;
    try {
      murmuration.take_file(file.name, new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      murmuration.say(error.message, true);
    }
  }, Promise.resolve());
}

async function hasWebGpu() {
  try {
    return (await navigator.gpu?.requestAdapter()) != null;
  } catch {
    return false;
  }
}

// Calls a function once the swarm is there.
function whenOpen(act) {
  if (murmuration.state() === undefined) setTimeout(() => whenOpen(act), 100);
  else act();
}

// Reads out the control that has the keys, and what is said last.
let spoken = "";
function speak() {
  const { focused, message } = JSON.parse(murmuration.state() ?? "{}");
  const text = [focused, message].filter((part) => part).join(". ");
  if (text !== spoken) document.getElementById("spoken").textContent = spoken = text;
}

// The swarm is kept over a reload: in a database of the browser, since it may have many megabytes.
function database() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("murmuration", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("swarms");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

async function kept(mode, ask) {
  try {
    const swarms = (await database()).transaction("swarms", mode).objectStore("swarms");
    const asked = ask(swarms);
    return await new Promise((resolve) => {
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => resolve(undefined);
    });
  } catch {
    // A person may forbid that anything is kept.
    return undefined;
  }
}

/** The swarm of the last visit, if this is a reload of the same address. */
async function lastVisit() {
  const [navigation] = performance.getEntriesByType("navigation");
  if (navigation?.type !== "reload") return undefined;
  const last = await kept("readonly", (swarms) => swarms.get("last"));
  if (last?.swarm === undefined || last.hash !== location.hash) return undefined;
  return new program.Kept(last.swarm, last.run);
}

let isKeeping = false;
function keepSwarm() {
  // Where steps are slow, a swarm that was asked for may still be on its way.
  if (isKeeping) return;
  isKeeping = true;
  murmuration.keep?.();
  const take = (left) => {
    const taken = murmuration.take_kept?.();
    if (taken === undefined && left > 0) return void setTimeout(() => take(left - 1), 50);
    isKeeping = false;
    if (taken === undefined) return;
    const { swarm, run } = taken;
    taken.free();
    kept("readwrite", (swarms) => swarms.put({ hash: location.hash, swarm, run }, "last"));
  };
  take(400);
}

async function start() {
  await init();
  // Tests and the console call the same functions as the page.
  window.murmuration = program;
  let link = location.hash;
  let refused;
  try {
    if (!(await isWanted(link))) link = "";
  } catch (error) {
    // The default swarm plays behind the message.
    refused = error.message;
    link = "";
  }
  if (await hasWebGpu()) {
    program.open(canvas, link, options.get("engine") ?? "auto", await lastVisit());
    setInterval(keepSwarm, 10_000);
    document.addEventListener("visibilitychange", () => { if (document.hidden) keepSwarm(); });
    // On a narrow page the panel would hide half of the swarm.
    if (innerWidth < 700) whenOpen(() => program.show_panel(false));
  } else {
    murmuration = window.murmuration = { ...program, ...plain.open(canvas, link) };
    status.hidden = true;
  }
  if (refused !== undefined) whenOpen(() => murmuration.say(refused, true));
  addEventListener("hashchange", () => follow(location.hash));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", takeDroppedFiles);
  setInterval(() => {
    const shared = murmuration.take_link();
    if (shared !== undefined) share(shared);
    speak();
    const request = murmuration.take_request?.();
    if (request === "gallery") gallery.show((link) => { location.hash = link; });
    if (request === "editor") editor.show(JSON.parse(murmuration.state()).preset);
  }, 200);
  canvas.focus();
}

start().catch((error) => show(`The swarm cannot be played here:\n${error.message ?? error}`));

if ("serviceWorker" in navigator && options.get("offline") !== "no") {
  navigator.serviceWorker.register("offline.js").catch(() => {});
}
