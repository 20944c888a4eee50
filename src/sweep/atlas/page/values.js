// The map of an atlas: thousands of runs as tiles, placed at two of their values. It needs no library and no network.
(() => {
"use strict";

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("atlas").textContent);
const points = data.combinations;
const count = points.hash.length;
const clip = data.clip;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Colours of numbers, from least to greatest. The lightness rises evenly. The darkest colour is legible on black. */
const SCALE = ["#6f66f2", "#a35fe0", "#d65fbf", "#f26f8d", "#fb9361", "#fdbf4f", "#fbe97a", "#fdfbd0"];
const WORD_COLOURS = [
  "#7aa2ff",
  "#ffb454",
  "#7fe0a5",
  "#ff7a90",
  "#c79bff",
  "#5fd7e8",
  "#f2e27a",
  "#ff9ee0",
  "#b3c26b",
  "#a9b3c4",
];
const UNKNOWN_COLOUR = "#98a1b0";
const GROUND = [16, 19, 25];
/** The width of a tile in CSS pixels: for many points, for few points, and the limit of growth when zooming. */
const [MIN_TILE, MAX_TILE, TILE_LIMIT] = [52, 150, 220];
const MAX_ZOOM = 1024;
/** The last frame stays for this many frames longer before a clip starts again. */
const PAUSE = 3;
const NARROW = 640;
const FONT = '12px system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif';

// Words, numbers and elements

/** A whole number with its digits in groups of three. */
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const plural = (number, word) => `${grouped(number)} ${word}${number === 1 ? "" : "s"}`;

/** A number with at most four digits that count. */
function short(number) {
  if (number === null || number === undefined) return "none";
  const size = Math.abs(number);
  const isPlain = number === 0 || (size >= 1e-3 && size < 1e6);
  const text = isPlain ? String(Number(number.toPrecision(size >= 1e4 ? 6 : 4))) : number.toExponential(2);
  return text.replace("-", "−").replace("e+", "e");
}

/** A new element with a class, text and children. Text is never read as HTML. */
function element(name, className = "", text = "", ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== "") made.textContent = text;
  made.append(...children);
  return made;
}

/** A small square of a colour. */
function swatch(colour) {
  const made = element("span", "swatch");
  made.style.setProperty("--swatch", colour);
  return made;
}

const safeColour = (text) => /^#[0-9a-f]{6}$/i.test(text) ? text : UNKNOWN_COLOUR;
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
const fraction = (value) => value - Math.floor(value);

// Columns and axes

const regimes = (data.regimes ?? []).map((regime) => ({ ...regime, colour: safeColour(regime.colour) }));
const regimeOf = (point) => regimes[points.regime?.[point]];
const columns = [
  ...data.parameters.map(({ key, values }, index) => ({
    name: key,
    group: "Parameters",
    words: values,
    values: points.values[index],
  })),
  ...data.measures.map(({ name, unit }, index) => ({
    name,
    unit,
    group: "Measures",
    words: null,
    values: points.measures[index],
  })),
];
const regimeColumn = { name: "regime", words: regimes.map(({ name }) => name), values: points.regime };
const columnOf = (name) => columns.find((column) => column.name === name);
const liveliness = columnOf("liveliness")?.values;

/** A value of a column as text for a reader. */
function shown(column, point) {
  const value = column.values[point];
  return column.words ? column.words[value] ?? "none" : short(value);
}

/** Is this the value of a point that an axis can show? */
const isValue = (column, value) => Number.isFinite(value) && (!column.words || value < column.words.length);

/** An axis over a column: its range, its scale, and the values that it holds if they are few. */
function newAxis(column) {
  const raw = column.values.filter((value) => isValue(column, value));
  const sorted = Float64Array.from(raw).sort();
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const [least, greatest] = [at(0), at(1)];
  // Numbers over many powers of ten, most of them small, need a logarithmic scale.
  const isLog = !column.words && least > 0 && greatest / least >= 100 && at(0.7) < least + 0.15 * (greatest - least);
  const scale = isLog ? Math.log10 : (value) => value;
  const few = [...new Set(sorted)].slice(0, 65).map(scale);
  const gaps = few.slice(1).map((value, index) => value - few[index]);
  const gap = column.words ? 1 : gaps.length ? Math.min(...gaps) : Math.abs(least) * 0.2 || 1;
  const hasPlaces = Boolean(column.words) || few.length <= 24;
  const margin = hasPlaces ? gap / 2 : 0;
  const low = column.words ? -0.5 : scale(least) - margin;
  const high = column.words ? Math.max(column.words.length, 1) - 0.5 : scale(greatest) + margin;
  const title =
    column.name + (column.unit && column.unit !== "1" ? ` / ${column.unit}` : "") + (isLog ? ", logarithmic" : "");
  return {
    column,
    title,
    low,
    high,
    scale,
    isLog,
    hasPlaces,
    few,
    distinct: few.length,
    gap: gap / (high - low),
    spread: 0,
  };
}

/** The place of each point along an axis, 0 to 1, or NaN. Points that share a value are spread by a fixed sequence. */
function placesOf(axis, step) {
  return Float64Array.from(axis.column.values, (value, point) => {
    if (!isValue(axis.column, value)) return NaN;
    const place = (axis.scale(value) - axis.low) / (axis.high - axis.low);
    return clamp(place + (fraction(0.5 + point * step) - 0.5) * axis.spread, 0, 1);
  });
}

/** Lets an axis spread its points where many share a value, unless both axes together tell the points apart. */
function setSpread(axis, other) {
  const isGrid = axis.hasPlaces && other.distinct <= 64 && axis.distinct * other.distinct > count / 2;
  axis.spread = axis.hasPlaces && count > 12 * axis.distinct && !isGrid ? 0.86 * axis.gap : 0;
}

/** The ticks of an axis between two of its places: places and labels, about one for each `apart` pixels. */
function ticks(axis, from, to, pixels, apart) {
  const { low, high, column } = axis;
  const [first, last] = [low + from * (high - low), low + to * (high - low)];
  const most = Math.max(2, Math.floor(pixels / apart));
  const all = [];
  const add = (value, label) =>
    value >= first && value <= last && all.push({ place: (value - low) / (high - low), label });
  if (column.words) {
    const every = Math.max(1, Math.ceil((last - first) / most));
    column.words.forEach((word, index) => index % every === 0 && add(index, word));
    return all;
  }
  if (axis.distinct === 1)
    return (add(axis.scale(column.values.find(Number.isFinite)), short(column.values.find(Number.isFinite))), all);
  if (axis.hasPlaces && axis.few.length <= most) {
    axis.few.forEach((value) => add(value, short(axis.isLog ? 10 ** value : value)));
    return all;
  }
  if (axis.isLog && last - first > 0.8) {
    const every = Math.max(1, Math.ceil((last - first) / most));
    const factors = (last - first) * 3 < most ? [1, 2, 5] : [1];
    for (let power = Math.floor(first); power <= last; power += every)
      for (const factor of factors) add(power + Math.log10(factor), short(factor * 10 ** power));
    return all;
  }
  const unscaled = axis.isLog ? (value) => 10 ** value : (value) => value;
  const [start, end] = [unscaled(first), unscaled(last)];
  const rough = (end - start) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const greatest = Math.max(Math.abs(start), Math.abs(end));
  for (let index = Math.ceil(start / step); index * step <= end && all.length < 100; index++) {
    const value = index * step;
    const isPlain = greatest < 1e6 && digits <= 5;
    add(axis.scale(value), isPlain ? value.toFixed(digits).replace("-", "−") : short(value));
  }
  return all;
}

// The shown points

const state = {
  x: columns[0],
  y: columns[1] ?? columns[0],
  colour: regimeColumn,
  hidden: new Set(),
  conditions: [],
  selected: null,
};
let axes = {};
let places = { x: [], y: [] };
let colours = [];
let shownPoints = [];
/** The number of points without a value that the map needs, and the names of those values. */
let leftOut = 0;
let partial = "";
/** The tiles of each level of zoom. A change of what is shown empties it. */
let layouts = new Map();

/** The colour of a share from 0 to 1. */
function scaleColour(share) {
  const at = clamp(share, 0, 1) * (SCALE.length - 1);
  const index = Math.min(Math.floor(at), SCALE.length - 2);
  const part = (text, from) => parseInt(text.slice(from, from + 2), 16);
  const mixed = [1, 3, 5].map((from) =>
    Math.round(part(SCALE[index], from) * (1 - at + index) + part(SCALE[index + 1], from) * (at - index)),
  );
  return `rgb(${mixed.join(",")})`;
}

/** The colour of each point. */
function coloursOf(column) {
  if (column === regimeColumn)
    return Array.from({ length: count }, (_, point) => regimeOf(point)?.colour ?? UNKNOWN_COLOUR);
  if (column.words) return column.values.map((word) => WORD_COLOURS[word % WORD_COLOURS.length] ?? UNKNOWN_COLOUR);
  const table = Array.from({ length: 65 }, (_, index) => scaleColour(index / 64));
  const axis = axes.colour;
  return column.values.map(
    (value) => table[Math.round((64 * (axis.scale(value) - axis.low)) / (axis.high - axis.low))] ?? UNKNOWN_COLOUR,
  );
}

/** The conditions of a text such as `polarisation > 0.5 and regime = mill`. Throws a message if the text is wrong. */
function conditionsOf(text) {
  return text.trim() === ""
    ? []
    : text
        .trim()
        .split(/\s+and\s+/)
        .map((part) => {
          const [, name, sign, wanted] = /^\s*([^\s<>=!]+)\s*(<=|>=|!=|<|>|=)\s*(.+?)\s*$/.exec(part) ?? [];
          if (!name) throw new Error(`“${part}” is not a condition such as name < 1.`);
          const column = name === "regime" ? regimeColumn : columnOf(name);
          if (!column) throw new Error(`There is no value “${name}”.`);
          const value = column.words
            ? column.words.indexOf(wanted.replace(/^"(.*)"$/, "$1"))
            : Number(wanted.replace("−", "-"));
          if (column.words ? value < 0 : Number.isNaN(value)) throw new Error(`“${wanted}” is not a value of ${name}.`);
          return { column, sign, value };
        });
}

const SIGNS = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

/** Does a point pass the legend and the filter? A missing value meets no condition. */
function passes(point) {
  if (state.hidden.has(points.regime?.[point])) return false;
  return state.conditions.every(({ column, sign, value }) => {
    const own = column.values[point] === null ? NaN : Number(column.values[point]);
    return !Number.isNaN(own) && SIGNS[sign](own, value);
  });
}

/** Works out places, colours and the shown points again. */
function refresh() {
  axes = { x: newAxis(state.x), y: newAxis(state.y), colour: newAxis(state.colour) };
  setSpread(axes.x, axes.y);
  setSpread(axes.y, axes.x);
  places = { x: placesOf(axes.x, 0.7548776662), y: placesOf(axes.y, 0.5698402910) };
  colours = coloursOf(state.colour);
  shownPoints = [];
  leftOut = 0;
  for (let point = 0; point < count; point++) {
    if (Number.isNaN(places.x[point] + places.y[point]) || !isValue(state.colour, state.colour.values?.[point] ?? NaN))
      leftOut++;
    else if (passes(point)) shownPoints.push(point);
  }
  const isPartial = (column) => column.values?.some((value) => !isValue(column, value));
  partial = [...new Set([state.x, state.y, state.colour])].filter(isPartial).map(({ name }) => name).join(" or ");
  resize();
  saveView();
}
