// Pages that the server draws: they are drawn anew when something has happened, so that what they show needs no script.
import { base } from "./api.js";
import { paint } from "./clock.js";
import { decorate, keeper, say } from "./dom.js";
import { Feed } from "./live.js";

/** Milliseconds between two looks at the server, however much happens; more where drawing takes long, so that half of the time is the reader's. */
const pause = 200;

/** What tells that something has happened: whatever changes leaves an entry, except what time alone changes. */
export const journal = { name: "journal", query: "?brief=true", event: "entry" };
export const outbox = { name: "outbox", event: "message" };

/** Takes over the figures of the navigation. */
function renewCounts(drawn) {
  const entries = (page) => [...page.querySelectorAll(".rail a, .dock a")];
  const renewed = entries(drawn);
  for (const [index, entry] of entries(document).entries()) {
    const [old, count] = [entry.querySelector(".count"), renewed[index]?.querySelector(".count")];
    if (old?.textContent === count?.textContent) continue;
    old?.remove();
    if (count) entry.append(document.importNode(count, true));
  }
}

/**
 * Asks for the page at `address()` once for everything that happened since it was asked for last, and hands it to `draw` as a document,
 * with whether the reader's own choice is the reason, unless it is the same as before; tells `gone`, where there is one, when it is not there any more. What `holds(items)`
 * says true to is not drawn. Returns the function that has the page drawn anew.
 */
export function follow(address, draw, { gone, feeds = [journal], holds } = {}) {
  let isDrawing = false;
  let isStale = false;
  let isChosen = false;
  let seen;

  async function refresh(chosen = false) {
    isStale = true;
    isChosen ||= chosen;
    if (isDrawing) return;
    isDrawing = true;
    while (isStale) {
      isStale = false;
      // A failure is left to the stream, which tells of a lost connection.
      const began = performance.now();
      await look().catch(() => undefined);
      await new Promise((resume) => setTimeout(resume, Math.max(pause, performance.now() - began)));
    }
    isDrawing = false;
  }

  async function look() {
    const chosen = isChosen;
    isChosen = false;
    const answer = await fetch(address(), { headers: { Accept: "text/html" } });
    if (answer.status === 404) gone?.();
    if (!answer.ok) return;
    const text = await answer.text();
    // Much of what happens changes nothing here.
    if (text === seen && !chosen) return;
    const drawn = new DOMParser().parseFromString(text, "text/html");
    // Frames and keys come in between.
    await breath();
    draw(drawn, chosen);
    seen = text;
    await breath();
    renewCounts(drawn);
    paint();
  }

  const changed = (items) => {
    if (!holds?.(items)) refresh();
  };
  for (const { calm = 0, ...feed } of feeds) new Feed({ ...feed, changed: calmed(changed, calm) });
  return refresh;
}

const breath = () => new Promise((resume) => setTimeout(resume));

/** Calls `changed` at once, and then for all that came within `milliseconds` at their end. */
function calmed(changed, milliseconds) {
  let kept;
  return (items) => {
    if (kept) return void kept.push(...items);
    changed(items);
    if (!milliseconds) return;
    kept = [];
    setTimeout(() => {
      const later = kept;
      kept = undefined;
      if (later.length) changed(later);
    }, milliseconds);
  };
}

/** Follows the list at `path` as the filters of the page say; they apply as they are changed. */
export function followList(page, path, draw, more) {
  const form = page.querySelector("form.filters");
  const chosen = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  const address = () => `${base}/${path}${chosen().size ? "?" + chosen() : ""}`;
  let typing;
  const refresh = follow(address, draw, more);
  form.querySelector("button").remove();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    history.replaceState(null, "", address());
    clearTimeout(typing);
    typing = setTimeout(() => refresh(true), 150);
  });
  return refresh;
}

/** A copy of a row without what the clock of the page tells: whether its code expired. */
export function untimed(row) {
  row.querySelector(".expiry:not(.used)")?.remove();
  row.querySelector("[data-state=expired]")?.removeAttribute("data-state");
  return row;
}

/**
 * A function that shows the rows of the list `id` as the server drew them in a document. Those who hear the page hear `tell(row, old)` of
 * what is new or changed; `plain(row)` takes off a copy what changes by time alone, and `adopt(row, old)` hands over what the reader did.
 */
export function rows(page, id, { tell, plain, adopt } = {}) {
  let isQuiet = false;
  let told = [];
  const show = keeper(page.querySelector(`#${id}`), {
    key: (row) => row.dataset.id,
    look: (row) => (plain ? plain(row.cloneNode(true)) : row).outerHTML,
    make(row, old, settle) {
      document.adoptNode(row);
      decorate(row);
      if (!isQuiet) told.push(tell?.(row, old));
      if (!isQuiet && !old) row.classList.add("fresh");
      if (old) adopt?.(row, old);
      // Who was in the line stays there, also when what had the focus is gone.
      if (old?.contains(document.activeElement)) settle(() => row.querySelector("summary, a, button").focus());
      return row;
    },
  });
  return (drawn, isChosen) => {
    isQuiet = isChosen;
    told = [];
    show(drawn.querySelectorAll(`#${id} > li`));
    const sentences = told.filter(Boolean);
    if (sentences.length) say(sentences.slice(0, 3).join(". ") + (sentences.length > 3 ? `, and ${sentences.length - 3} more` : ""));
  };
}

/** Shows or hides what stands where a list is empty, as the server did in `drawn`. */
export function takeOverEmptiness(drawn, ...ids) {
  for (const id of ids) document.getElementById(id).hidden = drawn.getElementById(id).hidden;
}
