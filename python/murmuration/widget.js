// The page's part of the widget: it shows pictures, and asks for the next one when one is shown.

const element = (name, attributes = {}, ...inside) => {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...inside);
  return made;
};

function render({ model, el }) {
  const picture = element("img", { className: "murmuration-picture", alt: "the swarm", draggable: false });
  const status = element("span", { className: "murmuration-status" });
  const mistake = element("div", { className: "murmuration-mistake" });
  mistake.setAttribute("role", "alert");
  const play = element("button", { type: "button" });
  const again = element("button", { type: "button", textContent: "restart" });
  const undo = element("button", { type: "button", textContent: "undo" });
  const sliders = element("details", {}, element("summary", { textContent: "parameters" }));
  const bar = element("div", { className: "murmuration-bar" }, play, again, undo, status);
  el.append(element("div", { className: "murmuration" }, picture, bar, mistake, sliders));

  let url = null;
  let isAsked = false;
  const ask = (message) => model.send(message);
  const next = () => {
    if (model.get("playing") && !isAsked && !document.hidden) {
      isAsked = true;
      ask({ ask: "next" });
    }
  };
  const show = () => {
    const bytes = model.get("picture");
    const old = url;
    url = URL.createObjectURL(new Blob([bytes], { type: "image/png" }));
    picture.onload = () => {
      if (old) URL.revokeObjectURL(old);
      isAsked = false;
      requestAnimationFrame(next);
    };
    picture.src = url;
  };
  const say = () => {
    status.textContent = model.get("status");
    mistake.textContent = model.get("mistake");
    play.textContent = model.get("playing") ? "pause" : "play";
  };

  let hunt = null;
  let isSent = false;
  const send = () => {
    if (isSent) return;
    isSent = true;
    requestAnimationFrame(() => {
      isSent = false;
      ask(hunt);
    });
  };
  const hunted = (event) => {
    if (!model.get("hunts")) return;
    const box = picture.getBoundingClientRect();
    const at = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    hunt = { ask: "hunt", at, catches: (event.buttons & 1) === 1 };
    send();
  };
  for (const name of ["pointermove", "pointerdown", "pointerup"]) picture.addEventListener(name, hunted);
  picture.addEventListener("pointerleave", () => {
    hunt = { ask: "hunt", at: null };
    send();
  });

  play.addEventListener("click", () => {
    model.set("playing", !model.get("playing"));
    model.save_changes();
    next();
  });
  again.addEventListener("click", () => ask({ ask: "restart" }));
  undo.addEventListener("click", () => ask({ ask: "undo" }));
  for (const { key, value, least, most, step, unit, doc } of model.get("sliders")) {
    const shown = element("output", { textContent: `${value} ${unit}` });
    const slider = element("input", { type: "range", min: least, max: most, step, value, title: doc });
    slider.setAttribute("aria-label", key);
    slider.addEventListener("input", () => {
      shown.textContent = `${slider.value} ${unit}`;
      ask({ ask: "set", key, value: Number(slider.value) });
    });
    sliders.append(element("label", {}, element("span", { textContent: key, title: doc }), slider, shown));
  }

  const visible = () => next();
  document.addEventListener("visibilitychange", visible);
  model.on("change:picture", show);
  model.on("change:status change:mistake change:playing", say);
  say();
  show();
  return () => {
    document.removeEventListener("visibilitychange", visible);
    model.off("change:picture", show);
    model.off("change:status change:mistake change:playing", say);
    if (url) URL.revokeObjectURL(url);
  };
}

export default { render };
