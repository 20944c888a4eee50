// The page where the browser has no WebGPU: the CPU plays the swarm, and draws it onto the canvas.

import { Swarm, presets } from "./murmuration_web.js";

/** The most milliseconds of a frame in which steps are played. */
const FRAME = 14;

function element(name, attributes, text) {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Plays a link in a canvas. Returns the functions that the page calls. */
export function open(canvas, link) {
  const context = canvas.getContext("2d");
  const small = new OffscreenCanvas(1, 1);
  const controls = element("div", { id: "controls" });
  const choice = element("select", { title: "another preset" });
  for (const [name, description] of Object.entries(JSON.parse(presets()))) choice.append(element("option", { value: name, title: description }, name));
  const button = (text, title, act) => {
    const made = element("button", { title, type: "button" }, text);
    made.addEventListener("click", act);
    controls.append(made);
    return made;
  };
  controls.append(choice);
  const pause = button("pause", "space", () => setPaused(!isPaused));
  button("step", ".", () => { setPaused(true); swarm.advance(1); });
  button("restart", "r", () => begin(current));
  button("next seed", "n", () => begin(`#preset=${swarm.preset}&seed=${(seed += 1)}`));
  button("share", "the link of this run", () => attempt(() => { shared = swarm.link(); }));
  const verifying = button("verify", "plays the run of the link to its end, and compares the hashes", verify);
  const said = element("output", { role: "status" });
  controls.append(said);
  document.body.append(controls);

  let swarm, current = link, seed = 1, isPaused = false, shared, expected, began, message = null, hunted;

  function say(text) {
    message = text;
    said.value = text;
  }

  function attempt(act) {
    try {
      return act();
    } catch (error) {
      say(error.message ?? String(error));
    }
  }

  // A run is a link, or a file that was dropped.
  function begin(next) {
    attempt(() => start(next));
  }

  function start(next) {
    const begun = typeof next === "string" ? new Swarm(next) : Swarm.from_file(next.name, next.bytes);
    if (begun === undefined) return say(`${next.name} is here; presets and chains that name it read it`);
    swarm?.free();
    [swarm, current, expected, hunted] = [begun, next, undefined, undefined];
    choice.value = swarm.preset;
    verifying.hidden = swarm.expected() === undefined;
    setPaused(false);
    say("This browser has no WebGPU: the CPU plays and draws the swarm.");
  }

  function setPaused(paused) {
    isPaused = paused;
    pause.textContent = paused ? "play" : "pause";
  }

  function verify() {
    begin(current);
    if (swarm.is_of_another_version) return say("this link was changed, or is of another version of the preset: its hash cannot be compared");
    expected = JSON.parse(swarm.expected());
    began = performance.now();
  }

  function compare() {
    const hash = swarm.hash();
    const played = `${swarm.engine} played it in ${((performance.now() - began) / 1000).toFixed(1)} s`;
    if (hash === expected.hash) say(`verified: step ${expected.step} is in the very state of the link. ${played}; its hash is ${hash}`);
    else say(`wrong: step ${expected.step} is not in the state of the link. ${played}; its hash is ${hash}, and ${expected.hash} was expected`);
    expected = undefined;
    setPaused(true);
  }

  function draw() {
    const begun = performance.now();
    if (hunted !== undefined) attempt(() => (hunted === null ? swarm.leave() : swarm.hunt(...hunted)));
    hunted = undefined;
    const end = expected?.step ?? Infinity;
    // A run that is verified is played as fast as it goes.
    const most = expected === undefined ? 1 : Infinity;
    for (let steps = 0; !isPaused && steps < most && swarm.step < end && performance.now() - begun < FRAME; steps += 1) swarm.advance(1);
    if (swarm.step >= end) compare();
    const picture = swarm.paint();
    if (small.width !== picture.width || small.height !== picture.height) [small.width, small.height] = [picture.width, picture.height];
    small.getContext("2d").putImageData(new ImageData(picture.pixels, picture.width, picture.height), 0, 0);
    picture.free();
    const [width, height] = [canvas.clientWidth * devicePixelRatio, canvas.clientHeight * devicePixelRatio];
    if (canvas.width !== Math.round(width) || canvas.height !== Math.round(height)) [canvas.width, canvas.height] = [Math.round(width), Math.round(height)];
    const scale = Math.min(canvas.width / small.width, canvas.height / small.height);
    context.fillStyle = "#05070c";
    context.fillRect(0, 0, canvas.width, canvas.height);
    const [across, down] = [small.width * scale, small.height * scale];
    context.drawImage(small, (canvas.width - across) / 2, (canvas.height - down) / 2, across, down);
    requestAnimationFrame(() => attempt(draw));
  }

  function point(event) {
    const [width, height, depth] = swarm.size;
    if (depth > 1 || expected !== undefined) return;
    const scale = Math.max(width / canvas.clientWidth, height / canvas.clientHeight);
    const x = (event.clientX - canvas.clientWidth / 2) * scale + width / 2;
    const y = (event.clientY - canvas.clientHeight / 2) * scale + height / 2;
    hunted = [x, y, event.buttons & 1 ? 3 : 0];
  }

  canvas.addEventListener("pointermove", point);
  canvas.addEventListener("pointerdown", point);
  for (const name of ["pointerleave", "pointercancel"]) canvas.addEventListener(name, () => { hunted = null; });
  choice.addEventListener("change", () => begin(`#preset=${choice.value}`));
  addEventListener("keydown", (event) => {
    if (event.target !== canvas && event.target !== document.body) return;
    if (event.key === " ") setPaused(!isPaused);
    else if (event.key === ".") { setPaused(true); swarm.advance(1); }
    else if (event.key === "r") begin(current);
    else return;
    event.preventDefault();
  });
  begin(link);
  draw();
  return {
    follow: begin,
    take_file: (name, bytes) => start({ name, bytes }),
    verify,
    say,
    take_link() {
      const taken = shared;
      shared = undefined;
      return taken;
    },
    state() {
      const [boids, lost, caught] = swarm.account();
      return JSON.stringify({ preset: swarm.preset, engine: "cpu", drawn_by: "cpu", step: swarm.step, boids, lost, caught, paused: isPaused, message });
    },
  };
}
