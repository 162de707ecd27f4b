// A thing of a list beside the list, where there is room: its page in a frame, under its own address.
import { button, element } from "./dom.js";

const lists = ["outbox", "devices", "transactions", "flows", "journal"];
const room = matchMedia("(min-width: 64rem)");
const links = ".mail .subject, .record .subject, .entry .target";

/** In the frame: nothing but the page itself, and links that leave it. */
export function startFramed() {
  if (window === window.top) return;
  document.documentElement.classList.add("framed");
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (link && !link.target && !link.getAttribute("href").startsWith("#")) link.target = "_top";
  }, true);
  // What leads elsewhere, such as to a phone that scans, leaves it too.
  document.addEventListener("submit", ({ submitter, target: form }) => {
    const address = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
    if (new URL(address, location).pathname !== location.pathname) form.target = "_top";
  }, true);
}

export function startPane(page) {
  if (!lists.includes(page?.dataset.page) || window !== window.top) return;
  const home = location.pathname;
  const main = document.getElementById("main");
  const frame = element("iframe", { title: "What was chosen" });
  const whole = element("a", { href: "#" }, "Open as a page");
  const pane = element("aside", { class: "pane", "aria-label": "What was chosen", hidden: true },
    element("header", {}, whole, button("Close", () => leave(), { "aria-keyshortcuts": "Escape" })), frame);
  let list = location.href;
  let isEntering = false;

  function show(address) {
    if (!frame.isConnected) main.append(pane);
    if (frame.getAttribute("src") !== address) frame.setAttribute("src", address);
    whole.href = address;
    pane.hidden = false;
    main.classList.add("split");
    mark(address);
  }

  function hide() {
    const link = main.querySelector(`${links}[aria-current]`) ?? main.querySelector("[aria-current]");
    pane.remove();
    frame.removeAttribute("src");
    main.classList.remove("split");
    mark();
    link?.focus();
  }

  function leave() {
    if (pane.hidden || !pane.isConnected) return;
    history.pushState(null, "", list);
    hide();
  }

  /** Who opens what is open goes there: to the main thing to do, or else to its beginning. */
  function enter() {
    // What is still on its way is gone into when it is there.
    isEntering = frame.contentWindow.location.href !== frame.src || frame.contentDocument.readyState !== "complete";
    if (isEntering) return;
    frame.contentWindow.focus();
    const inside = frame.contentDocument.querySelector("main");
    (inside.querySelector(".primary") ?? inside.querySelector("a.link") ?? inside).focus();
  }

  function mark(address) {
    for (const link of main.querySelectorAll(links)) {
      if (link.href === address) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  page.addEventListener("click", (event) => {
    const link = event.target.closest(links);
    if (!link || !room.matches || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (link.matches("[aria-current]") && pane.isConnected) return enter();
    if (location.pathname === home) list = location.href;
    if (location.href !== link.href) history.pushState({ chosen: link.href }, "", link.href);
    show(link.href);
  });
  addEventListener("popstate", () => (location.pathname === home ? hide() : show(location.href)));
  // Lines that are drawn anew have lost their mark.
  new MutationObserver(() => main.classList.contains("split") && mark(frame.getAttribute("src"))).observe(page, { childList: true, subtree: true });
  const onEscape = (event) => event.key === "Escape" && leave();
  document.addEventListener("keydown", onEscape);
  frame.addEventListener("load", () => {
    const inside = frame.contentDocument;
    inside?.addEventListener("keydown", onEscape);
    if (inside?.title) frame.title = inside.title;
    if (isEntering) enter();
  });
}
