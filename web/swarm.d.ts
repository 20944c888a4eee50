import type { Swarm } from "./murmuration_web.js";

export type { Swarm, Frame } from "./murmuration_web.js";

/** Loads the program once. `address`: where the `.wasm` file lies, if it is not beside this one. */
export function load(address?: string | URL): Promise<unknown>;

/** A swarm of a link, or of the name of a built-in preset. */
export function start(link?: string): Promise<Swarm>;

/** The built-in presets: their descriptions by their names. */
export function knownPresets(): Promise<Record<string, string>>;

/** What an event `step` or `caught` tells. */
export interface SwarmEventDetail {
  step: number;
  /** Boids in the world. */
  boids: number;
  /** Boids that were lost: always 0. */
  lost: number;
  /** Boids that were caught so far. */
  caught: number;
  /** The hash of the state, if the attribute `hashes` is set. */
  hash?: string;
}

/** `<murmuration-swarm preset="droplets" seed="4">` */
export class MurmurationSwarm extends HTMLElement {
  /** The swarm, once it is there. */
  swarm?: Swarm;
  /** The link that the attributes describe. */
  readonly address: string;
}

declare global {
  interface HTMLElementTagNameMap {
    "murmuration-swarm": MurmurationSwarm;
  }
}
