// The map: drawing, moving and the preview of a tile.

// Drawing

let isDirty = false;
let hovered = null;
let drawMilliseconds = 0;

/** Asks for a frame. There are no frames while nothing changes and nothing plays. */
function redraw() {
  if (!isDirty) requestAnimationFrame(drawFrame);
  isDirty = true;
}

let isAwaited = false;
function drawFrame() {
  isDirty = false;
  const start = performance.now();
  draw();
  drawMilliseconds = performance.now() - start;
  if (!isAwaited) play(performance.now());
}

/** Plays the clips that are shown. */
function play(now) {
  isAwaited = [preview.tick(now), large.tick(now)].includes(true);
  if (isAwaited) requestAnimationFrame(play);
}

/** Draws the whole map. */
function draw() {
  const pixel = (value) => Math.round(value * ratio) / ratio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = "#0a0c10";
  context.fillRect(0, 0, canvas.width, canvas.height);
  if (count === 0) return;
  context.save();
  context.beginPath();
  context.rect(plot.left, plot.top, plot.width, plot.height);
  context.clip();
  const ticksOfAxes = drawGrid();
  const tiles = tilesInSight();
  for (const { point, x, y, width, height } of tiles) {
    const [left, top] = [pixel(x), pixel(y)];
    const [wide, high] = [pixel(x + width) - left, pixel(y + height) - top];
    context.fillStyle = colours[point];
    context.fillRect(left, top, wide, high);
    drawMask(context, point, left, top, wide, high);
  }
  for (const tile of tiles) {
    if (tile.point === state.selected) frame(tile, "#ffffff", 2.5);
    else if (tile.point === hovered) frame(tile, "#ffffffa0", 1.5);
  }
  context.restore();
  drawAxes(ticksOfAxes);
  if (tiles.length === 0) say("No point is shown here.");
  sayStatus(tiles);
}

/** A frame around a tile. */
function frame({ x, y, width, height }, colour, line) {
  Object.assign(context, { strokeStyle: colour, lineWidth: line });
  context.strokeRect(x - line / 2, y - line / 2, width + line, height + line);
}

/** Text in the middle of the map. */
function say(text) {
  Object.assign(context, { font: FONT, fillStyle: "#98a1b0", textAlign: "center", textBaseline: "middle" });
  context.fillText(text, plot.left + plot.width / 2, plot.top + plot.height / 2);
}

/** Draws the lines at the ticks and returns the ticks with their pixels. */
function drawGrid() {
  const [width, height] = [world.width * view.zoom, world.height * view.zoom];
  const across = ticks(
    axes.x,
    view.left / width,
    (view.left + plot.width) / width,
    plot.width,
    plot.width < 500 ? 64 : 96,
  ).map(({ place, label }) => ({ at: plot.left + place * width - view.left, label }));
  const up = ticks(axes.y, 1 - (view.top + plot.height) / height, 1 - view.top / height, plot.height, 56).map(
    ({ place, label }) => ({ at: plot.top + (1 - place) * height - view.top, label }),
  );
  context.fillStyle = "#1a1f28";
  for (const { at } of across) context.fillRect(Math.round(at), plot.top, 1, plot.height);
  for (const { at } of up) context.fillRect(plot.left, Math.round(at), plot.width, 1);
  return { across, up };
}

/** The text, shortened to a width. */
function fitted(text, width) {
  let part = text;
  while (part.length > 1 && context.measureText(part).width > width) part = part.slice(0, -2) + "…";
  return part;
}

/** Draws labels and titles of both axes. */
function drawAxes({ across, up }) {
  const [bottom, right] = [plot.top + plot.height, plot.left + plot.width];
  Object.assign(context, { font: FONT, fillStyle: "#98a1b0", textAlign: "center", textBaseline: "top" });
  const room = across.length > 1 ? across[1].at - across[0].at - 8 : plot.width;
  for (const { at, label } of across) {
    const text = fitted(label, room);
    const half = context.measureText(text).width / 2;
    context.fillText(text, clamp(at, plot.left + half - 8, right - half + plot.right - 4), bottom + 8);
  }
  Object.assign(context, { textAlign: "right", textBaseline: "middle" });
  for (const { at, label } of up)
    context.fillText(
      fitted(label, plot.left - (plot.top > 20 ? 12 : 34)),
      plot.left - 8,
      clamp(at, plot.top + 6, bottom - 6),
    );
  Object.assign(context, {
    font: `600 ${FONT}`.replace("12px", "13px"),
    fillStyle: "#d5dae3",
    textAlign: "center",
    textBaseline: "alphabetic",
  });
  context.fillText(fitted(axes.x.title, plot.width - 244), plot.left + plot.width / 2, bottom + 44);
  if (plot.top > 20) {
    context.textAlign = "left";
    return context.fillText("↑ " + fitted(axes.y.title, plot.width - 60), 10, 21);
  }
  context.save();
  context.translate(18, plot.top + plot.height / 2);
  context.rotate(-Math.PI / 2);
  context.fillText(fitted(axes.y.title, plot.height), 0, 0);
  context.restore();
}

/** The line below the map: how many points are shown, and how many are not. */
function sayStatus(tiles) {
  const inSight = tiles.reduce((sum, tile) => sum + tile.count, 0);
  const unfit = count - shownPoints.length - leftOut;
  const parts = [`${plural(tiles.length, "tile")} for ${plural(inSight, "combination")} in sight.`];
  if (unfit > 0)
    parts.push(
      unfit === 1
        ? "1 combination is hidden by legend or filter."
        : `${grouped(unfit)} combinations are hidden by legend or filter.`,
    );
  if (leftOut > 0)
    parts.push(`${plural(leftOut, "combination")} without ${partial} ${leftOut === 1 ? "is" : "are"} left out.`);
  const text = parts.join(" ");
  if ($("status").textContent !== text) $("status").textContent = text;
}

// Moving

/** Keeps the map in the canvas. */
function limitView() {
  view.left = clamp(view.left, 0, Math.max(0, world.width * view.zoom - plot.width));
  view.top = clamp(view.top, 0, Math.max(0, world.height * view.zoom - plot.height));
}

/** Zooms about a place of the canvas. */
function zoomAt(x, y, factor) {
  const zoom = clamp(view.zoom * factor, 1, MAX_ZOOM);
  const [across, up] = [x - plot.left, y - plot.top];
  view.left = (view.left + across) * (zoom / view.zoom) - across;
  view.top = (view.top + up) * (zoom / view.zoom) - up;
  view.zoom = zoom;
  limitView();
  redraw();
}

/** Zooms in a fifth of a second, or at once where little motion is wanted. */
let zooming = 0;
function zoomSmoothly(x, y, factor) {
  const mine = ++zooming;
  if (calm.matches) return zoomAt(x, y, factor);
  const start = performance.now();
  let done = 0;
  const step = (now) => {
    if (mine !== zooming) return;
    const share = clamp((now - start) / 200, 0, 1);
    const eased = 1 - (1 - share) ** 2;
    zoomAt(x, y, factor ** (eased - done));
    done = eased;
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** Zooms by a key or a button: `+`, `-` or `0`. */
function zoomBy(sign) {
  hover(null);
  const factor = { "+": 2, "-": 0.5, 0: 1 / view.zoom }[sign];
  zoomSmoothly(plot.left + plot.width / 2, plot.top + plot.height / 2, factor);
}

/** Moves the map so that the tile of a point is in sight as a whole. */
function bringIntoSight(point) {
  const tile = allTiles().find((one) => one.point === point);
  if (!tile) return;
  const moves = (at, size, low, length) => at < low ? at - low - 4 : Math.max(0, at + size - low - length + 4);
  view.left += moves(tile.x, tile.width, plot.left, plot.width);
  view.top += moves(tile.y, tile.height, plot.top, plot.height);
  limitView();
}

/** Selects the nearest tile in a direction of the map, or the tile in its middle. */
function step(across, up) {
  const tiles = allTiles();
  const own = tiles.find((tile) => tile.point === state.selected && isInSight(tile));
  const from = own ?? { x: plot.left + plot.width / 2, y: plot.top + plot.height / 2 };
  let best, least = Infinity;
  for (const tile of tiles) {
    const [right, down] = [tile.x - from.x, tile.y - from.y];
    const [ahead, aside] = across ? [right * across, Math.abs(down)] : [down * up, Math.abs(right)];
    const cost = own ? ahead + 2.5 * aside : Math.hypot(right, down);
    if ((!own || (ahead > 1 && aside <= 1.5 * ahead)) && cost < least) [best, least] = [tile, cost];
  }
  if (!best) return;
  mark(best.point);
  bringIntoSight(best.point);
  if (!$("panel").hidden) select(best.point, false);
  else hover(tilesInSight().find((tile) => tile.point === best.point) ?? null);
}

/** The pointers that are down, by their ids, with the way that they moved in all. */
const pointers = new Map();
let moved = 0;

function pointerDown(event) {
  zooming++;
  if (pointers.size === 0) moved = 0;
  pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  canvas.setPointerCapture(event.pointerId);
}

function pointerMove(event) {
  const before = pointers.get(event.pointerId);
  const now = { x: event.offsetX, y: event.offsetY };
  if (!before) return event.pointerType === "touch" ? undefined : hover(tileAt(now.x, now.y) ?? null);
  const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
  moved += Math.hypot(now.x - before.x, now.y - before.y);
  pointers.set(event.pointerId, now);
  if (moved < 5) return;
  hover(null);
  canvas.classList.add("dragged");
  const share = 1 / (1 + others.length);
  view.left -= (now.x - before.x) * share;
  view.top -= (now.y - before.y) * share;
  if (others.length === 1) {
    const [other] = others;
    const apart = (place) => Math.max(10, Math.hypot(place.x - other.x, place.y - other.y));
    zoomAt((now.x + other.x) / 2, (now.y + other.y) / 2, apart(now) / apart(before));
  }
  limitView();
  redraw();
}

function pointerUp(event) {
  if (!pointers.delete(event.pointerId) || pointers.size > 0) return;
  canvas.classList.remove("dragged");
  if (event.type === "pointercancel" || moved >= 5 || event.button > 0) return;
  const tile = tileAt(event.offsetX, event.offsetY);
  if (tile) select(tile.point);
}

/** Zooms with the wheel. At zoom 1 the wheel that zooms out scrolls the page. */
function wheel(event) {
  if (event.deltaY > 0 && view.zoom <= 1 && !event.ctrlKey) return;
  event.preventDefault();
  zooming++;
  hover(null);
  const lines = event.deltaMode === 1 ? 30 : 1;
  zoomAt(event.offsetX, event.offsetY, 2 ** (clamp(-event.deltaY * lines, -240, 240) / (event.ctrlKey ? 60 : 240)));
}

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function keyDown(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (KEYS[event.key]) step(...KEYS[event.key]);
  else if (event.key === "Enter" && state.selected !== null) select(state.selected);
  else if (["+", "=", "-", "0"].includes(event.key)) zoomBy(event.key === "=" ? "+" : event.key);
  else return;
  event.preventDefault();
}

// The preview of a tile

/** Shows a tile larger beside itself, or nothing. */
function hover(tile) {
  const point = tile?.point ?? null;
  canvas.classList.toggle("over", point !== null);
  if (point === hovered) return;
  hovered = point;
  redraw();
  const box = $("preview");
  box.hidden = point === null;
  if (point === null) return void preview.show(null);
  const width = Math.min(clamp(tile.width * 2.8, 200, 320), canvas.clientWidth - 20);
  box.style.width = `${width}px`;
  const columns = [...new Set([state.x, state.y, state.colour])].filter((column) => column !== regimeColumn);
  const row = (column) =>
    element("div", "row", "", element("span", "", column.name), element("span", "", shown(column, point)));
  const name = element("div", "name", "", swatch(colours[point]), regimeOf(point)?.name ?? `Run ${grouped(point + 1)}`);
  box.lastElementChild.replaceChildren(name, ...columns.map(row));
  preview.show(point, !calm.matches);
  const right = tile.x + tile.width + 12;
  const left = right + width <= canvas.clientWidth - 8 ? right : tile.x - width - 12;
  const top = tile.y + tile.height / 2 - box.offsetHeight / 2;
  box.style.transform = `translate(${Math.round(clamp(left, 8, canvas.clientWidth - width - 8))}px, ${
    Math.round(clamp(top, 8, Math.max(8, canvas.clientHeight - box.offsetHeight - 8)))}px)`;
}
