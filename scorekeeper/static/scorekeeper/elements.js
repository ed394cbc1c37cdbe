// Makes elements, and fills in the placeholders of sentences.

/** Makes an element with these properties, `data-` attributes and children. */
export function made(kind, properties = {}, data = {}, ...children) {
  const element = Object.assign(document.createElement(kind), properties);
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

/** Fills in the {placeholders} of a sentence from the server; a placeholder without a value becomes empty. */
export const filled = (sentence, words) => sentence.replace(/\{(\w+)\}/g, (_, name) => words[name] ?? "");
