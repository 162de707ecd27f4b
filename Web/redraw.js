// Pages that the server draws: they are drawn anew when something has happened, so that what they show needs no script.
import { base } from "./api.js";
import { paint } from "./clock.js";
import { Feed } from "./live.js";

/** Milliseconds between two looks at the server, however much happens. */
const pause = 200;

/**
 * Asks for the page at `address()` once for everything that happened since it was asked for last, and hands it to `draw` as a document;
 * tells `gone`, where there is one, when it is not there any more. Returns the function that has it drawn anew.
 */
export function follow(address, draw, gone) {
  let isDrawing = false;
  let isStale = false;

  async function refresh() {
    isStale = true;
    if (isDrawing) return;
    isDrawing = true;
    while (isStale) {
      isStale = false;
      // A failure is left to the stream, which tells of a lost connection.
      await look().catch(() => undefined);
      await new Promise((resume) => setTimeout(resume, pause));
    }
    isDrawing = false;
  }

  async function look() {
    const answer = await fetch(address(), { headers: { Accept: "text/html" } });
    if (answer.status === 404) gone?.();
    if (!answer.ok) return;
    draw(new DOMParser().parseFromString(await answer.text(), "text/html"));
    paint();
  }

  // Whatever changes leaves an entry, except what time alone changes.
  new Feed({ name: "journal", key: "entries", event: "entry", limit: 1, changed: refresh });
  return refresh;
}

/** Follows the list at `path` as the filters of the page say; they apply as they are changed. */
export function followList(page, path, draw) {
  const form = page.querySelector("form.filters");
  const chosen = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  const address = () => `${base}/${path}${chosen().size ? "?" + chosen() : ""}`;
  let typing;
  const refresh = follow(address, draw);
  form.querySelector("button").remove();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    history.replaceState(null, "", address());
    clearTimeout(typing);
    typing = setTimeout(refresh, 150);
  });
  return refresh;
}

/** Shows or hides what stands where a list is empty, as the server did in `drawn`. */
export function takeOverEmptiness(drawn, ...ids) {
  for (const id of ids) document.getElementById(id).hidden = drawn.getElementById(id).hidden;
}
