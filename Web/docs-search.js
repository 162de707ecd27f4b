// Search in the whole documentation, from its own pages: they are read when somebody begins to type, and nothing else is asked.
import { element } from "./dom.js";

/** Hits that are shown, and characters of a text around its first word. */
const limit = 20;
const around = 60;

/** A field above the list of pages; hits take the place of the list. */
export function startDocsSearch(list) {
  const pages = [...list.querySelectorAll(":scope > p a, :scope > ul > li > a")];
  const field = element("input", { type: "search", "aria-label": "Search the documentation", placeholder: "Search all pages", autocomplete: "off", spellcheck: "false" });
  const count = element("output", { class: "about", "aria-live": "polite" });
  const hits = element("ol", { class: "docs-hits", hidden: true });
  const others = [...list.children];
  list.prepend(element("p", { class: "docs-search" }, field), count, hits);
  let index;
  field.addEventListener("input", async () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    hits.hidden = words.length === 0;
    for (const other of others) other.hidden = words.length > 0;
    if (!words.length) {
      count.textContent = "";
      return;
    }
    index ??= read(pages);
    const parts = await index;
    // Who goes on typing wants what the newest words find.
    if (field.value.toLowerCase().split(/\s+/).filter(Boolean).join(" ") !== words.join(" ")) return;
    const found = search(parts, words);
    count.textContent = found.length ? `${found.length} ${found.length === 1 ? "section" : "sections"}` : "No section has these words";
    hits.replaceChildren(...found.slice(0, limit).map((part) => line(part, words)));
  });
}

/** All pages, cut at their headings. A page that cannot be read is left out. */
async function read(pages) {
  const parts = (await Promise.all(pages.map(readPage))).flat();
  return parts.map((part) => ({ ...part, low: `${part.page} ${part.title} ${part.text}`.toLowerCase() }));
}

async function readPage(page) {
  const answer = await fetch(page.href).catch(() => undefined);
  if (!answer?.ok) return [];
  const doc = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".doc");
  const parts = [];
  for (const node of doc?.children ?? []) {
    if (/^H[1-4]$/.test(node.tagName)) {
      const address = page.href.split("#")[0] + (node.tagName === "H1" ? "" : `#${node.id}`);
      parts.push({ href: address, page: page.textContent, title: node.textContent, text: "" });
    } else if (parts.length) {
      parts.at(-1).text += `${node.textContent} `;
    }
  }
  return parts;
}

/** Sections with all words, those with a word in their title first. */
function search(parts, words) {
  const found = parts.filter((part) => words.every((word) => part.low.includes(word)));
  const isTitled = (part) => words.some((word) => part.title.toLowerCase().includes(word));
  return [...found.filter(isTitled), ...found.filter((part) => !isTitled(part))];
}

function line(part, words) {
  const text = part.text.replace(/\s+/g, " ");
  const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)));
  const shown = (at > around ? "… " : "") + text.slice(Math.max(0, at - around), at + around);
  return element("li", {}, element("a", { href: part.href }, part.title), part.title === part.page ? null : element("span", { class: "about" }, part.page), element("span", { class: "words" }, shown));
}
