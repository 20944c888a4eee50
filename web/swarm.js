// A swarm in any page: <murmuration-swarm preset="droplets" seed="4"></murmuration-swarm>
//
// Attributes: `preset`, `seed`, `size` (such as 128x96), `link` (in the place of the others), `steps` a frame (1), and `paused`.
// Events: `step` after each frame, with the step, the hash if `hashes` is set, and the boids that were caught; `caught` when more were caught;
// `failed` with a message.
// The property `swarm` is the swarm itself: advance, density, hash, measures, set, hunt, link.

import init, { Swarm, presets } from "./murmuration_web.js";

let ready;

/** Loads the program once. `address`: where the `.wasm` file lies, if it is not beside this one. */
export function load(address) {
  ready ??= init(address === undefined ? undefined : { module_or_path: address });
  return ready;
}

/** A swarm of a link or of the name of a built-in preset. */
export async function start(link = "") {
  await load();
  return new Swarm(link);
}

/** The built-in presets: their descriptions by their names. */
export async function knownPresets() {
  await load();
  return JSON.parse(presets());
}

/** The most milliseconds of a frame in which steps are played. */
const FRAME = 12;

export class MurmurationSwarm extends HTMLElement {
  static observedAttributes = ["preset", "seed", "size", "link"];

  #canvas;
  #context;
  #frame;
  #caught = 0;
  /** The swarm, once it is there. */
  swarm;

  connectedCallback() {
    if (this.#canvas === undefined) {
      const root = this.attachShadow({ mode: "open" });
      const style = document.createElement("style");
      style.textContent = ":host { display: inline-block } canvas { width: 100%; height: 100%; object-fit: contain; display: block }";
      this.#canvas = document.createElement("canvas");
      this.#context = this.#canvas.getContext("2d");
      root.append(style, this.#canvas);
      this.#canvas.addEventListener("pointermove", (event) => this.#hunt(event));
      this.#canvas.addEventListener("pointerdown", (event) => this.#hunt(event));
      for (const name of ["pointerleave", "pointercancel"]) this.#canvas.addEventListener(name, () => this.#try(() => this.swarm?.leave()));
    }
    this.#begin();
  }

  disconnectedCallback() {
    cancelAnimationFrame(this.#frame);
    this.swarm?.free();
    this.swarm = undefined;
  }

  attributeChangedCallback() {
    if (this.isConnected && this.#canvas !== undefined) this.#begin();
  }

  /** The link that the attributes describe. */
  get address() {
    if (this.hasAttribute("link")) return this.getAttribute("link");
    const parts = new URLSearchParams();
    parts.set("preset", this.getAttribute("preset") ?? "droplets");
    for (const name of ["size", "seed"]) if (this.hasAttribute(name)) parts.set(name, this.getAttribute(name));
    return `#${parts}`;
  }

  async #begin() {
    cancelAnimationFrame(this.#frame);
    const address = this.address;
    await load();
    if (!this.isConnected || address !== this.address) return;
    this.#try(() => {
      this.swarm?.free();
      this.swarm = undefined;
      this.swarm = new Swarm(address);
      this.#caught = 0;
      this.#draw();
    });
  }

  #draw() {
    const begun = performance.now();
    if (!this.hasAttribute("paused")) {
      const steps = Number(this.getAttribute("steps") ?? 1);
      for (let step = 0; step < steps && performance.now() - begun < FRAME; step += 1) this.swarm.advance(1);
    }
    const picture = this.swarm.paint();
    if (this.#canvas.width !== picture.width || this.#canvas.height !== picture.height) {
      [this.#canvas.width, this.#canvas.height] = [picture.width, picture.height];
    }
    this.#context.putImageData(new ImageData(picture.pixels, picture.width, picture.height), 0, 0);
    picture.free();
    const [boids, lost, caught] = this.swarm.account();
    const detail = { step: this.swarm.step, boids, lost, caught };
    if (this.hasAttribute("hashes")) detail.hash = this.swarm.hash();
    this.dispatchEvent(new CustomEvent("step", { detail }));
    if (caught > this.#caught) this.dispatchEvent(new CustomEvent("caught", { detail }));
    this.#caught = caught;
    this.#frame = requestAnimationFrame(() => this.#try(() => this.#draw()));
  }

  #hunt(event) {
    if (this.swarm === undefined) return;
    const [width, height, depth] = this.swarm.size;
    if (depth > 1) return;
    const box = this.#canvas.getBoundingClientRect();
    const scale = Math.max(width / box.width, height / box.height);
    const x = (event.clientX - box.left - box.width / 2) * scale + width / 2;
    const y = (event.clientY - box.top - box.height / 2) * scale + height / 2;
    const jaws = event.buttons & 1 ? 3 : 0;
    this.#try(() => this.swarm.hunt(x, y, jaws));
  }

  #try(act) {
    try {
      return act();
    } catch (error) {
      this.dispatchEvent(new CustomEvent("failed", { detail: { message: error.message ?? String(error) } }));
    }
  }
}

customElements.define("murmuration-swarm", MurmurationSwarm);
