// Makes elements and keeps lists. Text goes in as text, never as markup: nothing a client sent can become an element.

/** An element with attributes (null and false leave one out, true is an empty one) and children, which are nodes or text. */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null && child !== ""));
  return node;
}

/** A button with a visible text and, where that does not say enough, a name for those who hear it. */
export function button(text, action, attributes = {}) {
  const node = element("button", { type: "button", ...attributes }, text);
  node.addEventListener("click", action);
  return node;
}

/**
 * A function that shows in `list` what the server drew anew: `key(node)` says which thing it is, and what has the same `look(node)` as before keeps its
 * element. For what looks otherwise, or is new, `make(node, old, settle)` gets the node ready; what it gives to `settle` is done as soon as all stand in
 * the list, before a key that is pressed meanwhile arrives. Has to be called before anything is added to what stands in the list.
 */
export function keeper(list, { key, look, make }) {
  const seen = (node) => [key(node), { look: look(node), node }];
  let rows = new Map([...list.children].map(seen));
  return (nodes) => {
    const settled = [];
    const next = [...nodes].map(seen).map(([name, row]) => {
      const old = rows.get(name);
      return [name, old?.look === row.look ? old : { ...row, node: make(row.node, old?.node, (action) => settled.push(action)) }];
    });
    rows = new Map(next);
    reconcile(list, [...rows.values()].map(({ node }) => node));
    for (const action of settled) action();
  };
}

/** Gives `list` exactly the children `wanted`, moving none that is in its place, so that focus and scrolling stay. */
function reconcile(list, wanted) {
  const kept = new Set(wanted);
  for (const child of [...list.children]) if (!kept.has(child)) child.remove();
  let place = list.firstElementChild;
  for (const node of wanted) {
    if (node === place) place = place.nextElementSibling;
    else list.insertBefore(node, place);
  }
}

/** What a person calls what is copied: the name that `data-copy` gives it, or the thing itself. */
function named(node) {
  if (node.dataset.copy || node.matches("pre")) return node.dataset.copy || "the command";
  // Nobody wants to hear a key of thousands of characters.
  return node.textContent.length > 80 ? `${node.textContent.slice(0, 40)}…` : node.textContent;
}

/** Puts a copy button beside every element of `root` that asks for one. */
export function decorate(root) {
  for (const node of root.querySelectorAll("[data-copy]")) {
    if (node.parentElement.classList.contains("copyable")) continue;
    const box = element(node.matches("pre") ? "div" : "span", { class: "copyable" });
    node.replaceWith(box);
    // What is wider than the page is scrolled by keys too.
    if (node.matches("pre")) node.tabIndex = 0;
    box.append(node, button("Copy", () => copy(node), { class: "copy", "aria-label": `Copy ${named(node)}` }));
  }
  return root;
}

/** Copies the text of `node` and says so on its button and to screen readers. */
export async function copy(node) {
  const done = await write(node);
  const label = node.parentElement.querySelector(".copy");
  label.textContent = done ? "Copied" : "Press Ctrl+C";
  label.classList.toggle("done", done);
  if (done) say(`Copied ${named(node)}`);
  setTimeout(() => {
    label.textContent = "Copy";
    label.classList.remove("done");
  }, 1500);
}

/** The clipboard is there on secure origins only; elsewhere (a phone on the local network) the older way, which leaves the text selected. */
async function write(node) {
  try {
    await navigator.clipboard.writeText(node.dataset.whole ?? node.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(node);
    return document.execCommand("copy");
  }
}

/** Tells screen readers. */
export function say(text) {
  document.getElementById("say").textContent = text;
}

/** Shows a sentence in the bar below the header; an empty one takes the bar away. */
export function warn(text, ...more) {
  const bar = document.getElementById("lost");
  bar.hidden = text === "";
  bar.replaceChildren(text, ...more);
}

/** Runs `action` for a click and shows why it failed. */
export function attempt(action) {
  return async () => {
    try {
      await action();
      warn("");
    } catch (error) {
      warn(error.message);
    }
  };
}
