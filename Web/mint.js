// The mint: the fields of a kind as soon as it is chosen.
export function startMint(page) {
  const form = page.querySelector("#mint-kind");
  if (!form) return;
  form.querySelector("button").remove();
  form.addEventListener("change", () => form.submit());
}
