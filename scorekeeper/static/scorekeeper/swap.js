// Replaces parts of the page with new ones from the server that have the same id.

const SETTLE = 350; // ms in which something new ignores taps that were meant for what was there before

/** Replaces the elements that have the same id as one in `html`, and lets lists grow. Returns the new elements. */
export function swap(html, pause = SETTLE) {
  const drawn = new DOMParser().parseFromString(html, "text/html");
  drawn.querySelectorAll("template[data-among]").forEach(grow);
  const whole = drawn.getElementById("main");
  const parts = whole ? [...whole.querySelectorAll("#refusal")] : [...drawn.body.children].filter((part) => part.id);
  return parts.map((part) => put(part, pause)).filter(Boolean);
}

/** Puts new elements into the list `among`, after the element with the id `after`, or else at its beginning. */
function grow({ content, dataset: { among, after } }) {
  const fresh = document.importNode(content, true);
  if (after) document.getElementById(after)?.after(fresh);
  else document.getElementById(among)?.prepend(fresh);
}

function put(part, pause) {
  const old = document.getElementById(part.id);
  if (!old) return null;
  if (part.dataset.stamp && part.dataset.stamp === old.dataset.stamp) return old; // keeps what was typed in it
  const held = old.contains(document.activeElement) ? identity(document.activeElement) : null;
  const fresh = document.importNode(part, true);
  const refusal = old.querySelector("#refusal");
  if (refusal) old.before(refusal); // it was shown where the player tapped
  old.replaceWith(fresh);
  if (fresh.id === "sheet") settle(fresh, old, held, pause);
  else if (held) find(fresh, held)?.focus({ preventScroll: true });
  tell(fresh, old);
  return fresh;
}

/** Announces news once, even if both the answer to an entry and a live update bring it. */
function tell(fresh, old) {
  const news = ["ending", "say"].filter((what) => fresh.dataset[what] && fresh.dataset[what] !== old.dataset[what]);
  if (news.length) document.getElementById("announce").textContent = news.map((what) => fresh.dataset[what]).join(". ");
  fresh.dispatchEvent(new CustomEvent("news", { bubbles: true, detail: { before: old.dataset } }));
}

function settle(sheet, old, held, pause) {
  rest(sheet, () => held && (find(sheet, held) ?? sheet.querySelector(".lit, .button:enabled")), pause);
  if (sheet.className !== old.className) scrollTo({ top: 0 });
}

/** Ignores taps for a moment. Then focuses on what `next` returns, unless something else has the focus. */
export function rest(inside, next, pause = SETTLE) {
  inside.inert = true;
  setTimeout(() => {
    inside.inert = false;
    if (document.activeElement === document.body) next?.()?.focus({ preventScroll: true });
  }, pause);
}

const identity = (element) => ({ id: element.id, name: element.name, value: element.value });

function find(inside, { id, name, value }) {
  if (id) return inside.querySelector(`#${CSS.escape(id)}`);
  return [...inside.querySelectorAll("[name]")].find((each) => each.name === name && each.value === value);
}
