// Lines of the journal, as the server draws them. What is inside of one is asked for when it is first looked at; most never are.
import { decorate } from "./dom.js";
import { rows } from "./redraw.js";

/** A function that shows the entries of a document in the list of `page`. */
export function entryRows(page) {
  page.addEventListener("toggle", ({ target }) => target.open && fill(target), true);
  return rows(page, "entries", { adopt: handOver });
}

/** What is unfolded stays so. */
function handOver(row, old) {
  const [heir, details] = [row, old].map((one) => one.querySelector("details"));
  if (!heir || !details?.open) return;
  heir.open = true;
  const inside = details.querySelector(".exchange");
  if (inside) heir.querySelector(".more").replaceWith(inside);
}

/** Shows request and response in the place of the link that leads to them. */
async function fill(details) {
  const link = details.querySelector(".more a");
  if (!link) return;
  const answer = await fetch(link.href, { headers: { Accept: "text/html" } }).catch(() => undefined);
  // Where it cannot be had, the link stays and tells why.
  if (!answer?.ok || !link.isConnected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  link.closest(".more").replaceWith(decorate(document.adoptNode(page.querySelector(".exchange"))));
}
