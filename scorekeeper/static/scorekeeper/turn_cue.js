// Tells players that it is their turn, by sound or vibration. Off by default; the setting stays on this phone.

const PITCH = 880; // Hz
const LENGTH = 0.25; // seconds
const SHAKES = [120, 80, 120]; // ms: vibrate, pause, vibrate

let audio = null;

export function listenForCues() {
  const cue = document.querySelector("[data-cue]");
  if (!cue) return;
  const wish = wished(cue);
  cue.hidden = false;
  cue.querySelector('[data-cue-way="shake"]').closest("label").hidden = !navigator.vibrate;
  for (const box of cue.querySelectorAll("[data-cue-way]")) box.checked = wish[box.dataset.cueWay] ?? box.checked;
  offerNames(cue, wish.who);
  cue.addEventListener("change", () => {
    keep(cue);
    if (chosen(cue)) give(cue); // play a sample; this tap also allows the browser to play sounds later
  });
  document.addEventListener("click", () => chosen(cue) && unlock());
  document.addEventListener("news", ({ target, detail }) => {
    offerNames(cue, chosen(cue));
    const { turn } = target.dataset;
    if (turn && turn !== detail.before.turn && ["*", turn].includes(chosen(cue))) give(cue);
  });
}

const chosen = (cue) => cue.querySelector("[data-cue-who]").value;

const storageKey = (cue) => `cue:${cue.dataset.cue}`;

const wished = (cue) => JSON.parse(localStorage.getItem(storageKey(cue)) ?? "{}");

function keep(cue) {
  const ways = [...cue.querySelectorAll("[data-cue-way]")].map((box) => [box.dataset.cueWay, box.checked]);
  localStorage.setItem(storageKey(cue), JSON.stringify({ who: chosen(cue), ...Object.fromEntries(ways) }));
}

/** Offers the players now at the table, and keeps the chosen player even if they have left. */
function offerNames(cue, who) {
  const select = cue.querySelector("[data-cue-who]");
  const names = [...document.querySelectorAll("[data-live] .seats .name")].map((name) => name.textContent);
  if (who && who !== "*" && !names.includes(who)) names.push(who);
  select.replaceChildren(...[...select.options].slice(0, 2), ...names.map((name) => new Option(name, name)));
  select.value = who ?? "";
}

function give(cue) {
  const on = (way) => cue.querySelector(`[data-cue-way="${way}"]`).checked;
  if (on("shake")) navigator.vibrate?.(SHAKES);
  if (on("sound")) beep();
}

/** Browsers play no sound until somebody has tapped the page. */
export function unlock() {
  audio ??= new AudioContext();
  audio.resume();
}

export function beep() {
  unlock();
  const tone = audio.createOscillator();
  const loudness = audio.createGain();
  tone.frequency.value = PITCH;
  loudness.gain.setValueAtTime(0.3, audio.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + LENGTH);
  tone.connect(loudness).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + LENGTH);
}
