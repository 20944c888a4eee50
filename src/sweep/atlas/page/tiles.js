// The tiles of the map and their clips.

// The layout: one tile for each occupied bin

const canvas = $("map");
const context = canvas.getContext("2d", { alpha: false });
const view = { zoom: 1, left: 0, top: 0 };
/** The plot inside the canvas, and the size of the whole map at zoom 1. The panel narrows only the plot. */
let plot = { left: 0, top: 0, width: 1, height: 1 };
let world = { width: 1, height: 1, columns: 1, rows: 1 };
let ratio = 1;

/** Reads the size of the canvas and chooses the size of tiles for the number of points. */
function resize() {
  ratio = Math.min(devicePixelRatio || 1, 2);
  const { clientWidth: width, clientHeight: height } = canvas;
  const isNarrow = width < NARROW;
  context.font = FONT;
  const longest = Math.max(0, ...(state.y.words ?? []).map((word) => context.measureText(word).width));
  const left = isNarrow ? clamp(longest + 14, 46, 96) : clamp(longest + 44, 76, 200);
  plot = { left, top: isNarrow ? 34 : 16, right: isNarrow ? 10 : 18, bottom: 58 };
  plot.width = Math.max(1, width - plot.left - plot.right);
  plot.height = Math.max(1, height - plot.top - plot.bottom);
  const whole = Math.max(1, $("stage").clientWidth - plot.left - plot.right);
  const aspect = clip.width / clip.height;
  const fitting = 0.65 * Math.sqrt(whole * plot.height * aspect / Math.max(1, shownPoints.length));
  const tile = clamp(fitting, isNarrow ? 40 : MIN_TILE, Math.min(MAX_TILE, whole / 3));
  world = { width: whole, height: plot.height, ...binsFor(whole, plot.height, tile, aspect) };
  [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  layouts = new Map();
  limitView();
  redraw();
}

/** Numbers of columns and rows of about a width, with the shape of a bin as near to that of a clip as may be. */
function binsFor(width, height, tile, aspect) {
  const around = width / tile;
  let best = { columns: 1, rows: 1, error: Infinity };
  for (
    let columns = Math.max(1, Math.round(0.88 * around));
    columns <= Math.max(1, Math.round(1.12 * around));
    columns++
  ) {
    const exact = (height * aspect * columns) / width;
    const rows = Math.max(1, Math.round(exact));
    const error = Math.abs(Math.log(rows / exact));
    if (error < best.error) best = { columns, rows, error };
  }
  return best;
}

/** Is `point` a better choice for a bin than `other`? */
function isBetter(point, other, distance, otherDistance) {
  if (point === state.selected || other === state.selected) return point === state.selected;
  const [own, its] = [liveliness?.[point] ?? -Infinity, liveliness?.[other] ?? -Infinity];
  return own === its ? distance < otherDistance : own > its;
}

/** The tiles of a level. Each level halves the bins in both directions. Places are parts of the whole map, 0 to 1. */
function layoutAt(level) {
  if (layouts.has(level)) return layouts.get(level);
  const [across, up] = [world.columns * 2 ** level, world.rows * 2 ** level];
  const bins = new Map();
  for (const point of shownPoints) {
    const [x, y] = [places.x[point], 1 - places.y[point]];
    const [column, row] = [Math.min(across - 1, Math.floor(x * across)), Math.min(up - 1, Math.floor(y * up))];
    const distance = (x * across - column - 0.5) ** 2 + (y * up - row - 0.5) ** 2;
    const bin = bins.get(column + row * across);
    if (!bin) bins.set(column + row * across, { point, column, row, distance, count: 1 });
    else {
      bin.count++;
      if (isBetter(point, bin.point, distance, bin.distance)) Object.assign(bin, { point, distance });
    }
  }
  // Values with a bin's width between them stand at their own places.
  const isExact = (axis, bins) => axis.hasPlaces && !axis.spread && axis.gap * bins >= 0.999;
  const [exactX, exactY] = [isExact(axes.x, across), isExact(axes.y, up)];
  const tiles = [...bins.values()];
  for (const tile of tiles) {
    tile.x = exactX ? places.x[tile.point] : (tile.column + 0.5) / across;
    tile.y = exactY ? 1 - places.y[tile.point] : (tile.row + 0.5) / up;
  }
  layouts.set(level, { tiles, across, up });
  return layouts.get(level);
}

/** The layout for the zoom. Bins are not halved further once most points have their own. */
function layout() {
  const wanted = Math.max(0, Math.floor(Math.log2(view.zoom) + 0.2));
  for (let level = 0; level < wanted; level++) {
    const made = layoutAt(level);
    if (made.tiles.length >= 0.75 * shownPoints.length && (world.width * view.zoom) / made.across <= TILE_LIMIT)
      return made;
  }
  return layoutAt(wanted);
}

/** All tiles at the zoom, in CSS pixels from the corner of the canvas. */
function allTiles() {
  if (count === 0) return [];
  const { tiles, across, up } = layout();
  const [wholeWidth, wholeHeight] = [world.width * view.zoom, world.height * view.zoom];
  const gap = clamp(wholeWidth / across * 0.05, 2, 6);
  const width = Math.min(wholeWidth / across - gap, (wholeHeight / up - gap) * clip.width / clip.height);
  const height = width * clip.height / clip.width;
  const [left, top] = [plot.left - view.left - width / 2, plot.top - view.top - height / 2];
  return tiles.map(({ point, count, x, y }) => ({
    point,
    count,
    x: left + x * wholeWidth,
    y: top + y * wholeHeight,
    width,
    height,
  }));
}

const isInSight = ({ x, y, width, height }) =>
  x + width > plot.left && x < plot.left + plot.width && y + height > plot.top && y < plot.top + plot.height;
const tilesInSight = () => allTiles().filter(isInSight);

/** The tile at a place of the canvas. */
function tileAt(x, y) {
  if (x < plot.left || y < plot.top || x > plot.left + plot.width || y > plot.top + plot.height) return undefined;
  return tilesInSight().find(
    (tile) => x >= tile.x && x < tile.x + tile.width && y >= tile.y && y < tile.y + tile.height,
  );
}

// Clips

/** The pixel of each gray. Dark grays hide the colour below (values below 12 are JPEG noise), light grays whiten it. */
const MASK = new Uint32Array(256);
for (let gray = 0; gray < 256; gray++) {
  const light = Math.max(0, (gray - 12) / 243) ** 0.8;
  const pixel = light < 0.8 ? [...GROUND, 230 * (1 - light / 0.8)] : [255, 255, 255, 330 * (light - 0.8)];
  MASK[gray] = new Uint32Array(Uint8ClampedArray.from(pixel).buffer)[0];
}

/** A mask of a gray picture. Over a rectangle of a colour, the mask shows the picture in this colour. */
function mask(source, width, height, draw) {
  const made = new OffscreenCanvas(width, height);
  const inner = made.getContext("2d", { willReadFrequently: true });
  inner.fillRect(0, 0, width, height);
  draw(inner, source);
  const image = inner.getImageData(0, 0, width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const grays = image.data;
  for (let at = 0; at < pixels.length; at++) pixels[at] = MASK[grays[4 * at]];
  return createImageBitmap(image);
}

const firstOfSheet = [];
data.sheets.reduce((first, { clips }, sheet) => (firstOfSheet[sheet] = first) + clips, 0);

/** The sheet of a point and the corner of its clip there, in pixels; undefined without a clip. */
function clipPlace(point) {
  const sheet = firstOfSheet.findLastIndex((first) => first <= point);
  const index = point - firstOfSheet[sheet];
  if (!(index < data.sheets[sheet]?.clips)) return undefined;
  return { sheet, index, column: index % clip.columns, row: Math.floor(index / clip.columns) };
}

/** The decoded pictures of the few sheets used last. */
const decoded = new Map();
async function sheetImage(sheet) {
  let image = decoded.get(sheet);
  decoded.delete(sheet);
  if (!image) {
    image = new Image();
    if (String(data.sheets[sheet].src).startsWith("data:image/")) image.src = data.sheets[sheet].src;
  }
  decoded.set(sheet, image);
  if (decoded.size > 3) decoded.delete(decoded.keys().next().value);
  await image.decode();
  return image;
}

/** The last frames of each sheet as one mask. */
const lastFrames = [];
async function loadLastFrames() {
  const { width, height, frames } = clip;
  for (const [sheet, { clips }] of data.sheets.entries()) {
    const rows = Math.ceil(clips / clip.columns);
    try {
      lastFrames[sheet] = await mask(await sheetImage(sheet), clip.columns * width, rows * height, (inner, image) => {
        for (let column = 0; column < clip.columns; column++)
          inner.drawImage(
            image,
            (column * frames + frames - 1) * width,
            0,
            width,
            rows * height,
            column * width,
            0,
            width,
            rows * height,
          );
      });
    } catch {
      lastFrames[sheet] = undefined;
    }
    redraw();
  }
}

/** The frames of the few clips used last, each clip as a mask of one row. */
const strips = new Map();
async function stripOf(point) {
  if (!strips.has(point)) {
    const place = clipPlace(point);
    if (!place) return undefined;
    const { width, height, frames } = clip;
    const image = await sheetImage(place.sheet);
    strips.set(
      point,
      await mask(image, frames * width, height, (inner) =>
        inner.drawImage(
          image,
          place.column * frames * width,
          place.row * height,
          frames * width,
          height,
          0,
          0,
          frames * width,
          height,
        ),
      ),
    );
    if (strips.size > 64) strips.delete(strips.keys().next().value);
  }
  return strips.get(point);
}

/** A canvas that shows the clip of a point, large, and plays it. */
class Player {
  constructor(target) {
    Object.assign(this, { target, point: null, isPlaying: false, strip: undefined, frame: -1, started: 0 });
  }

  /** Shows a point, or nothing. */
  async show(point, isPlaying = true) {
    if (this.point !== point) Object.assign(this, { point, strip: undefined });
    Object.assign(this, { isPlaying, frame: -1, started: performance.now() });
    if (point === null) return;
    this.draw(clip.frames - 1);
    const strip = await stripOf(point).catch(() => undefined);
    if (this.point !== point || !strip) return;
    Object.assign(this, { strip, frame: -1, started: performance.now() });
    redraw();
  }

  /** Draws the frame of a time. Returns whether more frames follow. */
  tick(now) {
    if (this.point === null || !this.strip) return false;
    const last = clip.frames - 1;
    const step = Math.floor((now - this.started) / Math.max(20, clip.milliseconds)) % (clip.frames + PAUSE);
    const frame = this.isPlaying ? clamp(step, 0, last) : last;
    if (frame !== this.frame) this.draw(frame);
    return this.isPlaying && last > 0;
  }

  draw(frame) {
    const { target, strip, point } = this;
    const [width, height] = [
      Math.round(target.clientWidth * ratio),
      Math.round((target.clientWidth * ratio * clip.height) / clip.width),
    ];
    if (target.width !== width || target.height !== height) [target.width, target.height] = [width, height];
    const inner = target.getContext("2d");
    inner.imageSmoothingQuality = "high";
    inner.fillStyle = colours[point];
    inner.fillRect(0, 0, width, height);
    if (strip) inner.drawImage(strip, frame * clip.width, 0, clip.width, clip.height, 0, 0, width, height);
    else drawMask(inner, point, 0, 0, width, height);
    this.frame = strip ? frame : -1;
  }
}

const preview = new Player($("preview").querySelector("canvas"));
const large = new Player($("clip"));

/** Draws the last frame of a point over a rectangle of its colour. */
function drawMask(inner, point, x, y, width, height) {
  const place = clipPlace(point);
  const picture = place && lastFrames[place.sheet];
  if (picture)
    return inner.drawImage(
      picture,
      place.column * clip.width,
      place.row * clip.height,
      clip.width,
      clip.height,
      x,
      y,
      width,
      height,
    );
  inner.fillStyle = `rgba(${GROUND.join(",")},0.8)`;
  inner.fillRect(x, y, width, height);
}
