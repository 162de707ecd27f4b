// What /app/passkeys asks of Hanko: its session, its calls, and the REST endpoints of 2.7. Where those are gone, as in 3.x, passkeys-flow.js asks
// for the same by the Flow API.

import { flowAPI } from "./passkeys-flow.js";

/** The base URL of Hanko: "/hanko", or "/w/NAME/hanko" in a world. Real pages have "https://YOUR-TENANT.hanko.io" here. */
const hanko = document.querySelector("main").dataset.hanko;

// --- The session

// Hanko hands its session out in one of two ways, and its configuration says which. As a cookie: the browser keeps and sends it, and no
// script can read it. In the header X-Auth-Token: then it is ours to keep, and to send. This page works with both.
const tokenName = `${hanko} token`;

export const session = {
  get token() {
    return sessionStorage.getItem(tokenName);
  },
  keep(response) {
    const token = response.headers.get("X-Auth-Token");
    if (token) sessionStorage.setItem(tokenName, token);
  },
  forget() {
    sessionStorage.removeItem(tokenName);
  },
};

// --- Calls

/** An answer of Hanko that is no success. */
class Refusal extends Error {
  constructor(response, answer, path) {
    const said = (answer?.error?.message ?? answer?.message ?? response.statusText).replace(/\.$/, "");
    super(`Hanko answered ${response.status} to ${path.split("?")[0]}: ${said}. Understudy's journal says why.`);
    this.status = response.status;
    this.answer = answer;
    this.retryAfter = response.headers.get("Retry-After");
  }
}

/** Calls Hanko and gives the JSON of its answer; nothing where it has no body. */
export async function call(method, path, body) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (session.token) headers.Authorization = `Bearer ${session.token}`;
  // “same-origin” sends the cookie; a page of another origin than Hanko's has to say “include”.
  const response = await fetch(hanko + path, {
    method, headers, credentials: "same-origin", body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new Error("Hanko does not answer. Is the server still running?");
  });
  const text = await response.text();
  if (!response.ok) throw new Refusal(response, parsed(text), path);
  session.keep(response);
  return text ? JSON.parse(text) : undefined;
}

/** Hanko's errors are {"code": …, "message": …}; in flows {"error": {"code": …, "message": …}, …} with what can be done instead. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// --- The REST endpoints

/** What the page asks of Hanko, by the REST endpoints of 2.7. */
const classicAPI = {
  registers: false,

  /** Options to log in with. Without the user's id Hanko lets any passkey of this site do, and the passkey says whose it is. */
  async beginLogin() {
    const { publicKey } = await call("POST", "/webauthn/login/initialize");
    return { publicKey, finish: (credential) => call("POST", "/webauthn/login/finalize", credential) };
  },

  async beginRegistration() {
    const { publicKey } = await call("POST", "/webauthn/registration/initialize");
    return { publicKey, finish: (credential) => call("POST", "/webauthn/registration/finalize", credential) };
  },

  async sendCode(email) {
    const passcode = await call("POST", "/passcode/login/initialize", await userOf(email));
    return { finish: (code) => finishPasscode(passcode.id, code) };
  },

  passkeys: () => call("GET", "/webauthn/credentials"),
  removePasskey: (id) => call("DELETE", `/webauthn/credentials/${encodeURIComponent(id)}`),
};

/** Ids of the user and of the address; a new user where nobody has the address. */
async function userOf(email) {
  try {
    const known = await call("POST", "/user", { email });
    return { user_id: known.id, email_id: known.email_id };
  } catch (error) {
    if (error.status !== 404) throw error;
  }
  const made = await call("POST", "/users", { email });
  return { user_id: made.user_id, email_id: made.email_id };
}

async function finishPasscode(id, code) {
  const sentences = {
    401: "The code is wrong.", 408: "The code has expired. Request a new one.",
    410: "Too many wrong codes. Request a new one.",
  };
  await call("POST", "/passcode/login/finalize", { id, code }).catch((error) => {
    throw sentences[error.status] ? new Error(sentences[error.status], { cause: error }) : error;
  });
}

/**
 * 3.x has no REST endpoints but a few; a page for one version need not ask.
 *
 * @param askPassword has the user type a password, in the middle of something else.
 */
export async function chosenAPI(askPassword) {
  const response = await fetch(`${hanko}/.well-known/config`).catch(() => undefined);
  return response?.status === 404 ? flowAPI(call, askPassword) : classicAPI;
}
