// What browsers and Hanko say of passkeys in two ways: browsers with bytes, Hanko in JSON. Part of /app/passkeys, see passkeys.js.

// JSON has no bytes, so challenges and ids travel as base64url without padding. New browsers convert by themselves; the fallback is for
// those before 2025 (Chrome 129, Firefox 119 and Safari 18.4 are the first that need none).

/** The bytes of a text in base64url. */
function bytesOf(text) {
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Bytes as base64url without padding; nothing for null. */
function textOf(buffer) {
  if (!buffer) return undefined;
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const descriptorsOf = (list) => list?.map((one) => ({ ...one, id: bytesOf(one.id) }));

/** What `navigator.credentials.create()` takes as `publicKey`. */
export function creationOptions(json) {
  if (PublicKeyCredential.parseCreationOptionsFromJSON) return PublicKeyCredential.parseCreationOptionsFromJSON(json);
  return {
    ...json, challenge: bytesOf(json.challenge), user: { ...json.user, id: bytesOf(json.user.id) },
    excludeCredentials: descriptorsOf(json.excludeCredentials) ?? [],
  };
}

/** What `navigator.credentials.get()` takes as `publicKey`. */
export function requestOptions(json) {
  if (PublicKeyCredential.parseRequestOptionsFromJSON) return PublicKeyCredential.parseRequestOptionsFromJSON(json);
  return { ...json, challenge: bytesOf(json.challenge), allowCredentials: descriptorsOf(json.allowCredentials) ?? [] };
}

/** A credential as Hanko takes it. */
export function jsonOf(credential) {
  if (credential.toJSON) return credential.toJSON();
  const { response } = credential;
  return {
    id: credential.id, rawId: textOf(credential.rawId), type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      // Of a new passkey.
      attestationObject: textOf(response.attestationObject), transports: response.getTransports?.(),
      // Of a login.
      authenticatorData: textOf(response.authenticatorData), signature: textOf(response.signature),
      userHandle: textOf(response.userHandle),
    },
  };
}
