// Elements, and sentences with their places filled, as scripts make them.

/** An element with these properties, `data-` attributes and children. */
export function made(kind, properties = {}, data = {}, ...children) {
  const element = Object.assign(document.createElement(kind), properties);
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

/** A sentence of the server with its {places} filled; one that nothing is said for stays empty. */
export const filled = (sentence, words) => sentence.replace(/\{(\w+)\}/g, (_, name) => words[name] ?? "");
