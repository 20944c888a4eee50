// The gallery: runs that prove themselves, as tiles that play.

import { gallery, thumbnail } from "./murmuration_web.js";

let dialog;

function tile(run, follow) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "tile";
  const picture = document.createElement("img");
  picture.alt = "";
  picture.src = URL.createObjectURL(new Blob([thumbnail(run.name)], { type: "image/jpeg" }));
  picture.addEventListener("load", () => URL.revokeObjectURL(picture.src));
  const title = document.createElement("strong");
  title.textContent = run.title;
  const line = document.createElement("span");
  line.textContent = run.line;
  made.append(picture, title, line);
  made.addEventListener("click", () => {
    dialog.close();
    follow(run.link);
  });
  return made;
}

/** Shows the gallery. `follow`: plays a link. */
export async function show(follow) {
  if (dialog === undefined) {
    const runs = JSON.parse(gallery(await (await fetch("gallery.toml")).text()));
    dialog = document.createElement("dialog");
    dialog.id = "gallery";
    dialog.setAttribute("aria-label", "Runs that can be verified");
    const close = document.createElement("button");
    close.textContent = "close";
    close.addEventListener("click", () => dialog.close());
    const tiles = document.createElement("div");
    tiles.className = "tiles";
    tiles.append(...runs.map((run) => tile(run, follow)));
    dialog.append(close, tiles);
    document.body.append(dialog);
  }
  dialog.showModal();
}
