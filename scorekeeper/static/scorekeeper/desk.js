// The desk of a host or director. Every step keeps the page: ticks are saved at once, and two taps or a drag swap two names.
import { markCalls } from "./calls.js";
import { dragged, listenForDrags } from "./drag.js";
import { freshKey } from "./queue.js";
import { stream } from "./stream.js";

let line = Promise.resolve(); // steps go one after the other
let latest = 0;
let newest = ""; // the stamp of the newest desk there is
let own = {}; // the number of steps that a page showed before this host's last step, and after it
let underway = []; // names that were sent and are not answered yet
let saved = []; // names that were saved, but still stand in their field
let pressing = false; // on a name, which may begin a drag

const desk = () => document.getElementById("desk");

document.addEventListener("submit", (event) => {
  const form = event.target;
  const elsewhere = event.submitter?.hasAttribute("formaction") || !form.action.endsWith("/entries/");
  if (!desk()?.contains(form) || elsewhere || event.defaultPrevented) return;
  event.preventDefault();
  if (event.submitter?.dataset.sent) return; // a second tap
  if (event.submitter) event.submitter.dataset.sent = "1";
  send(form, event.submitter);
});

document.addEventListener("change", ({ target }) => {
  if (["here", "all"].includes(target.name)) tick(target);
  if (target.closest("[data-draft]") && chosen().length === 2) swap();
  count();
});

document.addEventListener("pointerdown", ({ target }) => (pressing = Boolean(target.closest(".name-chip"))));

for (const type of ["pointerup", "pointercancel"]) {
  document.addEventListener(type, () => {
    pressing = false;
    setTimeout(refresh);
  });
}

listenForDrags("[data-draft]", () => chosen().length === 2 && swap());
document.addEventListener("dragend", () => refresh());

const chosen = () => document.querySelectorAll("[data-draft] [name=who]:checked");

function swap() {
  const button = document.querySelector("[data-draft] [name=do][value=swap]");
  send(button.form, button);
}

/** A tick on the desk is saved at once. One for many people ticks them all, and stays while all of them are ticked. */
function tick(box) {
  const among = ({ value }) => [...box.form.querySelectorAll(`[data-among~="${value}"]`)];
  if (box.name === "all") for (const each of among(box)) each.checked = box.checked;
  for (const many of box.form.querySelectorAll("[name=all]:checked")) {
    many.checked = among(many).every(({ checked }) => checked);
  }
  if (box.form.matches("[data-tick]")) send(box.form);
}

/** Posts the form and shows the page that answers, from which the next step is taken. A tick sends no names, because
 * somebody may still be typing them; any button sends them, and no name is sent twice. */
function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const names =
    button && body.has("guests") ? lines(body.get("guests")).filter((name) => !underway.includes(name)) : [];
  if (!button) body.set("do", "tick");
  if (body.has("guests")) body.set("guests", names.join("\n"));
  body.set("key", freshKey());
  const url = form.action;
  const number = ++latest;
  underway.push(...names);
  document.body.dataset.sending = "1";
  line = line
    .then(() => post(url, body))
    .then(
      ([html, ok]) => {
        underway = underway.filter((name) => !names.includes(name));
        if (ok) saved.push(...names);
        if (asks(html)) open(url, body);
        else if (number === latest) show(html, ok ? button : null);
      },
      () => notSent(form, button, names),
    );
}

/** No network: everything typed and chosen stays, and a sentence at the button says that nothing was saved. */
function notSent(form, button, names) {
  underway = underway.filter((name) => !names.includes(name));
  delete document.body.dataset.sending;
  if (button) delete button.dataset.sent;
  document.getElementById("refusal")?.remove();
  const said = document.getElementById("unheard").content.firstElementChild.cloneNode(true);
  (button ? (button.closest(".row") ?? button) : form.querySelector(".ticks")).after(said);
  said.scrollIntoView({ block: "center" });
  said.focus({ preventScroll: true });
}

const lines = (text) =>
  text
    .split("\n")
    .map((name) => name.trim())
    .filter(Boolean);

/** Whether the page asks before the step is taken: whom a name means, or whether a swap is meant. Nothing is saved then. */
const asks = (html) => html.includes("data-question");

/** Sends the form as a browser without scripts does. */
function open(url, body) {
  const form = Object.assign(document.createElement("form"), { method: "post", action: url, hidden: true });
  for (const [name, value] of body) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(form);
  form.submit();
}

/** Sends a step. One that was pressed before the last step was answered counts that step as seen, and nothing else. */
async function post(url, body) {
  const before = Number(body.get("seen"));
  if (before === own.before) body.set("seen", own.after);
  const answer = await fetch(url, { method: "POST", body, headers: { "X-CSRFToken": document.body.dataset.csrf } });
  const html = await answer.text();
  const seen = Number(html.match(/name="seen" value="(\d+)"/)?.[1]);
  const steps = body.get("guests") && body.get("do") !== "tick" ? 2 : 1;
  if (answer.ok && seen === Number(body.get("seen")) + steps) own = { before, after: seen };
  return [html, answer.ok];
}

/** The desk as it is now. What is typed and chosen stays, except in the part whose button was `pressed`, if its step was
 * taken. Names stay until they are saved. */
function show(html, pressed) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  delete document.body.dataset.sending;
  if (!fresh.getElementById("desk")) return location.reload();
  const before = desk().dataset;
  const kept = [...desk().querySelectorAll(CHOSEN)].filter((field) => changed(field) && !sameParts(field, pressed));
  const guests = unsaved(desk().querySelector("[name=guests]")?.value ?? "");
  const held = focused();
  const drew = drawing();
  const open = [...document.querySelectorAll("#desk details[open]")].map(nameOf);
  document.querySelector("main").replaceChildren(...document.importNode(fresh.querySelector("main"), true).childNodes);
  markCalls();
  for (const details of document.querySelectorAll("#desk details")) {
    if (open.includes(nameOf(details))) details.open = true;
  }
  for (const field of kept) keep(field);
  const typed = desk().querySelector("[name=guests]");
  if (typed) typed.value = guests;
  const refusal = document.getElementById("refusal");
  if (refusal) {
    refusal.scrollIntoView({ block: "center" });
    refusal.focus({ preventScroll: true });
  } else if (pressed && drawing() && !drew) {
    drawing().scrollIntoView({ block: "center" });
  } else if (held) document.querySelector(held)?.focus({ preventScroll: true });
  for (const message of document.querySelectorAll("main > .message")) {
    document.getElementById("announce").textContent = message.textContent;
  }
  desk().dispatchEvent(new CustomEvent("news", { bubbles: true, detail: { before } }));
  watchDraw();
}

const sameParts = (one, other) => one.form === other?.form && one.closest("section") === other.closest("section");

/** The text without names that were saved. While somebody types, it stays as it is. */
function unsaved(text) {
  const rest = lines(text).filter((name) => !saved.includes(name));
  const left = saved.length ? rest.join("\n") : text;
  saved = [];
  return left;
}

const nameOf = (details) => details.id || details.querySelector("summary").textContent;

const drawing = () => document.getElementById("drawing");

/** While a worker draws, the desk is asked for again every half second. */
function watchDraw() {
  if (drawing()) setTimeout(refresh, 500);
}

const CHOSEN =
  "[name=game], [name=second], [name=tables], [name=open-matches], [data-keep] [name]:not([type=hidden]):not(button)";

const ticks = ({ type }) => type === "radio" || type === "checkbox";

const changed = (field) => {
  if (ticks(field)) return field.checked !== field.defaultChecked;
  if (field.options) return ![...field.selectedOptions].every((option) => option.defaultSelected);
  return field.value !== field.defaultValue;
};

function keep(typed) {
  const { name, value, checked, form } = typed;
  const inside = (form.id && document.getElementById(form.id)) || desk();
  const field = inside.querySelector(`[name="${name}"]${ticks(typed) ? `[value="${CSS.escape(value)}"]` : ""}`);
  if (!field) return;
  if (ticks(typed)) field.checked = checked;
  else field.value = value;
}

function focused() {
  const { id, name, value, form } = document.activeElement ?? {};
  if (id) return `#${CSS.escape(id)}`;
  if (name && form?.id) return `#${CSS.escape(form.id)} [name="${CSS.escape(name)}"]`;
  return name ? `#desk [name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]` : "";
}

function count() {
  for (const output of document.querySelectorAll("[data-count]")) {
    const typed = document
      .querySelector("#guests")
      .value.split("\n")
      .filter((name) => name.trim()).length;
    output.textContent = `${document.querySelectorAll("[name=here]:checked").length + typed} ${output.dataset.count}`;
  }
}

/** Somebody else at work, or a table that ended: the page is asked for again, as soon as nothing typed would be lost. */
function follow() {
  stream(desk().dataset.desk, "desk", (data) => {
    newest = data.match(/data-stamp="([^"]*)"/)[1];
    refresh();
  });
  document.addEventListener("focusout", () => setTimeout(refresh));
}

async function refresh() {
  const typing = document.activeElement?.matches("input:not([type=checkbox], [type=radio]), select, textarea");
  const busy = typing || pressing || dragged() || chosen().length || document.body.dataset.sending;
  const newer = newest && newest !== desk().dataset.stamp;
  if (busy || !(newer || drawing())) return;
  const answer = await fetch(location.pathname.replace(/entries\/$/, "desk/"));
  const html = await answer.text();
  if (!document.body.dataset.sending && !pressing && !dragged()) show(html);
}

addEventListener("input", count);
count();
if (desk()) {
  follow();
  watchDraw();
}
