// One message: delete it. The views of it are links and need no script.
import { base, call } from "./api.js";
import { attempt, button } from "./dom.js";

export function startMail(page) {
  const remove = button("Delete", attempt(async () => {
    if (!confirm("Delete this message? Its code or link can still be used, but nobody will read it.")) return;
    await call("DELETE", `outbox/${page.dataset.id}`);
    location.assign(`${base}/outbox`);
  }), { class: "grave" });
  page.querySelector(".lead").append(remove);
}
