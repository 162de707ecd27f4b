// Faults: the list, live, with how often each struck, and deleted without leaving the page. The form that adds one needs no script.
import { base, call } from "./api.js";
import { attempt } from "./dom.js";
import { follow, rows, takeOverEmptiness } from "./redraw.js";

export function startFaults(page) {
  const show = rows(page, "faults", { tell });
  const refresh = follow(() => `${base}/faults`, (drawn) => {
    show(drawn, false);
    takeOverEmptiness(drawn, "faults-empty", "faults-clear");
  });
  remove(page.querySelector("#faults"), (form) => `faults/${encodeURIComponent(form.elements.name.value)}`);
  remove(page.querySelector("#faults-clear"), () => "faults");

  function remove(place, path) {
    place.addEventListener("submit", (event) => {
      event.preventDefault();
      event.stopPropagation();
      const { ask } = event.submitter?.dataset ?? {};
      if (ask && !confirm(ask)) return;
      attempt(async () => {
        await call("DELETE", path(event.target));
        refresh();
      })();
    });
  }
}

function tell(row) {
  const [struck, name] = [".outcome", ".subject"].map((part) => row.querySelector(part).textContent);
  return `${name}: ${struck}`;
}
