// Understudy @VERSION@ for tests in JavaScript: Node 18 or later, nothing else to install. understudy helper javascript > understudy.mjs
// TypeScript: understudy helper typescript > understudy.d.mts
//
//   import { inWorld } from "./understudy.mjs";
//   test("logs in", inWorld(async world => {              // node --test, Vitest, Jest, Mocha: a world for each test
//       const code = await world.code("ada@example.com");
//   }));
//
//   import { test as base } from "@playwright/test";
//   const test = base.extend(fixtures);                   // Playwright: test("logs in", async ({ page, world }) => …)
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const CONTROL = "/_understudy/v1";

/** The control API said no: `status` of HTTP, a `title`, which for a phone is the SDK's name of the error, and a sentence, `detail`. */
export class Problem extends Error {
    constructor(status, text) {
        const { title = "no answer of Understudy", detail = text } = text.startsWith("{") ? JSON.parse(text) : {};
        super(`${status} ${title}: ${detail}`);
        Object.assign(this, { name: "Problem", status, title, detail });
    }
}

/** A running program. */
export class Understudy {
    static #shared;
    #process;

    constructor(url, token, process) {
        Object.assign(this, { url: url.replace(/\/$/, ""), token });
        this.#process = process;
    }

    /** A program of our own on a free port, with options of understudy serve: UNDERSTUDY_BINARY, or else the one on the PATH. */
    static async start(...options) {
        const child = spawn(process.env.UNDERSTUDY_BINARY ?? "understudy", ["serve", "--port", "0", "--json", ...options],
            { stdio: ["ignore", "pipe", "inherit"] });
        const banner = await new Promise((resolve, reject) => {
            child.once("error", error => reject(new Error(
                `${error.message}: put understudy on the PATH, or set UNDERSTUDY_BINARY, or UNDERSTUDY_URL for one that runs`)));
            child.once("exit", status => reject(new Error(`understudy did not start: exit status ${status}`)));
            createInterface({ input: child.stdout }).once("line", line => resolve(JSON.parse(line)));
        });
        // A test run may end without it.
        child.unref();
        child.stdout.unref();
        process.once("exit", () => child.kill());
        return new Understudy(banner.url, banner.controlToken, child);
    }

    /** The program of UNDERSTUDY_URL, or a new one. */
    static async connect(...options) {
        const { UNDERSTUDY_URL, UNDERSTUDY_CONTROL_TOKEN } = process.env;
        return UNDERSTUDY_URL ? new Understudy(UNDERSTUDY_URL, UNDERSTUDY_CONTROL_TOKEN) : Understudy.start(...options);
    }

    /** One program for all tests of this process. */
    static shared() { return Understudy.#shared ??= Understudy.connect(); }

    /** Ends a program that start() began; leaves any other alone. */
    async stop() {
        const child = this.#process;
        if (!child || child.exitCode !== null) return;
        const ended = new Promise(resolve => child.once("exit", resolve));
        child.ref();
        child.kill();
        await ended;
    }

    /** A new world. Order: name, fixtures, seed, clock (such as "2026-03-04T10:15:00Z"), frozen, from. */
    async world(order = {}) {
        const made = await this.call("POST", "/worlds", order);
        return new World(this, made.name, made.baseURL, made.urls);
    }

    /** A call of the control API; what it answers, JSON or text. */
    async call(method, path, body, query = {}, base = this.url) {
        const url = new URL(base + CONTROL + path);
        for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
        const headers = { "Content-Type": "application/json" };
        if (this.token) headers.Authorization = `Bearer ${this.token}`;
        const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
        const text = await answer.text();
        if (!answer.ok) throw new Problem(answer.status, text);
        return answer.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : text;
    }
}

/** A complete set of users, keys, mails, time and journal, which no other test sees. urls: base URLs by platform, such as hanko. */
export class World {
    constructor(server, name, url, urls) { Object.assign(this, { server, name, url, urls }); }
    call(method, path, body, query) { return this.server.call(method, path, body, query, this.url); }

    /** The newest code that was sent to somebody and is still good, waited for. Query: wait, kind, after, used. */
    async code(to, query) { return (await this.message(to, query)).code; }
    /** The same with id, kind, link and times. */
    message(to, query) { return this.call("GET", "/codes", undefined, { to, wait: 10, ...query }); }
    /** The newest mail to somebody, whole, waited for: html is the text of its HTML part. Query: wait, subject, kind, q, after. */
    async mail(to, query) {
        const mail = await this.latest({ to, ...query });
        return { ...mail, html: mail.html ? await this.call("GET", `/outbox/${mail.id}/html`) : undefined };
    }

    /** All messages, the newest first. Query: to, subject, kind, q, after, limit, wait. */
    async outbox(query) { return (await this.call("GET", "/outbox", undefined, query)).messages; }
    /** The newest message, whole, with all codes and links in it. Query: to, wait, subject, kind, q, after, explain. */
    latest(query) { return this.call("GET", "/outbox/latest", undefined, { wait: 10, ...query }); }
    /** A text message of your own back end. Returns it with the code in it. */
    sendText(to, text, from) { return this.call("POST", "/outbox", { to, text, from }); }
    async clearOutbox(to) { await this.call("DELETE", "/outbox", undefined, { to }); }

    /** Lets time pass in this world alone. */
    async advance(seconds) { await this.call("POST", "/clock/advance", { seconds }); }
    /** The time of this world: now, frozen, tokenTimes. */
    async setClock(clock) { await this.call("PUT", "/clock", clock); }

    /** Something goes wrong from now on: fault("down", { platform: "hanko" }, { answer: { status: 503 } }). A name of null is made up. */
    async fault(name, match, effect) { return (await this.call("POST", "/faults", { name, match, effect })).name; }
    async clearFaults() { await this.call("DELETE", "/faults"); }
    async snapshot(name) { await this.call("POST", "/snapshots", { name }); }
    async restore(name) { await this.call("POST", `/snapshots/${encodeURIComponent(name)}/restore`); }

    /** A simulated phone that is there, such as ada. */
    phone(name) { return new Phone(this, name); }
    /** A new and empty phone. Order: owner, mail, model, policy and what else set() knows. */
    async addPhone(name, order) {
        await this.call("POST", "/phones", { name, ...order });
        return this.phone(name);
    }
    /** What keeps the passkeys of a phone that is there, such as ada. */
    authenticator(phone) { return new Authenticator(this, phone); }

    /** A token without its flow: (await mint("hanko", "session", { user: "ada@example.com" })).token. Order: user, client, scope, claims, lifetime, flaw, key. */
    mint(platform, kind, order) { return this.call("POST", "/tokens", { platform, kind, ...order }); }
    /** What waits for a decision or did lately, the newest first. Query: platform, state, user, open, limit, wait. */
    async transactions(query) { return (await this.call("GET", "/transactions", undefined, query)).transactions; }
    /** Does with a transaction what a person would do, by an action that it names. */
    decide(id, action) { return this.call("POST", `/transactions/${encodeURIComponent(id)}/${action}`); }

    /** What platforms keep, such as users and devices, the newest first. Query: platform, kind, user, state, limit, wait. */
    async records(query) { return (await this.call("GET", "/records", undefined, query)).records; }
    addRecord(platform, kind, inputs) { return this.call("POST", "/records", { platform, kind, inputs }); }
    /** Does to a record what the console offers, by an action that it names; undefined when it is gone then. */
    async changeRecord(platform, id, action, inputs) {
        return await this.call("POST", `/records/${platform}/${encodeURIComponent(id)}/${action}`, { inputs }) || undefined;
    }

    /** The newest flow, such as a login, as text that is the same in each run. Query: wait, user, platform, since, format (mermaid, svg). */
    flow(query) { return this.call("GET", "/flows/last", undefined, { wait: 5, format: "text", ...query }); }

    /** What was refused in this world and why, the oldest first, a line each. */
    async refusals() {
        const { entries } = await this.call("GET", "/journal", undefined, { refused: true });
        return entries.reverse().map(({ exchange, explanation }) =>
            `${exchange?.method} ${exchange?.target} → ${exchange?.status}: ${explanation}`);
    }

    /** Runs a test; if it fails, its error says what was refused and why. */
    async explain(body) {
        try {
            return await body(this);
        } catch (error) {
            const refusals = await this.refusals();
            if (refusals.length && error instanceof Error) {
                const told = `\n\nRefused in the world ${this.name}:\n${refusals.join("\n")}`;
                error.stack = error.stack?.replace(error.message, () => error.message + told);
                error.message += told;
            }
            throw error;
        }
    }

    async delete() { await this.server.call("DELETE", `/worlds/${this.name}`); }
}

/** A simulated phone with an app for each platform. What its app or the platform refuses is a Problem with the SDK's name for it. */
export class Phone {
    constructor(world, name) { Object.assign(this, { world, name }); }
    #tell(method, action, { wait, ...body } = {}) {
        return this.world.call(method, `/phones/${encodeURIComponent(this.name)}${action}`, method === "GET" ? undefined : body, { wait });
    }

    /** Has its owner enrolled. Order: platform, pin, protocol and more. */
    enrol(order) { return this.#tell("POST", "/enrol", order); }
    /** Takes the text of a QR code, a link or a typed code. */
    scan(text, order) { return this.#tell("POST", "/scan", { text, ...order }); }

    /** The requests that wait for an answer. Query: wait. */
    async pending(query) { return (await this.#tell("GET", "/pending", query)).requests; }
    /** The first request that waits, waited for. Answer: wait, id, with ("wrong-pin", "biometry"), pin, after, fault, platform, account. */
    approve(answer) { return this.#tell("POST", "/approve", { wait: 10, ...answer }); }
    /** The same with no. Answer: wait, id, reason, platform, account and more. */
    decline(answer) { return this.#tell("POST", "/decline", { wait: 10, ...answer }); }

    /** The header fields with which its app would send a request. Order: platform, method, uriId, body, with, token. */
    async sign(order) { return (await this.#tell("POST", "/sign", order)).headers; }
    /** What the owner can do in an app: begin("applogin", "nextauth", { inactivity_timeout: "120" }). */
    begin(action, platform, inputs) { return this.#tell("POST", "/do", { action, platform, inputs }); }
    /** policy: "approve after 3 s", network: "offline", clockSkew: 120 and more. */
    async set(change) { await this.#tell("PATCH", "", change); }
}

/** Passkeys without a browser: it takes the options of any relying party and answers with the credential; as JSON text to JSON text. */
export class Authenticator {
    constructor(world, phone) { Object.assign(this, { world, phone }); }
    get #path() { return `/authenticators/${encodeURIComponent(this.phone)}`; }
    async #ask(call, options, query) {
        const isText = typeof options === "string";
        const answer = await this.world.call("POST", `${this.#path}/${call}`, isText ? JSON.parse(options) : options, query);
        return isText ? JSON.stringify(answer) : answer;
    }

    /** What navigator.credentials.create() does. Query: origin, of the page or app. */
    create(options, query) { return this.#ask("create", options, query); }
    /** What navigator.credentials.get() does. Query: origin, credential (an id, where several fit). */
    get(options, query) { return this.#ask("get", options, query); }
    /** origin: "https://example.com", behaviour: { userHandleForm: "text", neverSettles: "create", breaksSignature: true } and more. */
    async set(change) { await this.world.call("PATCH", this.#path, change); }
}

/** The body of a test that gets a world of its own and, when it fails, says what was refused in it. Order: as of Understudy.world. */
export const inWorld = (body, order) => async () => {
    const world = await (await Understudy.shared()).world(order);
    await world.explain(body).finally(() => world.delete());
};

/** For base.extend of @playwright/test: a program for each worker, a world for each test; a failed one has its refusals attached. */
export const fixtures = {
    understudy: [async ({}, use) => {
        const understudy = await Understudy.connect();
        await use(understudy);
        await understudy.stop();
    }, { scope: "worker" }],
    world: async ({ understudy }, use, testInfo) => {
        const world = await understudy.world();
        await use(world);
        const refusals = testInfo.status === testInfo.expectedStatus ? [] : await world.refusals();
        if (refusals.length) await testInfo.attach(`refused in the world ${world.name}`, { body: refusals.join("\n"), contentType: "text/plain" });
        await world.delete();
    },
};
