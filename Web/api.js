// The control API of this page's world.

/** "" in the world default, "/w/NAME" in another. */
export const base = document.querySelector('meta[name="understudy-base"]').content;
const root = `${base}/_understudy/v1`;

/** The address of a call; `query` is a plain object whose empty values are left out. */
export function address(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return `${root}/${path}${given.length ? "?" + new URLSearchParams(given) : ""}`;
}

/** Makes a call and gives the JSON of the answer, or nothing when it has no body. Throws an Error with a sentence to show. */
export async function call(method, path, { query, body } = {}) {
  const request = { method, headers: { Accept: "application/json" } };
  if (body !== undefined) {
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  const response = await fetch(address(path, query), request).catch(() => {
    throw new Error("Understudy does not answer. Is it still running?");
  });
  const text = await response.text();
  if (!response.ok) throw new Error(reason(text) ?? `The answer was ${response.status}.`);
  return text ? JSON.parse(text) : undefined;
}

/** The `detail` of an RFC 9457 problem, when `text` is one. */
function reason(text) {
  try {
    return JSON.parse(text).detail;
  } catch {
    return undefined;
  }
}
