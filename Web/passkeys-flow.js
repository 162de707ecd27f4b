// What /app/passkeys asks of Hanko, by its Flow API, which is all that 3.x has. See passkeys.js for the page, and passkeys-hanko.js for the
// same by the REST endpoints of 2.7.
//
// A flow is a conversation: each answer names its state, says what can be done next, and where. A step takes the address of its action and
// the token of the answer before. A page needs not know how states follow one another; it goes where the answers lead.

/** What a refused step means, in sentences; Hanko's own say less. */
const sentences = {
  passcode_invalid: "The code is wrong, or too old.",
  passcode_max_attempts_reached: "Too many wrong codes. Request a new one.",
};

class Flow {
  /** @param call as in passkeys-hanko.js. */
  constructor(call) {
    this.call = call;
  }

  /** Begins a flow: "login", "registration" or "profile". */
  static async start(call, kind) {
    const flow = new Flow(call);
    flow.answer = await call("POST", `/${kind}`);
    if (flow.answer.name !== "preflight") return flow;
    const known = window.PublicKeyCredential;
    await flow.run("register_client_capabilities", {
      webauthn_available: Boolean(known),
      webauthn_conditional_mediation_available: Boolean(await known?.isConditionalMediationAvailable?.()),
      webauthn_platform_authenticator_available: Boolean(await known?.isUserVerifyingPlatformAuthenticatorAvailable?.()),
    });
    return flow;
  }

  offers(action) {
    return action in this.answer.actions;
  }

  /** Does one step. A refusal is an answer as well: it says what can be done now, with a new token. */
  async run(action, inputs = {}) {
    if (!this.offers(action)) throw this.strange();
    const body = { input_data: inputs, csrf_token: this.answer.csrf_token };
    try {
      this.answer = await this.call("POST", this.answer.actions[action].href, body);
    } catch (error) {
      if (error.answer?.csrf_token) this.answer = error.answer;
      // What is wrong with an input stands at the input.
      const asked = Object.values(error.answer?.actions?.[action]?.inputs ?? {});
      const fault = asked.find((input) => input.error)?.error ?? error.answer?.error;
      const sentence = sentences[fault?.code];
      throw sentence ? new Error(sentence, { cause: error }) : error;
    }
  }

  /** Leaves out what may be left out until the user is logged in. */
  async finish(askPassword) {
    let problem;
    while (this.answer.name !== "success") {
      if (this.offers("skip")) {
        await this.run("skip");
      } else if (this.offers("register_password")) {
        const password = await askPassword(problem);
        problem = await this.run("register_password", { new_password: password }).catch((error) => error);
        if (problem && !this.offers("register_password")) throw problem;
      } else {
        throw this.strange();
      }
    }
  }

  strange() {
    return new Error(`Hanko is at “${this.answer.name}”, and this page cannot handle that. Does this world use second factors or usernames?`);
  }
}

/**
 * @param call as in passkeys-hanko.js.
 * @param askPassword gives a password that the user typed, where Hanko wants one; it is told what was wrong with the last one.
 */
export function flowAPI(call, askPassword) {
  return {
    /** Whether a new address has to be registered before it can log in. */
    registers: true,

    /** Options to log in with, and what to do with the credential. */
    async beginLogin({ isConditional }) {
      const flow = await Flow.start(call, "login");
      if (!isConditional) await flow.run("webauthn_generate_request_options");
      const options = flow.answer.payload.request_options;
      if (!options) throw flow.strange();
      return {
        publicKey: options.publicKey,
        async finish(credential) {
          await flow.run("webauthn_verify_assertion_response", { assertion_response: credential });
          await flow.finish(askPassword);
        },
      };
    },

    /** Options for a new passkey, and what to do with it. */
    async beginRegistration() {
      const flow = await Flow.start(call, "profile");
      await flow.run("webauthn_credential_create");
      return {
        publicKey: flow.answer.payload.creation_options.publicKey,
        finish: (credential) => flow.run("webauthn_verify_attestation_response", { public_key: credential }),
      };
    },

    /** Has a code sent to the address, and gives what to do with it. */
    async sendCode(email, { isNew }) {
      const flow = await Flow.start(call, isNew ? "registration" : "login");
      if (isNew) {
        await flow.run("register_login_identifier", { email });
      } else {
        await flow.run("continue_with_login_identifier", { email });
        if (flow.offers("continue_to_login_method_chooser")) await flow.run("continue_to_login_method_chooser");
        if (flow.offers("continue_to_passcode_confirmation")) await flow.run("continue_to_passcode_confirmation");
      }
      if (!flow.offers("verify_passcode")) throw flow.strange();
      return {
        async finish(code) {
          await flow.run("verify_passcode", { code });
          await flow.finish(askPassword);
        },
      };
    },

    async passkeys() {
      const flow = await Flow.start(call, "profile");
      return flow.answer.payload.user.passkeys ?? [];
    },

    async removePasskey(id) {
      const flow = await Flow.start(call, "profile");
      await flow.run("webauthn_credential_delete", { passkey_id: id });
    },
  };
}
