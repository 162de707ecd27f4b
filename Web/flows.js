// Flows: the list and one flow's drawing, live. The server draws both; here they are only shown anew.
import { base } from "./api.js";
import { follow, followList, rows, takeOverEmptiness } from "./redraw.js";

export function startFlows(page) {
  const show = rows(page, "flows");
  followList(page, "flows", (drawn, isChosen) => {
    show(drawn, isChosen);
    takeOverEmptiness(drawn, "flows-empty", "flows-nothing");
    page.querySelector("#flows-hidden").replaceWith(document.adoptNode(drawn.querySelector("#flows-hidden")));
  });
}

export function startFlow(page) {
  const parts = ["#drawing", "#drawing-beside", "#difference", "#flow-text", "#flow-mermaid", "h1"];
  follow(() => `${base}/flows/${page.dataset.id}${location.search}`, (drawn) => {
    for (const part of parts) {
      const [here, there] = [page, drawn].map((root) => root.querySelector(part));
      // Who is in the drawing or has marked text stays there while nothing changes.
      if (here && there && here.innerHTML !== there.innerHTML) replace(here, there);
    }
  });
}

/** Takes over what is drawn; a link that has the focus keeps it. */
function replace(here, there) {
  const at = [...here.querySelectorAll("a")].indexOf(document.activeElement);
  here.replaceChildren(...[...there.childNodes].map((node) => document.adoptNode(node)));
  if (at >= 0) here.querySelectorAll("a")[at]?.focus();
}
