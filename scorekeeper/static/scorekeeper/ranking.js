// A ranking that is kept open: fetches itself again when matches have ended, marks who has moved and says who rose.
import { draw, watch } from "./refresh.js";
import { changed } from "./where.js";

const MARKED = 3000; // ms
const SAID = 3; // people at a time

const places = () =>
  new Map([...document.querySelectorAll("#ranking [data-person]")].map((row) => [row.dataset.person, row]));

let before = new Map([...places()].map(([person, row]) => [person, Number(row.dataset.place)]));
let asking = false;
let again = false;

document.addEventListener("news", ({ target }) => target.id === "ranking-news" && refresh());

/** Never twice at the same time: news that arrive meanwhile are fetched afterwards. */
async function refresh() {
  again = true;
  if (asking) return;
  asking = true;
  try {
    while (again) {
      again = false;
      await draw("#ranking", location.href);
    }
    watch(); // ratings may be calculated again
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network: the stream brings the news again
  } finally {
    asking = false;
  }
}

changed(() => {
  const rows = places();
  const moved = [...rows].filter(([person, row]) => before.get(person) !== Number(row.dataset.place));
  if (!moved.length) return;
  const rose = moved.filter(([person, row]) => before.get(person) > Number(row.dataset.place));
  before = new Map([...rows].map(([person, row]) => [person, Number(row.dataset.place)]));
  for (const [, row] of moved) {
    row.classList.add("just-moved");
    setTimeout(() => row.classList.remove("just-moved"), MARKED);
  }
  const { rose: words } = document.getElementById("ranking").dataset;
  const said = rose.slice(0, SAID).map(([, row]) => sentence(words, row));
  if (said.length) document.getElementById("announce").textContent = said.join(" ");
});

const sentence = (words, row) =>
  words.replace("{place}", row.dataset.place).replace("{name}", row.querySelector("bdi").textContent);

// Another choice of games applies at once.
document.getElementById("id_of")?.addEventListener("change", ({ target }) => target.form.requestSubmit());

// Addresses without what was left empty are shorter, and the same for everybody.
document.getElementById("filters")?.addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData]) if (!value) formData.delete(name);
});
