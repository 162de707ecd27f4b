// Phones: the list and the page of one, both live. Their forms are sent as they are; a pad of digits stands below each field for a PIN, and
// codes are scanned from pictures and by the camera.
import { base, call } from "./api.js";
import { watchClock } from "./clock.js";
import { attempt, button, element } from "./dom.js";
import { pieces, unsigned } from "./records.js";
import { follow, journal, outbox } from "./redraw.js";

export function startPhones(page) {
  start(page, `${base}/phones`);
}

export function startPhone(page) {
  const { address, name } = page.dataset;
  const home = `${base}/phones/${encodeURIComponent(name)}`;
  start(page, address, address === home ? `${base}/phones` : home);
}

/** Where it is `gone`, another page takes its place. */
function start(page, address, gone = `${base}/phones`) {
  const show = pieces(page, plain);
  const add = () => {
    addPads(page);
    addCamera(page);
    filterCodes(page);
  };
  add();
  watchClock((now) => {
    for (const hour of page.querySelectorAll(".hour")) tellHour(hour, now);
  });
  follow(() => address, (drawn) => {
    show(drawn);
    add();
  }, { gone: () => location.assign(gone), feeds: [journal, outbox] });
}

/** Shows the time on the phone's own clock, which may be ahead of the world's. */
function tellHour(hour, now) {
  const time = new Date(now + Number(hour.dataset.ahead) * 1000);
  if (Number.isNaN(time.getTime())) return;
  const text = time.toISOString().slice(11, 16);
  if (hour.textContent !== text) hour.textContent = text;
}

/** What is new in a code each time, and what the phone's clock says, are no part of how the page looks. */
function plain(piece) {
  for (const hour of piece.querySelectorAll(".hour")) hour.textContent = "";
  for (const text of piece.querySelectorAll("input[name='input.text']")) text.setAttribute("value", unsigned(text.value));
  return piece;
}

/** The search of codes hides what does not say its words; the server does the same where there is no script. */
function filterCodes(page) {
  const form = page.querySelector("form[role=search]");
  if (!form || form.dataset.started) return choose(page, form);
  form.dataset.started = "yes";
  form.querySelector("button").remove();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => choose(page, form));
  choose(page, form);
}

function choose(page, form) {
  const words = form?.elements.q.value.trim().toLowerCase() ?? "";
  for (const group of page.querySelectorAll(".picks")) {
    const title = group.querySelector("h3").textContent;
    const lines = [...group.querySelectorAll(".pick")];
    for (const line of lines) line.hidden = !`${title} ${line.querySelector("span").textContent}`.toLowerCase().includes(words);
    group.hidden = lines.every((line) => line.hidden);
  }
}

/** Digits to press, for those who hold the phone in their hand; the keyboard types into the field itself. */
function addPads(page) {
  for (const field of page.querySelectorAll(".request input[inputmode=numeric]")) {
    const form = field.closest("form");
    if (form.contains(document.activeElement)) form.dataset.pad = "shown";
    if (form.querySelector(".pad")) continue;
    field.addEventListener("focus", () => (form.dataset.pad = "shown"));
    const type = (digit) => () => (field.value += digit);
    const keys = [..."1234567890"].map((digit) => button(digit, type(digit)));
    keys.push(button("\u232b", () => (field.value = field.value.slice(0, -1)), { "aria-label": "Delete the last digit" }));
    field.closest("label").after(element("div", { class: "pad", role: "group", "aria-label": "Digits" }, ...keys));
  }
}

/** Ways to bring a picture of a code: a file, something pasted, and the camera where the browser knows codes. */
function addCamera(page) {
  const form = scanner(page);
  if (!form || form.querySelector("[type=file]")) return;
  const file = element("input", { type: "file", accept: "image/*" });
  file.addEventListener("change", () => file.files[0] && attempt(() => scan(page, file.files[0]))());
  form.addEventListener("paste", (event) => {
    const picture = [...event.clipboardData.files].find((one) => one.type.startsWith("image/"));
    if (!picture) return;
    event.preventDefault();
    attempt(() => scan(page, picture))();
  });
  form.append(element("label", { class: "field long" }, element("span", {}, "Or an image of the code, chosen here or pasted above"), file));
  const missing = obstacle();
  if (missing) return form.append(element("p", { class: "hint" }, missing));
  camera.start = button("Use the camera", attempt(() => watch(page)));
  form.append(camera.start);
  showCamera(page);
}

/** Why the camera is of no use here; an empty text where it is. */
function obstacle() {
  if (!navigator.mediaDevices) return "Browsers allow the camera only on https pages and on localhost.";
  return "BarcodeDetector" in window ? "" : NO_READER;
}

const NO_READER = "This browser cannot read codes through the camera (it has no BarcodeDetector). Choose an image of the code, or paste its text.";

/** Scans a picture: read here where the browser can, or else by Understudy, which reads its own. */
async function scan(page, picture) {
  const text = await read(picture);
  if (text) return send(page, text);
  const url = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result));
    reader.readAsDataURL(picture);
  });
  const form = scanner(page), body = { text: url };
  for (const name of ["pin", "otp", "puk"]) if (form.elements[`input.${name}`].value) body[name] = form.elements[`input.${name}`].value;
  const report = await call("POST", `phones/${encodeURIComponent(page.dataset.name)}/scan`, { body });
  page.querySelectorAll(".told, .refusal").forEach((node) => node.remove());
  page.querySelector("#pieces").before(element("p", { class: "told", role: "status" }, report.detail));
}

/** What reads codes; nothing where the browser knows none. */
async function reader() {
  if (!("BarcodeDetector" in window)) return undefined;
  const formats = await BarcodeDetector.getSupportedFormats();
  return formats.includes("qr_code") ? new BarcodeDetector({ formats: ["qr_code"] }) : undefined;
}

/** The text of the first code in a picture; nothing where the browser knows no codes, or sees none. */
async function read(picture) {
  const detector = picture.type === "image/svg+xml" ? undefined : await reader();
  const found = (await detector?.detect(await createImageBitmap(picture))) ?? [];
  return found[0]?.rawValue;
}

/** Sends a code as if it had been typed. */
function send(page, text) {
  const form = scanner(page);
  form.elements["input.text"].value = text;
  form.requestSubmit(form.querySelector("[name=action][value=scan]"));
}

/** The camera: whether somebody wants it on, its stream and the view of it once it is, and its button in the form as it was drawn last. */
const camera = { isWanted: false, stream: undefined, view: undefined, start: undefined };

/** Looks through the camera until it sees a code, or somebody has enough of it; the camera is off then, whatever came of it. */
async function watch(page) {
  camera.isWanted = true;
  showCamera(page);
  try {
    const detector = await reader();
    if (!detector) throw new Error(NO_READER);
    camera.stream = await open();
    camera.view = look(camera.stream);
    showCamera(page);
    const text = await firstCode(detector, camera);
    if (text) send(page, text);
  } finally {
    camera.stream?.getTracks().forEach((track) => track.stop());
    camera.view?.remove();
    Object.assign(camera, { isWanted: false, stream: undefined, view: undefined });
    showCamera(page);
  }
}

/** Puts the view into the form, which may have been drawn anew meanwhile, as it is when the very code is made that the camera waits for. */
function showCamera(page) {
  camera.start.disabled = camera.isWanted;
  if (!camera.view || camera.view.isConnected) return;
  scanner(page).append(camera.view);
  // A video that is taken out of the page stops there; and it may be taken out again before it plays.
  camera.view.querySelector("video").play().catch(() => undefined);
}

/** The form for codes as it was drawn last; the list of phones has none. */
function scanner(page) {
  return page.querySelector("form[aria-label=Scan]");
}

/** The camera's stream, or why there is none. */
async function open() {
  try {
    return await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch (error) {
    const reasons = {
      NotAllowedError: "The browser does not let this page use the camera. Allow it in the browser's settings for this site, or choose a picture of the code.",
      NotFoundError: "The browser finds no camera. Choose an image of the code, or paste its text.",
      NotReadableError: "The camera cannot be read; another program may use it.",
    };
    throw new Error(reasons[error.name] ?? `The camera does not start: ${error.message}`);
  }
}

/** What the camera sees, with a button to stop it. */
function look(stream) {
  const video = element("video", { autoplay: true, playsinline: true, "aria-label": "What the camera sees" });
  video.muted = true;
  video.srcObject = stream;
  const stop = button("Stop the camera", () => stream.getTracks().forEach((track) => track.stop()));
  return element("div", { class: "camera" }, video, stop);
}

/** The text of the first code that is seen, as long as the camera is on. */
async function firstCode(detector, { stream, view }) {
  const video = view.querySelector("video");
  while (stream.active) {
    const found = video.readyState < 2 ? [] : await detector.detect(video);
    if (found.length) return found[0].rawValue;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return undefined;
}
