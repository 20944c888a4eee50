// The editor: presets, chains and kernels as files of the page, with their mistakes.

import { built_in_paths, own_paths, take_file, text_of } from "./murmuration_web.js";

let dialog, paths, name, text, said;

function element(tag, attributes, content) {
  const made = document.createElement(tag);
  Object.assign(made, attributes);
  if (content !== undefined) made.textContent = content;
  return made;
}

function list() {
  const group = (label, names) => {
    const made = element("optgroup", { label });
    made.append(...names.map((path) => element("option", { value: path }, path)));
    return made;
  };
  paths.replaceChildren(group("files of this page", JSON.parse(own_paths())), group("built in", JSON.parse(built_in_paths())));
}

function open(path) {
  text.value = text_of(path) ?? "";
  // A built-in text is edited as a file of its own.
  name.value = path.split("/").pop();
  paths.value = path;
  said.value = "";
}

function play() {
  try {
    take_file(name.value, new TextEncoder().encode(text.value));
    said.value = `${name.value} is taken over`;
    list();
  } catch (error) {
    said.value = error.message ?? String(error);
  }
}

function make() {
  dialog = element("dialog", { id: "editor" });
  dialog.setAttribute("aria-label", "Presets, chains and kernels");
  paths = element("select", { title: "a text to begin with" });
  name = element("input", { title: "the name of the file", spellcheck: false });
  text = element("textarea", { spellcheck: false, rows: 24 });
  text.setAttribute("aria-label", "the text of the file");
  said = element("output", {});
  said.setAttribute("role", "status");
  const playing = element("button", { type: "button", title: "Ctrl-Enter" }, "play");
  const closing = element("button", { type: "button" }, "close");
  paths.addEventListener("change", () => open(paths.value));
  playing.addEventListener("click", play);
  closing.addEventListener("click", () => dialog.close());
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) play();
  });
  const bar = element("div", { className: "bar" });
  bar.append(paths, name, playing, closing);
  dialog.append(bar, text, said);
  document.body.append(dialog);
}

/** Shows the editor with the present preset. */
export function show(preset) {
  if (dialog === undefined) make();
  list();
  const own = `${preset}.toml`;
  open(text_of(own) === undefined ? `presets/${own}` : own);
  dialog.showModal();
}
