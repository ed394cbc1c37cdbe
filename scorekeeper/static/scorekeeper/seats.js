// If one phone lies on the table for everybody, turns the page to the current player. If each player has a phone, marks
// that player's seat.

// number of seats → the edge of each seat, clockwise from the lower one
const QUARTERS = { 2: [0, 2], 3: [0, 1, 3], 4: [0, 1, 2, 3] };

export function listenForSeats() {
  const box = document.querySelector("[data-turning]");
  if (box) offer(box);
  if (!box && !mine()) return;
  // The turn changes with a new sheet from the server, or with the phone's own guess when offline.
  new MutationObserver(show).observe(document.getElementById("main"), {
    subtree: true,
    childList: true,
    attributeFilter: ["class"],
  });
  show();
}

const mine = () => document.querySelector("[data-mine]");

const seats = () => [...document.querySelectorAll("#sheet .seats li")];

const nameOf = (seat) => seat.querySelector(".name").textContent;

function offer(box) {
  box.hidden = false;
  const wish = wished(box);
  box.querySelector("[data-turning-on]").checked = Boolean(wish.on);
  box.addEventListener("change", () => {
    const on = box.querySelector("[data-turning-on]").checked;
    const bottom = box.querySelector("[data-turning-bottom]").value;
    localStorage.setItem(storageKey(box), JSON.stringify({ on, bottom }));
    show();
  });
}

const storageKey = (box) => `turning:${box.dataset.turning}`;

const wished = (box) => JSON.parse(localStorage.getItem(storageKey(box)) ?? "{}");

function show() {
  const box = document.querySelector("[data-turning]");
  if (box) turn(box);
  if (mine()) mark(mine());
}

function turn(box) {
  const { on, bottom } = wished(box);
  const names = seats().map(nameOf);
  const select = box.querySelector("select");
  if (`${[...select.options].map((option) => option.value)}` !== `${names}`) {
    select.replaceChildren(...names.map((name) => new Option(name, name)));
  }
  const lowest = Math.max(0, names.indexOf(bottom));
  select.selectedIndex = names.length ? lowest : -1;
  const playing = seats().findIndex((seat) => seat.matches(".turn"));
  const edges = QUARTERS[names.length];
  const quarter = on && playing >= 0 && edges ? edges[(playing - lowest + names.length) % names.length] : 0;
  const page = document.documentElement;
  if (page.dataset.turned === `${quarter}`) return;
  page.dataset.turned = quarter;
  document.body.scrollTop = 0;
}

function mark(holder) {
  const { mine: name, yourTurn } = holder.dataset;
  for (const seat of seats()) seat.classList.toggle("mine", nameOf(seat) === name);
  const turn = Boolean(document.querySelector("#sheet .seats .mine.turn"));
  document.documentElement.classList.toggle("my-turn", turn);
  const line = document.querySelector("#sheet .saying > b");
  if (turn && line && line.textContent !== yourTurn) line.textContent = yourTurn;
}
