// One message: delete it. The views of it are links and need no script.
import { base, call } from "./api.js";
import { attempt, button } from "./dom.js";

export function startMail(page) {
  const remove = button("Delete", attempt(async () => {
    await call("DELETE", `outbox/${page.dataset.id}`);
    location.assign(`${base}/outbox`);
  }));
  page.querySelector(".lead").append(remove);
}
