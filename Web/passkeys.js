// Passkeys on a web page, with Hanko: the script of /app/passkeys, written to be copied. What it asks of Hanko stands in passkeys-hanko.js, what
// browsers and Hanko say in two ways in passkeys-json.js.
//
// It goes through a user's life: log in with a code from a mail, create a passkey, log out, log in with the passkey, by a button or
// from the browser's autofill. It needs no library. What is Understudy's own is only the address of Hanko, which stands in the page.
//
// A passkey takes three steps, whether it is created or used:
//   1. POST …/initialize    Hanko makes a challenge and says what it wants: the options.
//   2. navigator.credentials.create() or .get()    The browser asks the user, and the device signs the challenge.
//   3. POST …/finalize      Hanko checks the signature. Logging in, it answers with a session.

import { call, chosenAPI, session } from "./passkeys-hanko.js";
import { creationOptions, jsonOf, requestOptions } from "./passkeys-json.js";

const find = (id) => document.getElementById(id);

// --- Passkeys

/** Gives the user who is logged in a passkey. */
async function createPasskey() {
  const { publicKey, finish } = await api.beginRegistration();
  await finish(jsonOf(await ask("create", { publicKey: creationOptions(publicKey) }, publicKey.rp.id)));
}

async function logInWithPasskey() {
  // A page can have one ceremony at a time: autofill makes room for the button.
  stopAutofill();
  const { publicKey, finish } = await api.beginLogin({ isConditional: false });
  await finish(jsonOf(await ask("get", { publicKey: requestOptions(publicKey) }, publicKey.rpId)));
}

/** The ceremony that waits for the user to pick a passkey from the browser's autofill. */
let autofill;

/** Offers passkeys where the browser suggests addresses: the input has `autocomplete="username webauthn"`. */
async function offerAutofill() {
  stopAutofill();
  if (!hasPasskeys || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  const mine = (autofill = new AbortController());
  try {
    const { publicKey, finish } = await api.beginLogin({ isConditional: true });
    const options = { mediation: "conditional", signal: mine.signal, publicKey: requestOptions(publicKey) };
    const credential = await ask("get", options, publicKey.rpId);
    await act(async () => {
      await finish(jsonOf(credential));
      await showUser("Logged in with a passkey.");
    });
  } catch (error) {
    // Nobody asked for anything yet, so what the browser could not offer is no news; that the server refused is.
    const isTheBrowsers = (error.cause ?? error) instanceof DOMException;
    if (!mine.signal.aborted && !isTheBrowsers) tell(error);
  }
}

function stopAutofill() {
  autofill?.abort();
  autofill = undefined;
}

/** Has the browser create or get a credential; its terse errors become sentences. */
async function ask(method, options, relyingPartyID) {
  try {
    return await navigator.credentials[method](options);
  } catch (error) {
    const sentence = {
      NotAllowedError: method === "get"
        ? "The browser ended the login: you cancelled, time ran out, or there is no passkey for this site on this device."
        : "The browser ended the registration: you cancelled, or time ran out.",
      InvalidStateError: "This device already has a passkey for this account.",
      SecurityError: `The relying party id is "${relyingPartyID}", and this page is on ${location.host}. The id has to be the page's host or a `
        + "domain around it: open the page there, or change webauthn.relying_party.id in the fixtures.",
      NotSupportedError: "This device supports none of the algorithms that Hanko accepts.",
    }[error.name];
    if (sentence && !options.signal?.aborted) throw new Error(sentence, { cause: error });
    throw error;
  }
}

/** Why no passkey can be used on this page, in nodes to show; nothing when all is well. */
function obstacle() {
  const here = location.port ? `localhost:${location.port}` : "localhost";
  const local = Object.assign(document.createElement("a"), {
    href: `${location.protocol}//${here}${location.pathname}`, textContent: `${location.protocol}//${here}${location.pathname}`,
  });
  // Browsers hide passkeys on plain http, except for localhost (W3C Secure Contexts §3.1).
  if (!window.isSecureContext) {
    return [
      `Browsers offer passkeys only on https and on http://localhost; this page is on ${location.origin}. On this machine, open `, local,
      ". A phone needs https: a tunnel with --public-url, or --tls with a certificate that it trusts; an Android device on a cable also "
        + `reaches http://${here} after “adb reverse tcp:${location.port || 80} tcp:${location.port || 80}”.`,
    ];
  }
  if (!window.PublicKeyCredential) return ["This browser does not support passkeys (WebAuthn). You can still log in by mail."];
  // A relying party id is a domain; a number is none (Web Authentication §5.1.3).
  if (/^[\d.]+$|^\[/.test(location.hostname)) {
    return [`Passkeys belong to a domain name, and ${location.hostname} is an IP address. Open `, local, "."];
  }
  return undefined;
}

const reasons = obstacle();
const hasPasskeys = reasons === undefined;

// --- The code from a mail

/** What takes the code that was sent last. */
let sent;

async function sendCode(email, isNew) {
  sent = await api.sendCode(email, { isNew }).catch((error) => {
    if (error.status !== 429) throw error;
    throw new Error(`Too many codes were requested.${error.retryAfter ? ` The next one can be sent in ${error.retryAfter} s.` : ""}`);
  });
}

// --- The page

const parts = ["signed-out", "code-sent", "password-wanted", "signed-in"];

/** Shows one part of the page and takes the focus there, unless the page has just been opened. */
function show(part, { isFirst = false } = {}) {
  for (const id of parts) find(id).hidden = id !== part;
  if (!isFirst) find(`${part}-title`).focus();
}

/** Shows what went wrong; nothing takes the sentence away. */
function tell(error) {
  find("problem").hidden = error === undefined;
  find("problem").textContent = error?.message ?? "";
}

function say(news) {
  find("news").textContent = news;
}

/** Does something for a click. No second click comes between, and what goes wrong is told. */
async function act(action) {
  const buttons = [...document.querySelectorAll("button:not(:disabled)")];
  for (const button of buttons) button.disabled = true;
  tell(undefined);
  say("");
  try {
    await action();
  } catch (error) {
    tell(error);
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

/** Shows who is logged in and their passkeys, or how to log in. */
async function showUser(news, options) {
  // Unlike /me, this call says “no” without an error.
  const { is_valid: isValid, user_id: id, claims } = await call("GET", "/sessions/validate");
  if (!isValid) {
    session.forget();
    show("signed-out", options);
    if (news) throw new Error("Logged in, but the browser did not keep the session cookie: it is “Secure”, which some browsers accept only on https.");
    offerAutofill();
    return;
  }
  stopAutofill();
  find("who").textContent = claims?.email?.address ?? id;
  show("signed-in", options);
  await showPasskeys();
  if (news) say(news);
}

async function showPasskeys() {
  const passkeys = await api.passkeys();
  find("no-passkeys").hidden = passkeys.length > 0;
  find("passkeys").replaceChildren(...passkeys.map(lineOf));
}

/** A line of the list. Text goes in as text, never as markup. */
function lineOf(passkey) {
  const line = document.createElement("li");
  const name = passkey.name || `Passkey ${passkey.id.slice(0, 8)}…`;
  const remove = Object.assign(document.createElement("button"), { type: "button", textContent: "Remove" });
  remove.setAttribute("aria-label", `Remove ${name}`);
  remove.addEventListener("click", () => act(async () => {
    await api.removePasskey(passkey.id);
    await showPasskeys();
    say("Removed. The device still keeps its half, which no longer works; delete it there too.");
    find("signed-in-title").focus();
  }));
  const kept = passkey.backup_state ? "synced" : "on one device";
  const since = new Date(passkey.created_at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  line.append(`${name}, ${kept}, since ${since}`, remove);
  return line;
}

find("use-passkey").addEventListener("click", () => act(async () => {
  try {
    await logInWithPasskey();
  } catch (error) {
    offerAutofill();
    throw error;
  }
  await showUser("Logged in with a passkey.");
}));

function startWithCode(isNew) {
  act(async () => {
    const email = find("email").value.trim();
    await sendCode(email, isNew);
    stopAutofill();
    find("recipient").textContent = email;
    find("code").value = "";
    show("code-sent");
    find("code").focus();
  });
}

find("email-form").addEventListener("submit", (event) => {
  event.preventDefault();
  startWithCode(event.submitter === find("register"));
});

/** A password that the user types, in the middle of something else. */
function askPassword(problem) {
  show("password-wanted");
  tell(problem);
  const form = find("password-form");
  form.querySelector("button").disabled = false;
  find("password").value = "";
  find("password").focus();
  return new Promise((resolve) => {
    form.onsubmit = (event) => {
      event.preventDefault();
      form.querySelector("button").disabled = true;
      resolve(find("password").value);
    };
  });
}

find("code-form").addEventListener("submit", (event) => {
  event.preventDefault();
  act(async () => {
    await sent.finish(find("code").value.trim());
    await showUser("Logged in with a code.");
  });
});

find("other-email").addEventListener("click", () => {
  tell(undefined);
  show("signed-out");
  offerAutofill();
});

find("create").addEventListener("click", () => act(async () => {
  await createPasskey();
  await showPasskeys();
  say("The passkey was created. Log out, then log in with it.");
}));

find("log-out").addEventListener("click", () => act(async () => {
  await call("POST", "/logout").catch((error) => {
    // A session that is gone already is as good as one that was ended.
    if (error.status !== 401) throw error;
  });
  session.forget();
  show("signed-out");
  say("Logged out.");
  offerAutofill();
}));

if (!hasPasskeys) {
  find("obstacle").replaceChildren(...reasons);
  find("obstacle").hidden = false;
  for (const button of document.querySelectorAll(".needs-passkeys")) button.hidden = true;
}

const api = await chosenAPI(askPassword);
find("register").hidden = !api.registers;
if (api.registers) find("email-hint").textContent = "Hanko logs in the users it knows; a new address is registered first.";
showUser(undefined, { isFirst: true }).catch(tell);
