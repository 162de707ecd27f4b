// Worlds: the menu in the header of every page, and the list of them, live.
import { base } from "./api.js";
import { followList, rows } from "./redraw.js";

export function startMenu() {
  const menu = document.getElementById("world-menu");
  if (menu) startSearch(menu);
  startMenus();
  // What cannot be undone is asked back here; without scripts the server asks.
  document.addEventListener("submit", (event) => {
    const { form, dataset } = event.submitter ?? {};
    if (!dataset?.ask) return;
    if (!confirm(dataset.ask)) return event.preventDefault();
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "sure", value: "yes" }));
  });
}

function startSearch(menu) {
  const form = menu.querySelector("form[role=search]");
  const list = menu.querySelector("#others");
  let typing;
  form.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(async () => {
      const answer = await fetch(`${base}/worlds?${new URLSearchParams(new FormData(form))}`, { headers: { Accept: "text/html" } });
      const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
      list.replaceChildren(...document.adoptNode(drawn.getElementById("others")).children);
    }, 150);
  });
  menu.addEventListener("toggle", () => menu.open && form.elements.q.focus());
}

/** Menus that lie over the page go away by Escape, and by a click elsewhere. */
function startMenus() {
  const opened = () => document.querySelectorAll("#world-menu[open], .drop[open]");
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of opened()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
  document.addEventListener("click", ({ target }) => {
    for (const menu of opened()) if (!menu.contains(target)) menu.open = false;
  });
}

/** Milliseconds between two looks: what happens in other worlds leaves no entry in this one. */
const pause = 3000;

export function startWorlds(page) {
  const show = rows(page, "worlds", { plain });
  const refresh = followList(page, "worlds", (drawn, isChosen) => {
    show(drawn, isChosen);
    // What is left there looks as before, but for its age.
    for (const row of drawn.querySelectorAll("#worlds > li")) {
      page.querySelector(`#worlds > [data-id="${CSS.escape(row.dataset.id)}"] .about`).textContent = row.querySelector(".about").textContent;
    }
    page.querySelector("#worlds-count").textContent = drawn.getElementById("worlds-count").textContent;
  });
  setInterval(() => document.hidden || refresh(), pause);
}

/** How old a world is, and when it was used, is no part of a line's look. */
function plain(row) {
  row.querySelector(".about").replaceChildren();
  return row;
}
