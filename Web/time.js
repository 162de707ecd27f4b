// The page of the clock: what expires next, live. The ways to move the clock are forms and need no script.
import { base } from "./api.js";
import { watchClock } from "./clock.js";
import { pieces } from "./records.js";
import { follow } from "./redraw.js";

export function startTime(page) {
  follow(() => `${base}/time`, pieces(page, still));
  watchClock((now) => {
    const face = page.querySelector(".now time");
    const iso = new Date(now).toISOString();
    face.dateTime = iso;
    face.textContent = iso.slice(0, 19).replace("T", " ");
  });
}

/** The face of the clock ticks by itself. */
function still(piece) {
  piece.querySelector(".now time")?.remove();
  return piece;
}
