// Phones: the list and the page of one, both live. Their forms are sent as they are; a pad of digits stands below each field for a PIN, and
// codes are scanned from pictures and by the camera.
import { base, call } from "./api.js";
import { attempt, button, element, keeper } from "./dom.js";
import { piece } from "./records.js";
import { follow, journal, outbox } from "./redraw.js";

export function startPhones(page) {
  start(page, `${base}/phones`);
}

export function startPhone(page) {
  start(page, `${base}/phones/${encodeURIComponent(page.dataset.name)}`);
}

function start(page, address) {
  const show = keeper(page.querySelector("#pieces"));
  addPads(page);
  addCamera(page);
  follow(() => address, (drawn) => {
    const open = [...page.querySelectorAll("details[open] > summary")].map((node) => node.textContent);
    show([...drawn.querySelectorAll("#pieces > *")].map((node) => piece(node, page)));
    for (const node of page.querySelectorAll("details > summary")) node.parentElement.open ||= open.includes(node.textContent);
    addPads(page);
    addCamera(page);
  }, { gone: () => location.assign(`${base}/phones`), feeds: [journal, outbox] });
}

/** Digits to press, for those who hold the phone in their hand; the keyboard types into the field itself. */
function addPads(page) {
  for (const field of page.querySelectorAll(".handset input[inputmode=numeric]")) {
    const form = field.closest("form");
    if (form.querySelector(".pad")) continue;
    const type = (digit) => () => (field.value += digit);
    const keys = [..."1234567890"].map((digit) => button(digit, type(digit)));
    keys.push(button("\u232b", () => (field.value = field.value.slice(0, -1)), { "aria-label": "Delete the last digit" }));
    field.closest("label").after(element("div", { class: "pad", role: "group", "aria-label": "Digits" }, ...keys));
  }
}

/** Ways to bring a picture of a code: a file, something pasted, and the camera where the browser knows codes. */
function addCamera(page) {
  const form = page.querySelector("form[aria-label=Scan]");
  if (!form || form.querySelector("[type=file]")) return;
  const file = element("input", { type: "file", accept: "image/*" });
  file.addEventListener("change", () => file.files[0] && attempt(() => scan(page, form, file.files[0]))());
  form.addEventListener("paste", (event) => {
    const picture = [...event.clipboardData.files].find((one) => one.type.startsWith("image/"));
    if (!picture) return;
    event.preventDefault();
    attempt(() => scan(page, form, picture))();
  });
  form.append(element("label", { class: "field long" }, element("span", {}, "Or a picture of the code, chosen here or pasted above"), file));
  if (!("BarcodeDetector" in window) || !navigator.mediaDevices) return;
  form.append(button("Use the camera", attempt(() => watch(form))));
}

/** Scans a picture: read here where the browser can, or else by Understudy, which reads its own. */
async function scan(page, form, picture) {
  const text = await read(picture);
  if (text) return send(form, text);
  const url = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result));
    reader.readAsDataURL(picture);
  });
  const body = { text: url };
  for (const name of ["pin", "otp", "puk"]) if (form.elements[`input.${name}`].value) body[name] = form.elements[`input.${name}`].value;
  const report = await call("POST", `phones/${encodeURIComponent(page.dataset.name)}/scan`, { body });
  page.querySelectorAll(".told, .refusal").forEach((node) => node.remove());
  page.querySelector("#pieces").before(element("p", { class: "told", role: "status" }, report.detail));
}

/** The text of the first code in a picture; nothing where the browser knows no codes, or sees none. */
async function read(picture) {
  if (!("BarcodeDetector" in window) || picture.type === "image/svg+xml") return undefined;
  const found = await new BarcodeDetector({ formats: ["qr_code"] }).detect(await createImageBitmap(picture));
  return found[0]?.rawValue;
}

function send(form, text) {
  form.elements["input.text"].value = text;
  form.requestSubmit(form.querySelector("[name=action][value=scan]"));
}

/** Looks through the camera until it sees a code. */
async function watch(form) {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  const video = element("video", { autoplay: true, muted: true, playsinline: true });
  video.srcObject = stream;
  form.append(video);
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  const look = async () => {
    const found = video.readyState < 2 ? [] : await detector.detect(video);
    if (!found.length && form.isConnected) return setTimeout(look, 200);
    stream.getTracks().forEach((track) => track.stop());
    video.remove();
    if (found.length) send(form, found[0].rawValue);
  };
  look();
}
