// Redraws parts of a page without leaving it: a part that shows work in progress (data-again, in ms; data-from is its
// address, if that is not the page's), and a part whose links and form lead to another view of the same page
// (data-in-place). Each has an id.

let wanted = ""; // the address requested last
let asking = false;
let next; // the timer of what shows work in progress

export function listenForRefresh() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest('[data-in-place] a[href^="?"]');
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    show(link.href);
  });
  for (const type of ["input", "submit"]) {
    document.addEventListener(type, (event) => {
      const form = event.target.closest('[data-in-place] form[method="get"]');
      if (!form) return;
      event.preventDefault();
      show(addressOf(form));
    });
  }
  document.addEventListener("news", watch); // the desk was drawn anew, perhaps with work in progress
  watch();
}

const addressOf = (form) => `${form.action}?${new URLSearchParams(new FormData(form))}`;

/** The last request wins: while waiting for an answer, remembers only the last address requested. */
async function show(address) {
  wanted = address;
  if (asking) return;
  asking = true;
  try {
    for (let shown = ""; shown !== wanted; ) {
      shown = wanted;
      await draw("[data-in-place]", shown);
    }
    history.replaceState(history.state, "", addressOf(document.querySelector('[data-in-place] form[method="get"]')));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    location.assign(wanted); // no network: the browser says so
  } finally {
    asking = false;
  }
}

/** Redraws what shows work in progress, until it is done. */
export function watch() {
  clearTimeout(next);
  const work = document.querySelector("[data-again]");
  if (!work) return;
  next = setTimeout(async () => {
    try {
      await draw("[data-again]", work.dataset.from ?? location.href);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // no network: try again later
    }
    watch();
  }, work.dataset.again);
}

/** Replaces the part with the one from the page at `address`. Opens the page if it has no such part. */
export async function draw(part, address) {
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const old = document.querySelector(part);
  const fresh = page.getElementById(old.id);
  if (!fresh) return typed() || location.assign(address);
  for (const { id } of old.querySelectorAll("details[id][open]"))
    fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  const twin = held && twinOf(held, fresh);
  if (twin) drawAround(held, twin, old);
  else old.replaceWith(fresh);
}

/** Whether opening another page would lose something that was typed or ticked. */
const typed = () =>
  [...document.querySelectorAll("input, textarea")].some(
    (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked,
  );

const twinOf = ({ id, search }, inside) =>
  id ? inside.querySelector(`#${CSS.escape(id)}`) : search && inside.querySelector(`a[href="${CSS.escape(search)}"]`);

/** Redraws everything in `part` except the element in use: replacing it would end a drag, a press or the focus. */
function drawAround(held, twin, part) {
  held.replaceChildren(...twin.childNodes);
  describe(held, twin);
  for (let old = held, fresh = twin; old !== part; old = old.parentElement, fresh = fresh.parentElement) {
    const siblings = [...fresh.parentElement.childNodes];
    const at = siblings.indexOf(fresh);
    for (const each of [...old.parentElement.childNodes]) if (each !== old) each.remove();
    old.before(...siblings.slice(0, at));
    old.after(...siblings.slice(at + 1));
    describe(old.parentElement, fresh.parentElement);
  }
}

function describe(old, fresh) {
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
}
