// Understudy for tests in JavaScript: Node 18 or later, nothing else to install. understudy helper javascript > understudy.mjs
//
//   import { Understudy } from "./understudy.mjs";
//   const understudy = await Understudy.connect();       // UNDERSTUDY_URL, or a program of its own
//   const world = await understudy.world();              // for each test
//   const code = await world.code("ada@example.test");
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const CONTROL = "/_understudy/v1";

/** The control API said no. `status` is the one of HTTP, `message` its sentence. */
export class Problem extends Error {
    constructor(status, detail) {
        super(`${status}: ${detail}`);
        this.name = "Problem";
        this.status = status;
    }
}

/** A running program. */
export class Understudy {
    #process;

    /** @param {string} url @param {string} [token] what the control API asks for */
    constructor(url, token, process) {
        this.url = url.replace(/\/$/, "");
        this.token = token;
        this.#process = process;
    }

    /** A program of our own on a free port, with options of understudy serve; UNDERSTUDY_BINARY, or else the one on the PATH. */
    static async start(...options) {
        const { UNDERSTUDY_PORT, ...env } = process.env;
        const child = spawn(env.UNDERSTUDY_BINARY ?? "understudy", ["serve", "--port", "0", "--json", ...options],
            { env, stdio: ["ignore", "pipe", "inherit"] });
        const banner = await new Promise((resolve, reject) => {
            child.once("error", reject);
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

    /** Ends a program that start() began; leaves any other alone. */
    async stop() {
        const child = this.#process;
        if (!child || child.exitCode !== null) return;
        const ended = new Promise(resolve => child.once("exit", resolve));
        child.ref();
        child.kill();
        await ended;
    }

    /** A new world. @param {{name?: string, fixtures?: object, seed?: number, clock?: object, from?: string}} [order] */
    async world(order = {}) {
        const made = await this.call("POST", "/worlds", order);
        return new World(this, made.name, made.baseURL, made.urls);
    }

    /** A call of the control API; what it answers, from JSON. */
    async call(method, path, body, query = {}, base = this.url) {
        const url = new URL(base + CONTROL + path);
        for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
        const headers = { "Content-Type": "application/json" };
        if (this.token) headers.Authorization = `Bearer ${this.token}`;
        const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
        const text = await answer.text();
        if (answer.ok) return text ? JSON.parse(text) : undefined;
        let detail = text;
        try { detail = JSON.parse(text).detail ?? text; } catch { /* Not a problem document. */ }
        throw new Problem(answer.status, detail);
    }
}

/** A complete set of users, keys, mails, time and journal, which no other test sees. */
export class World {
    /** @param {Record<string, string>} urls base URLs by platform, such as hanko */
    constructor(server, name, url, urls) {
        Object.assign(this, { server, name, url, urls });
    }

    call(method, path, body, query) { return this.server.call(method, path, body, query, this.url); }

    /** The newest code that was sent to somebody and is still good, waited for. @param {{wait?: number, kind?: string, after?: number}} [query] */
    async code(to, query = {}) { return (await this.message(to, query)).code; }

    /** The same with id, kind, link and times. */
    message(to, query = {}) { return this.call("GET", "/codes", undefined, { to, wait: 10, ...query }); }

    async outbox(query) { return (await this.call("GET", "/outbox", undefined, query)).messages; }

    /** Lets time pass in this world alone. */
    advance(seconds) { return this.call("POST", "/clock/advance", { seconds }); }

    /** Something goes wrong from now on: fault({ answer: { status: 503 } }, { path: "/users" }). Returns the fault's name. */
    async fault(effect, match = {}, name) { return (await this.call("POST", "/faults", { name, match, effect })).name; }

    clearFaults() { return this.call("DELETE", "/faults"); }

    /** Remembers what the world is like now. */
    async snapshot(name) { return (await this.call("POST", "/snapshots", { name })).name; }

    restore(name) { return this.call("POST", `/snapshots/${encodeURIComponent(name)}/restore`); }

    /** A simulated phone: enrol, scan, pending, approve, decline, sign. phone("ada", "approve", {}, { wait: 10 }) */
    phone(name, action, body = {}, query) {
        const reads = ["pending", "messages"].includes(action);
        return this.call(reads ? "GET" : "POST", `/phones/${encodeURIComponent(name)}/${action}`, reads ? undefined : body, query);
    }

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
            if (refusals.length && error instanceof Error) error.message += `\n\nRefused in the world ${this.name}:\n${refusals.join("\n")}`;
            throw error;
        }
    }

    delete() { return this.server.call("DELETE", `/worlds/${this.name}`); }
}
