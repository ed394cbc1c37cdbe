// Replaces parts of the page with new ones from the server that have the same id.

const SETTLE = 350; // ms in which something new ignores taps that were meant for what was there before
const FINGER = 40; // px: a tap this close to the last one is at the same place

let tapped = null; // the last tap that counted

/** Whoever taps quickly does not hit what has just appeared: see `rest`. */
export function listenForTaps() {
  const tap = (event) => {
    const { rests } = event.target.closest?.("[data-rests]")?.dataset ?? {};
    if (rests === undefined || !event.isTrusted || (rests === "here" && !near(event))) tapped = event;
    else {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  document.addEventListener("click", tap, true);
}

const near = ({ clientX, clientY }) =>
  tapped && Math.hypot(clientX - tapped.clientX, clientY - tapped.clientY) < FINGER;

/** Replaces the elements that have the same id as one in `html`, and lets lists grow. Returns the new elements. */
export function swap(html, pause = SETTLE, where = "") {
  const drawn = new DOMParser().parseFromString(html, "text/html");
  drawn.querySelectorAll("template[data-among]").forEach(grow);
  const whole = drawn.getElementById("main");
  const parts = whole ? [...whole.querySelectorAll("#refusal")] : [...drawn.body.children].filter((part) => part.id);
  return parts.map((part) => put(part, pause, where)).filter(Boolean);
}

/** Puts new elements into the list `among`, after the element with the id `after`, or else at its beginning. */
function grow({ content, dataset: { among, after } }) {
  const fresh = document.importNode(content, true);
  if (after) document.getElementById(after)?.after(fresh);
  else document.getElementById(among)?.prepend(fresh);
}

function put(part, pause, where) {
  const old = document.getElementById(part.id);
  if (!old) return null;
  if (part.dataset.stamp && part.dataset.stamp === old.dataset.stamp) return old; // keeps what was typed in it
  const held = old.contains(document.activeElement) ? identity(document.activeElement) : null;
  const fresh = document.importNode(part, true);
  const refusal = old.querySelector("#refusal");
  if (refusal) old.before(refusal); // it was shown where the player tapped
  old.replaceWith(fresh);
  for (const { id } of [old, ...old.querySelectorAll(".part")].filter((each) => each.matches(".part[open]"))) {
    document.getElementById(id)?.setAttribute("open", "");
  }
  if (fresh.id === "sheet") settle(fresh, old, held, pause, where);
  else if (held) (fresh.querySelector(held) ?? document.getElementById("main")).focus({ preventScroll: true });
  tell(fresh, old);
  return fresh;
}

/** Announces news once, even if both the answer to an entry and a live update bring it. */
function tell(fresh, old) {
  const news = ["ending", "say"].filter((what) => fresh.dataset[what] && fresh.dataset[what] !== old.dataset[what]);
  if (news.length) document.getElementById("announce").textContent = news.map((what) => fresh.dataset[what]).join(". ");
  fresh.dispatchEvent(new CustomEvent("news", { bubbles: true, detail: { before: old.dataset } }));
}

function settle(sheet, old, held, pause, where) {
  rest(sheet, () => held && (usable(sheet.querySelector(held)) ?? nextTap(sheet)), pause, where);
  // Where only results are entered, each is followed by the next one: the class stays.
  const next = sheet.className !== old.className || sheet.dataset.handNumber !== old.dataset.handNumber;
  if (next) scrollTo({ top: 0 });
}

/** Loads the page again, at its top, where it says what has happened: browsers come back to where it was scrolled to. */
export function reload() {
  scrollTo({ top: 0 });
  location.reload();
}

/** Ignores taps for a moment; if `where` is "here", only those at the place of the last one. Focuses on what `next`
 * returns, unless something else has the focus. */
export function rest(inside, next, pause = SETTLE, where = "") {
  inside.dataset.rests = where;
  setTimeout(() => delete inside.dataset.rests, pause);
  if (document.activeElement === document.body || !document.activeElement.checkVisibility())
    next?.()?.focus({ preventScroll: true });
}

const usable = (control) => (control?.checkVisibility() && !control.disabled ? control : null);

/** What the next player taps first. */
const nextTap = (sheet) =>
  [...sheet.querySelectorAll(".lit, form.play :is(button, a), :is(.button, input, summary)")].find(usable);

/** A selector that finds the same control on the next page. */
function identity(control) {
  if (control.id) return `#${CSS.escape(control.id)}`;
  const names = ["data-tile", "data-card", "data-cell", "data-face", "data-suit", "href"];
  const name = names.find((each) => control.hasAttribute(each));
  return [name, ...(name ? [] : ["name", "value"])].reduce(
    (selector, each) => `${selector}[${each}="${CSS.escape(control.getAttribute(each) ?? "")}"]`,
    ":is(a, button, input, select, textarea)",
  );
}
