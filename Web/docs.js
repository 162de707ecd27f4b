// The documentation: the list of pages beside a page shows where the reader is.

export function startDocs(page) {
  const list = page.querySelector(".docs-list");
  const here = list.querySelector("[aria-current]");
  // The page itself is not moved: a fragment of the address has done that already.
  list.scrollTop = Math.max(0, here.offsetTop - list.offsetTop - list.clientHeight / 3);
}
