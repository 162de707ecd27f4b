// Types of Understudy @VERSION@ for tests, TypeScript 4.7 or later. understudy helper typescript > understudy.d.mts, beside understudy.mjs

export type JSONValue = null | boolean | number | string | JSONValue[] | { [name: string]: JSONValue | undefined };
export type Query = Record<string, string | number | boolean | undefined>;

/** The control API said no. Of a phone, `title` is the SDK's name of the error. */
export class Problem extends Error {
    readonly status: number; readonly title: string; readonly detail: string;
}

export interface WorldOrder {
    name?: string;
    fixtures?: object;
    seed?: number;
    /** RFC 3339, such as "2026-03-04T10:15:00Z". */
    clock?: string;
    frozen?: boolean;
    from?: { world: string; snapshot: string };
}

export interface Message {
    id: number;
    kind: string;
    to: string;
    code?: string;
    link?: string;
    sentAt: string;
    expiresAt?: string;
    usedAt?: string;
    /** The platform that sent it. */
    source: string;
}

/** When a fault strikes; all that is set must hold. */
export interface FaultMatch {
    platform?: string;
    method?: string;
    path?: string;
    user?: string;
    client?: string;
    /** From which request to which, the first is 1. */
    from?: number;
    to?: number;
    probability?: number;
}

/** What goes wrong, such as `{ answer: { status: 503 } }`. */
export interface FaultEffect {
    answer?: { status: number; headers?: Record<string, string>; body?: unknown };
    delay?: { seconds: number; spread?: number };
    drop?: { when: "before" | "after" };
    reset?: { when: "before" | "after" };
    truncate?: { bytes: number };
    trickle?: { bytes: number; seconds: number };
    rate_limit?: { requests: number; seconds: number };
    mail?: { fate: "lost" | "late" | "twice"; seconds?: number };
    sms?: FaultEffect["mail"];
    push?: FaultEffect["mail"];
    callback?: FaultEffect["mail"];
    clock_skew?: { seconds: number };
    token?: { flaw: string; kind?: string };
}

export class Understudy {
    readonly url: string;
    readonly token?: string;
    constructor(url: string, token?: string);
    /** A program of our own on a free port, with options of understudy serve. */
    static start(...options: string[]): Promise<Understudy>;
    /** The program of UNDERSTUDY_URL, or a new one. */
    static connect(...options: string[]): Promise<Understudy>;
    /** One program for all tests of this process. */
    static shared(): Promise<Understudy>;
    stop(): Promise<void>;
    world(order?: WorldOrder): Promise<World>;
    call(method: string, path: string, body?: unknown, query?: Query, base?: string): Promise<any>;
}

export class World {
    private constructor();
    readonly server: Understudy;
    readonly name: string;
    readonly url: string;
    /** Base URLs by platform, such as `hanko`. */
    readonly urls: Readonly<Record<string, string>>;
    call(method: string, path: string, body?: unknown, query?: Query): Promise<any>;
    /** The newest code that was sent to somebody and is still good, waited for. */
    code(to: string, query?: { wait?: number; kind?: string; after?: number; used?: boolean }): Promise<string>;
    message(to: string, query?: { wait?: number; kind?: string; after?: number; used?: boolean }): Promise<Message>;
    outbox(query?: Query): Promise<Array<{ id: number; to: string; kind: string; [member: string]: JSONValue | undefined }>>;
    /** The newest message, whole, with all codes and links in it, waited for. */
    latest(query?: Query): Promise<{ id: number; code?: string; link?: string; [member: string]: JSONValue | undefined }>;
    /** A text message of your own back end. Returns it with the code in it. */
    sendText(to: string, text: string, from?: string): Promise<{ id: number; code?: string; [member: string]: JSONValue | undefined }>;
    clearOutbox(to?: string): Promise<void>;
    advance(seconds: number): Promise<void>;
    setClock(clock: { now?: string; frozen?: boolean; tokenTimes?: "real" | "world" }): Promise<void>;
    /** Returns the fault's name. */
    fault(effect: FaultEffect, match?: FaultMatch, name?: string): Promise<string>;
    clearFaults(): Promise<void>;
    snapshot(name: string): Promise<void>;
    restore(name: string): Promise<void>;
    phone(name: string): Phone;
    addPhone(name: string, order?: PhoneSettings): Promise<Phone>;
    /** The newest flow, such as a login, as text that is the same in each run. */
    flow(query?: { wait?: number; user?: string; platform?: string; since?: number; format?: "text" | "mermaid" | "svg" }): Promise<string>;
    /** What was refused in this world and why, the oldest first, a line each. */
    refusals(): Promise<string[]>;
    /** Runs a test; if it fails, its error says what was refused and why. */
    explain<Result>(body: (world: World) => Result | Promise<Result>): Promise<Result>;
    delete(): Promise<void>;
}

export interface PhoneSettings {
    owner?: string;
    mail?: string;
    model?: "ios" | "android";
    network?: "online" | "offline" | "slow";
    clockSkew?: number;
    policy?: string | null; // such as `approve after 3 s`, `wrong PIN twice, then right`
    policies?: Record<string, string | null> | null;
    sdks?: Record<string, string | null> | null; // such as `{ powerauth: "2.x" }`
    enrolsAtFirstUse?: boolean;
    keepsAlive?: boolean;
}

export interface PhoneAnswer {
    id?: string;
    platform?: string;
    account?: string;
    with?: "pin" | "biometry" | "wrong-pin" | "possession";
    pin?: string;
    reason?: string; // of a decline
    /** Delay in seconds, by the clock of the world. */
    after?: number;
    /** What is wrong with the answer on purpose, such as `twice` or `rooted`. */
    fault?: string;
}
export interface PhoneSetup {
    platform?: string;
    account?: string;
    user?: string;
    provider?: string;
    pin?: string;
    otp?: string;
    puk?: string;
    biometry?: boolean;
    protocol?: string;
    application?: string;
}
export interface PhoneReport {
    kind: string;
    id: string;
    code?: string;
    detail: string;
}
export interface PhoneRequest {
    id: string;
    platform: string;
    account?: string;
    kind: string;
    title: string;
    message: string;
    details: Array<{ name: string; value: string }>;
    ways: Array<"pin" | "biometry" | "possession">;
}

export class Phone {
    private constructor();
    readonly world: World;
    readonly name: string;
    enrol(order?: Omit<PhoneSetup, "puk">): Promise<PhoneReport>;
    /** Takes the text of a QR code, a link or a typed code. */
    scan(text: string, order?: Omit<PhoneSetup, "platform" | "provider" | "user">): Promise<PhoneReport>;
    pending(wait?: number): Promise<PhoneRequest[]>;
    /** The first request that waits, or that of the answer's id, waited for. */
    approve(answer?: Omit<PhoneAnswer, "reason">, wait?: number): Promise<PhoneReport>;
    decline(answer?: PhoneAnswer, wait?: number): Promise<PhoneReport>;
    /** The header fields with which its app would send a request. */
    sign(order?: {
        platform?: string; account?: string; method?: string; uriId?: string; body?: string; with?: PhoneAnswer["with"]; token?: string;
    }): Promise<Record<string, string>>;
    begin(action: string, inputs?: Record<string, string>, platform?: string): Promise<PhoneReport>;
    set(change: PhoneSettings): Promise<void>;
}

/** The body of a test that gets a world of its own and, when it fails, says what was refused in it. */
export function inWorld(body: (world: World) => unknown, order?: WorldOrder): () => Promise<void>;

/** What Playwright tells a fixture about its test. */
interface TestInfo {
    status?: string;
    expectedStatus?: string;
    attach(name: string, options: { body: string; contentType: string }): Promise<void>;
}

/** For Playwright Test: `base.extend<{ world: World }, { understudy: Understudy }>(fixtures)`. */
export const fixtures: {
    understudy: [(given: {}, use: (understudy: Understudy) => Promise<void>) => Promise<void>, { scope: "worker" }];
    world(given: { understudy: Understudy }, use: (world: World) => Promise<void>, testInfo: TestInfo): Promise<void>;
};
