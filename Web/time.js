// The page of the clock: what expires next, live. The ways to move the clock are forms and need no script.
import { base } from "./api.js";
import { watchClock } from "./clock.js";
import { keeper } from "./dom.js";
import { piece } from "./records.js";
import { follow } from "./redraw.js";

export function startTime(page) {
  const show = keeper(page.querySelector("#pieces"));
  follow(() => `${base}/time`, (drawn) => {
    show([...drawn.querySelectorAll("#pieces > *")].map((node) => {
      const made = piece(node, page);
      // The face of the clock ticks by itself.
      const still = node.cloneNode(true);
      still.querySelector(".now time")?.remove();
      return { ...made, look: still.outerHTML };
    }));
  });
  watchClock((now) => {
    const face = page.querySelector(".now time");
    const iso = new Date(now).toISOString();
    face.dateTime = iso;
    face.textContent = iso.slice(0, 19).replace("T", " ");
  });
}
