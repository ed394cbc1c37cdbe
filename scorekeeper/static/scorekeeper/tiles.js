// Draws tiles like the server does (drawing/tile.py), for entries that it does not have yet.

/** The names of all tiles, heaviest first. */
export const ALL = [6, 5, 4, 3, 2, 1, 0].flatMap((high) =>
  Array.from({ length: high + 1 }, (_, less) => `${high}-${high - less}`),
);

const PIPS = [
  "",
  "M10 10h0",
  "M5 15h0M15 5h0",
  "M5 15h0M10 10h0M15 5h0",
  "M5 5h0M5 15h0M15 5h0M15 15h0",
  "M5 5h0M5 15h0M10 10h0M15 5h0M15 15h0",
  "M5 5h0M5 15h0M10 5h0M10 15h0M15 5h0M15 15h0",
];

/** Draws the tile with this name; if turned, with its lower half first. */
export function drawnTile(name, turned = false) {
  const [first, second] = turned ? [name[2], name[0]] : [name[0], name[2]];
  const svg = part("svg", { class: "tile", viewBox: "0 0 40 20", "aria-hidden": "true", "data-tile": name });
  svg.append(
    part("rect", { class: "body", x: 0.5, y: 0.5, width: 39, height: 19, rx: 3 }),
    part("path", { class: "hair", d: "M20 3v14" }),
    part("path", { class: "pips", d: PIPS[first] }),
    part("path", { class: "pips", d: PIPS[second], transform: "translate(20)" }),
  );
  return svg;
}

function part(kind, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
