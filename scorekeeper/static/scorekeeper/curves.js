// The curves of ratings and of a hand by keyboard: the Tab key stops once at a curve, arrows move along its dots.

const CURVE = ".rating-line, .standing-line";

export function listenOnCurves() {
  document.addEventListener("focusin", ({ target }) => {
    for (const dot of dotsAround(target)) dot.tabIndex = dot === target ? 0 : -1;
  });
  document.addEventListener("keydown", (event) => {
    const dots = dotsAround(event.target);
    const here = dots.indexOf(event.target);
    const next = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: dots.length - 1 }[event.key];
    if (here < 0 || !dots[next] || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    dots[next].focus();
  });
}

const dotsAround = (target) => [...(target.closest?.(CURVE)?.querySelectorAll("a") ?? [])];
