// The documentation: the list of pages beside a page shows where the reader is, and the long tables of the fixtures reference can be filtered.
import { startDocsSearch } from "./docs-search.js";
import { element } from "./dom.js";

export function startDocs(page) {
  const list = page.querySelector(".docs-list");
  const here = list.querySelector("[aria-current]");
  // The page itself is not moved: a fragment of the address has done that already. What was found is no page of the list.
  if (here) list.scrollTop = Math.max(0, here.offsetTop - list.offsetTop - list.clientHeight / 3);
  startDocsSearch(list);
  if (/\/docs\/fixtures-[a-z]+$/.test(location.pathname)) startFilter(page.querySelector(".doc"));
}

/** Members by any word of their row; a heading that has the words keeps all of its members. */
function startFilter(doc) {
  const parts = sections(doc);
  const field = element("input", { type: "search", placeholder: "Member or words", autocomplete: "off", spellcheck: "false" });
  const count = element("output", { class: "about", "aria-live": "polite" });
  const label = element("label", { class: "field" }, element("span", {}, "Filter"), field);
  doc.querySelector("h1").after(element("p", { class: "doc-filter" }, label, count));
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = parts.reduce((sum, part) => sum + show(part, words), 0);
    count.textContent = words.length ? `${found} ${found === 1 ? "member" : "members"}` : "";
  });
}

/** What stands below each heading, with the rows of its tables. */
function sections(doc) {
  const parts = [];
  for (const node of doc.children) {
    if (/^H[23]$/.test(node.tagName)) parts.push({ title: node.textContent.toLowerCase(), nodes: [], rows: [] });
    const part = parts.at(-1);
    if (!part) continue;
    part.nodes.push(node);
    part.rows.push(...[...node.querySelectorAll("tr")].filter((row) => row.querySelector("td")));
  }
  return parts;
}

/** Shows what has all of the words. Returns the number of rows that are left. */
function show(part, words) {
  const has = (text) => words.every((word) => text.includes(word));
  const isWhole = has(part.title);
  const left = part.rows.filter((row) => {
    row.hidden = !isWhole && !has(`${part.title} ${row.textContent.toLowerCase()}`);
    return !row.hidden;
  });
  for (const node of part.nodes) node.hidden = !isWhole && left.length === 0;
  return left.length;
}
