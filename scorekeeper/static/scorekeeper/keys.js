// The pad by keyboard: arrows move over tiles, cards, cells and dice; letters and digits choose what bears them.
import { singleKeys } from "./single_keys.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 3; // how much worse a step to the side is than one straight on
const NAMES = ["at", "face", "suit"]; // ends, dice and suits: data-at="w", data-face="6", data-suit="H"
const UNDO = '[data-untap], [name=entry][value=\'{"kind":"undo"}\']';

export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    const form = document.querySelector("#sheet form.play") ?? document.querySelector("#sheet[data-part=pad]");
    if (!form || !isForPad(event)) return;
    const control = chosenBy(event, form);
    if (!control) return;
    event.preventDefault();
    if (event.key in STEPS) control.focus();
    else control.click();
  });
}

/** Whether a key is for the pad: the focus is there or nowhere, and nothing is being typed. */
const isForPad = ({ target, altKey }) =>
  !altKey && target.matches?.("body, #main, #sheet :not(input, select, textarea)");

function chosenBy({ key, ctrlKey, metaKey }, form) {
  if (ctrlKey || metaKey) return key === "z" ? first(form, UNDO) : null;
  if (key in STEPS) return next(form, STEPS[key]);
  if (!singleKeys()) return null;
  if (key === "u") return first(form, UNDO);
  if (key === "p") return first(form, ".thumb .main");
  if (!/^[a-z1-6]$/i.test(key)) return null;
  return first(form, NAMES.map((name) => `[data-${name}="${key}" i]`).join());
}

const taps = (form, selector) =>
  [...form.querySelectorAll(selector)].filter((each) => each.checkVisibility() && !each.disabled);

const first = (form, selector) => taps(form, `:is(button, a):is(${selector})`)[0];

/** The nearest control in this direction; null if the focus is not on the pad. */
function next(form, [across, down]) {
  const here = document.activeElement;
  if (!form.matches("form.play") || !form.contains(here)) return null;
  const from = middle(here);
  const distance = (each) => {
    const [x, y] = middle(each).map((place, axis) => place - from[axis]);
    const ahead = x * across + y * down;
    return ahead > 1 ? ahead + ASIDE * Math.abs(x * down + y * across) : Number.POSITIVE_INFINITY;
  };
  const all = taps(form, "button, a, input").filter(
    (each) => each !== here && distance(each) < Number.POSITIVE_INFINITY,
  );
  return all.reduce((best, each) => (best && distance(best) <= distance(each) ? best : each), null);
}

function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}
