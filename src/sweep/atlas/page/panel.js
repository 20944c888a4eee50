// The panel of a tile, the legend, the tables and the address.

// The panel of a point

/** Marks a point as selected. */
function mark(point) {
  state.selected = point;
  layouts = new Map();
  saveView();
  redraw();
}

/** Selects a point and opens the panel. */
function select(point, byHand = true) {
  if (!Number.isInteger(point) || point < 0 || point >= count) return;
  hover(null);
  mark(point);
  const wasOpen = !$("panel").hidden;
  $("panel").hidden = false;
  $("stage").classList.add("open");
  if (!wasOpen) resize();
  fillPanel(point);
  bringIntoSight(point);
  setPlaying(byHand || !calm.matches);
  const isBelow = $("panel").getBoundingClientRect().left < canvas.getBoundingClientRect().right - 1;
  // A second click may follow, which zooms.
  if (isBelow && byHand && !wasOpen)
    setTimeout(() => $("panel").scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" }), 350);
}

/** Closes the panel and forgets the selection. */
function close() {
  hover(null);
  $("panel").hidden = true;
  $("stage").classList.remove("open");
  large.show(null);
  mark(null);
  resize();
}

function setPlaying(isPlaying) {
  large.show(state.selected, isPlaying);
  $("play").textContent = isPlaying ? "Pause" : "Play";
}

/** A row of a table from a name and a value. */
function valueRow(name, meaning, value, unit) {
  const cell = element("td", "number", value);
  if (value !== "none" && unit && unit !== "1") cell.append(element("span", "unit", ` ${unit}`));
  const row = element("tr", "", "", element("td", "", name), cell);
  if (meaning) row.title = meaning;
  return row;
}

/** A mean with its standard error over the seeds, and the number of its runs if some seeds have no value. */
function withError(mean, error, runs = data.seeds.length) {
  const bar = Number.isFinite(error) && Number.isFinite(mean) ? ` ± ${short(error)}` : "";
  return (
    short(mean) +
    bar +
    (Number.isFinite(mean) && runs < data.seeds.length ? ` (${runs} of ${data.seeds.length} runs)` : "")
  );
}

/** Writes all about a point into the panel. */
function fillPanel(point) {
  const regime = regimeOf(point);
  $("point").textContent = `Combination ${points.number[point]}`;
  $("regime").hidden = !regime;
  if (regime)
    $("regime").replaceChildren(
      swatch(regime.colour),
      element("b", "", regime.name),
      element("code", "", regime.rule ?? ""),
    );
  const exact = (value) => (typeof value === "number" ? String(value).replace("-", "−") : "none");
  const parameter = (column) =>
    valueRow(column.name, "", column.words ? shown(column, point) : exact(column.values[point]));
  const isParameter = (column) => column.group === "Parameters";
  $("values").replaceChildren(
    ...columns.filter(isParameter).map(parameter),
    valueRow("seed of film and hash", "", String(points.seed[point])),
  );
  $("measured").replaceChildren(
    ...data.measures.map(({ name, unit, meaning }, index) =>
      valueRow(
        name,
        meaning,
        withError(points.measures[index][point], points.errors[index]?.[point], points.runs[index]?.[point]),
        unit,
      ),
    ),
  );
  $("hash").textContent = points.hash[point];
  fillCommand(point);
  fillLink(point);
}

/** The settings of a point as the program reads them: keys with values of TOML. */
function settingsOf(point) {
  return data.parameters.map(({ key, values, written }, index) => {
    const value = points.values[index][point];
    if (!values) return { key, value: String(value) };
    return { key, value: key === "size" ? values[value] : written[value] };
  });
}
const setting = ({ key, value }) => `${key}=${value}`;
const isSize = ({ key }) => key === "size";

/** A word of a command for a POSIX shell. */
const quoted = (word) => /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The command that plays the run of a point. A preset that is not built in comes with the link. */
async function commandOf(point) {
  if (!data.link) return "";
  if (!data.command) return `murmuration verify ${quoted(await fragmentOf(point))}`;
  const settings = settingsOf(point).flatMap((one) => isSize(one) ? ["--size", one.value] : ["--set", setting(one)]);
  const words = [...data.command.before, "--seed", String(points.seed[point]), ...settings, ...data.command.after];
  return words.map((word) => quoted(String(word))).join(" ");
}

/** Bytes as base64 for addresses, without padding. */
function base64url(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The fragment of the address that plays the run of a point. */
async function fragmentOf(point) {
  const [settings, seed, hash, of] = [
    settingsOf(point),
    points.seed[point],
    points.hash[point],
    points.effective[point],
  ];
  if (data.link.replay) {
    const replay = structuredClone(data.link.replay);
    const set = settings.filter((one) => !isSize(one)).map(setting);
    replay.preset.overrides = { ...replay.preset.overrides, set, seed: "SEED" };
    const [width, height, depth] = settings.find(isSize)?.value.split("x").map(Number) ?? [];
    if (width) Object.assign(replay.preset.overrides, { size: [width, height], depth });
    replay.state_hash = hash;
    // A seed may have more digits than a number of JavaScript.
    const stream = new Blob([JSON.stringify(replay).replace('"seed":"SEED"', `"seed":${seed}`)])
      .stream()
      .pipeThrough(new CompressionStream("deflate"));
    return `#replay=${base64url(
      new Uint8Array(await new Response(stream).arrayBuffer()),
    )}&of=${encodeURIComponent(of)}`;
  }
  const query = new URLSearchParams({ preset: data.link.preset });
  const size = settings.find(isSize)?.value;
  if (size) query.set("size", size);
  query.set("seed", seed);
  settings.filter((one) => !isSize(one)).forEach((one) => query.append("set", setting(one)));
  if (data.link.chain) query.set("chain", data.link.chain);
  for (const [key, value] of Object.entries({ steps: data.steps, hash, of })) query.set(key, value);
  return `#${query}`;
}

/** Writes the command of a point. */
async function fillCommand(point) {
  $("command").textContent = "";
  const text = await commandOf(point).catch(() => "");
  if (state.selected === point) $("command").textContent = text;
}

/** Writes the link of a point: one to open, or text to copy. */
async function fillLink(point) {
  $("link").replaceChildren();
  if (!data.link)
    return $("link").append(
      element(
        "span",
        "note",
        "The preset needs files of its own, or is too long for a link. Play it in the folder of the atlas.",
      ),
    );
  const fragment = await fragmentOf(point).catch(() => "");
  if (state.selected !== point) return;
  const isAddress = /^https?:\/\//.test(data.base);
  const text = (isAddress ? data.base : "") + fragment;
  $("link").dataset.text = text;
  const line = "Put it behind the address of the page, or play it by ";
  if (!isAddress)
    return $("link").replaceChildren(
      element("span", "note", line, element("code", "", "murmuration replay"), "."),
      element("code", "", text),
    );
  const open = element("a", "", "Open this run in the browser");
  Object.assign(open, { href: text, target: "_blank", rel: "noopener" });
  $("link").replaceChildren(open, element("code", "", text));
}

/** Copies text and says so on the button. */
async function copy(button, text) {
  const said = await navigator.clipboard?.writeText(text).then(() => "Copied", () => "Select the text to copy it");
  button.textContent = said ?? "Select the text to copy it";
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

// Legend, tables, selectors and the address

/** Writes the legend for the colour. */
function fillLegend() {
  const parts = [];
  const { column, low, high, isLog } = axes.colour;
  if (column.words && column !== regimeColumn) {
    const key = (word, index) => element("span", "", "", swatch(WORD_COLOURS[index % WORD_COLOURS.length]), ` ${word}`);
    parts.push(element("div", "keys words", "", ...column.words.map(key)));
  } else if (column !== regimeColumn) {
    const numbers = [0, 0.25, 0.5, 0.75, 1]
      .map((share) => low + share * (high - low))
      .map((value) => (isLog ? 10 ** value : value));
    const stripe = element("div", "stripe");
    stripe.style.background = `linear-gradient(to right, ${SCALE.join(", ")})`;
    parts.push(
      element(
        "div",
        "bar",
        axes.colour.title,
        stripe,
        element("div", "numbers", "", ...numbers.map((number) => element("span", "", short(number)))),
      ),
    );
  }
  parts.push(element("div", column === regimeColumn ? "keys" : "keys plain", "", ...regimes.map(regimeKey)));
  $("legend").replaceChildren(...parts);
}

const regimeCounts = regimes.map(() => 0);
points.regime?.forEach((regime) => regimeCounts[regime]++);

/** A button that hides or shows a regime. */
function regimeKey({ name, rule, colour }, index) {
  const button = element(
    "button",
    "",
    "",
    swatch(colour),
    element("span", "name", name),
    element("span", "count", grouped(regimeCounts[index])),
  );
  Object.assign(button, { type: "button", title: rule ?? "" });
  button.setAttribute("aria-pressed", String(!state.hidden.has(index)));
  button.addEventListener("click", (event) => {
    const isAlone = state.hidden.size === regimes.length - 1 && !state.hidden.has(index);
    if (event.shiftKey) state.hidden = new Set(isAlone ? [] : [...regimes.keys()].filter((other) => other !== index));
    else if (!state.hidden.delete(index)) state.hidden.add(index);
    update();
    $("legend").querySelectorAll("button")[index].focus();
  });
  return button;
}

/** Writes the table of regimes and the table of measures. */
function fillTables() {
  const heads = (...names) =>
    element(
      "tr",
      "",
      "",
      ...names.map((name) => element("th", ["Runs", "Share"].includes(name) ? "number" : "", name)),
    );
  $("regimes").replaceChildren(
    heads("Regime", "Rule", "Combinations", "Share", ""),
    ...regimes.map(({ name, rule, colour }, index) => {
      const share = regimeCounts[index] / Math.max(1, count);
      const bar = element("span", "share");
      bar.style.setProperty("--swatch", colour);
      bar.style.width = `${(100 * regimeCounts[index]) / Math.max(1, ...regimeCounts)}%`;
      return element(
        "tr",
        "",
        "",
        element("td", "", "", swatch(colour), name),
        element("td", "", "", element("code", "", rule ?? "")),
        element("td", "number", grouped(regimeCounts[index])),
        element("td", "number", `${(100 * share).toFixed(1)} %`),
        element("td", "", "", bar),
      );
    }),
  );
  $("meanings").replaceChildren(
    heads("Measure", "Unit", "Meaning"),
    ...data.measures.map(({ name, unit, meaning }) =>
      element("tr", "", "", element("td", "", name), element("td", "", unit), element("td", "", meaning)),
    ),
  );
}

/** Writes the words around the map. */
function fillWords() {
  $("title").textContent = data.title;
  $("description").textContent = data.description ?? "";
  const seeds =
    data.seeds.length > 6
      ? plural(data.seeds.length, "seed")
      : `seed${data.seeds.length === 1 ? "" : "s"} ${data.seeds.join(", ")}`;
  const there = regimeCounts.filter((own) => own > 0).length;
  const of = count < data.all ? ` of ${grouped(data.all)}, which are not all finished` : "";
  const facts = [
    `${plural(count, "combination")}${of}; ${there} of ${plural(regimes.length, "regime")}`,
    seeds,
    `${plural(data.steps, "step")} a run`,
  ];
  $("facts").textContent = facts.join(" · ");
  $("footer").textContent =
    `Made by murmuration ${data.program}. Every run is deterministic: its command gives the same state hash again.`;
  $("choice").textContent = liveliness?.some(Number.isFinite)
    ? "Then the tile with the greatest liveliness is shown."
    : "Then the tile nearest to the place is shown.";
  const example = columns.findLast((column) => !column.words);
  if (example)
    $("filter").placeholder = $("example").textContent =
      `${example.name} > ${short(example.values.find(Number.isFinite))} and regime = ${
        regimes[regimeCounts.indexOf(Math.max(...regimeCounts))]?.name
      }`;
  canvas.setAttribute(
    "aria-label",
    `Map of ${plural(
      count,
      "combination",
    )} of ${data.title}. Arrow keys select a tile, Enter opens it, plus and minus zoom.`,
  );
}

/** Fills a selector with columns. */
function fillSelector(id) {
  const option = ({ name }) => element("option", "", name);
  const group = (label) =>
    Object.assign(element("optgroup", "", "", ...columns.filter((column) => column.group === label).map(option)), {
      label,
    });
  $(id).replaceChildren(...(id === "colour" ? [option(regimeColumn)] : []), group("Parameters"), group("Measures"));
  $(id).addEventListener("change", () => {
    state[id] = columnOf($(id).value) ?? (id === "colour" ? regimeColumn : columns[0]);
    Object.assign(view, id === "colour" ? {} : { zoom: 1, left: 0, top: 0 });
    update();
  });
}

/** Reads the filter and says what is wrong with it. */
function readFilter() {
  try {
    state.conditions = conditionsOf($("filter").value);
    state.problem = "";
  } catch (error) {
    state.problem = error.message;
  }
  $("filter").setAttribute("aria-invalid", String(state.problem !== ""));
  $("wrong").hidden = state.problem === "";
  $("wrong").textContent = `${state.problem} The filter before it still holds.`;
}

/** Shows a change of the state everywhere. */
function update() {
  hover(null);
  for (const id of ["x", "y", "colour"]) $(id).value = state[id].name;
  refresh();
  fillLegend();
  if (state.selected !== null && !$("panel").hidden) large.show(state.selected, large.isPlaying);
}

/** Writes the view into the address of the page. */
function saveView() {
  const query = new URLSearchParams({ x: state.x.name, y: state.y.name, colour: state.colour.name });
  if (state.selected !== null) query.set("combination", points.number[state.selected]);
  if ($("filter").value.trim()) query.set("filter", $("filter").value.trim());
  if (state.hidden.size) query.set("hidden", [...state.hidden].join(" "));
  try {
    history.replaceState(null, "", `#${query}`);
  } catch {
    // Some places of a page, such as a frame without an origin, have no history.
  }
}

/** Reads the view from the address of the page, or from the data. */
function readView() {
  const query = new URLSearchParams(location.hash.slice(1));
  const column = (id) => columnOf(query.get(id)) ?? columnOf(data.axes?.[id]);
  state.x = column("x") ?? state.x;
  state.y = column("y") ?? state.y;
  state.colour = (query.get("colour") === "regime" ? regimeColumn : column("colour")) ?? regimeColumn;
  const hidden = (query.get("hidden") ?? "").split(" ").filter(Boolean).map(Number);
  state.hidden = new Set(hidden.filter((index) => index in regimes));
  $("filter").value = query.get("filter") ?? "";
  readFilter();
  const point = query.has("combination") ? points.number.indexOf(Number(query.get("combination"))) : null;
  update();
  if (point !== null && point >= 0) select(point, false);
  else if (!$("panel").hidden) close();
}

/** Connects the page with its reader. */
function listen() {
  canvas.addEventListener("pointerdown", pointerDown);
  canvas.addEventListener("pointermove", pointerMove);
  canvas.addEventListener("pointerup", pointerUp);
  canvas.addEventListener("pointercancel", pointerUp);
  canvas.addEventListener("pointerleave", () => pointers.size === 0 && hover(null));
  canvas.addEventListener("dblclick", (event) => zoomSmoothly(event.offsetX, event.offsetY, 2));
  canvas.addEventListener("wheel", wheel, { passive: false });
  canvas.addEventListener("keydown", keyDown);
  document.addEventListener("keydown", (event) => event.key === "Escape" && event.target !== $("filter") && close());
  document
    .querySelectorAll("[data-zoom]")
    .forEach((button) => button.addEventListener("click", () => zoomBy(button.dataset.zoom)));
  $("filter").addEventListener("input", () => (readFilter(), update()));
  $("close").addEventListener("click", () => (close(), canvas.focus({ preventScroll: true })));
  for (const id of ["play", "clip"]) $(id).addEventListener("click", () => setPlaying(!large.isPlaying));
  $("copy-command").addEventListener("click", () => copy($("copy-command"), $("command").textContent));
  $("copy-link").addEventListener("click", () => copy($("copy-link"), $("link").dataset.text ?? ""));
  addEventListener("hashchange", readView);
  new ResizeObserver(resize).observe($("frame"));
}

fillWords();
if (count === 0) {
  for (const id of ["controls", "legend", "stage", "status", "notes"]) $(id).hidden = true;
  $("empty").hidden = false;
} else {
  ["x", "y", "colour"].forEach(fillSelector);
  fillTables();
  listen();
  readView();
  loadLastFrames();
}
window.atlas = {
  points: count,
  tiles: tilesInSight,
  select,
  get selected() { return state.selected; },
  get milliseconds() { return drawMilliseconds; },
};
})();
