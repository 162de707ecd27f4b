// Search in the whole documentation, beside each page: the program reads all of its text, which it carries, and answers with the sections.
import { base } from "./api.js";
import { element } from "./dom.js";

/** The field above the list of pages; hits take the place of the list. */
export function startDocsSearch(list) {
  const form = list.querySelector(".docs-search");
  const field = form.querySelector("input");
  const count = element("output", { class: "about", "aria-live": "polite" });
  const hits = element("ol", { class: "docs-hits", hidden: true });
  const others = [...list.children].filter((child) => child !== form);
  form.after(count, hits);
  let running = new AbortController();

  async function search() {
    running.abort();
    const words = field.value.trim();
    const show = (isSearch) => {
      hits.hidden = !isSearch;
      for (const other of others) other.hidden = isSearch;
    };
    if (!words) {
      count.textContent = "";
      return show(false);
    }
    running = new AbortController();
    const { signal } = running;
    // Who goes on typing wants what the newest words find.
    const answer = await fetch(`${base}/docs?q=${encodeURIComponent(words)}`, { signal, headers: { Accept: "text/html" } }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (signal.aborted) return;
    if (!answer?.ok || text === undefined) {
      count.textContent = "Understudy does not answer";
      return;
    }
    const found = new DOMParser().parseFromString(text, "text/html").querySelector(".doc");
    count.textContent = found.querySelector("#docs-count").textContent;
    hits.replaceChildren(...found.querySelector(".docs-hits").children);
    show(true);
  }

  field.addEventListener("input", search);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
}
