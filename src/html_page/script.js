// Lets a reader take each chart of a page as SVG and its data as CSV. Without this script the page has no such buttons.
(() => {
  "use strict";
  const take = (name, type, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  for (const figure of document.querySelectorAll("figure.chart")) {
    const svg = figure.querySelector("svg");
    if (!svg) continue;
    const name = figure.getAttribute("aria-label").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
    const drawing = () => {
      const copy = svg.cloneNode(true);
      const ground = document.createElementNS(svg.namespaceURI, "rect");
      Object.entries({ width: "100%", height: "100%", fill: "#ffffff" }).forEach((pair) =>
        ground.setAttribute(...pair),
      );
      copy.prepend(ground);
      return new XMLSerializer().serializeToString(copy).replaceAll("currentColor", "#000000");
    };
    const files = [["SVG", "svg", "image/svg+xml", drawing], ["CSV", "csv", "text/csv", () => figure.dataset.csv]];
    const buttons = document.createElement("span");
    buttons.className = "downloads";
    for (const [label, ending, type, text] of files) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.title = `Save this chart as ${label}`;
      button.addEventListener("click", () => take(`${name}.${ending}`, type, text()));
      buttons.append(button);
    }
    figure.querySelector("figcaption").append(buttons);
  }
})();
