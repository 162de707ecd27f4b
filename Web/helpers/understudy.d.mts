// Types of Understudy @VERSION@ for tests, TypeScript 4.7 or later. understudy helper typescript > understudy.d.mts, beside understudy.mjs

export type JSONValue = null | boolean | number | string | JSONValue[] | { [name: string]: JSONValue | undefined };
export type Query = Record<string, string | number | boolean | undefined>;

/** The control API said no. Of a phone, `title` is the SDK's name of the error. */
export class Problem extends Error {
    readonly status: number; readonly title: string; readonly detail: string;
}

export interface WorldOrder {
    name?: string; fixtures?: object; seed?: number;
    /** RFC 3339, such as "2026-03-04T10:15:00Z". */
    clock?: string; frozen?: boolean; from?: { world: string; snapshot: string };
}

/** What was sent to somebody as a code or link. */
export interface Code {
    id: number; kind: string; to: string; code?: string; link?: string; sentAt: string; expiresAt?: string; usedAt?: string;
    /** The platform that sent it. */
    source: string;
}

export interface Address {
    address: string; name?: string;
}
export interface Message {
    id: number; channel: "mail" | "sms" | "push"; kind: string; from: Address; to: Address; subject: string; text: string; code?: string;
    link?: string; sentAt: string; expiresAt?: string; usedAt?: string; source: string; html: boolean;
    // Of what a back end brought, when a single message is requested.
    attachments?: Array<{ number: number; name: string; type: string; size: number }>; remarks?: string[];
    codes?: Array<{ code: string; context: string; score: number; parts: Array<"subject" | "text" | "html"> }>;
    links?: Array<{ link: string; text: string; score: number; goal?: string }>; explanation?: Array<{ [member: string]: JSONValue }>;
}
/** A mail with the text of its HTML part. */
export type Mail = Omit<Message, "html"> & { html?: string };

export interface Fact {
    name: string; value: string;
}
export interface Transaction {
    id: string; platform: string; kind: string; title: string; user?: string; state: string; open: boolean; createdAt: string; expiresAt: string;
    secondsLeft?: number; code?: string; page?: string; facts: Fact[]; actions: string[]; steps: Array<{ state: string; at: string }>;
    notices: Array<{ url: string; at: string; status?: number; failure?: string; duration: number }>;
}
export interface PlatformRecord {
    id: string; platform: string; kind: string; title: string; user?: string; state: string; createdAt: string; facts: Fact[]; code?: string;
    actions: Array<{ name: string; title: string; inputs: Array<{ name: string }>; final: boolean }>; steps: Array<{ state: string; at: string }>;
}
export interface TokenOrder {
    user?: string; client?: string; scope?: string; claims?: object; lifetime?: number; flaw?: string; key?: string;
}
export interface MintedToken {
    token: string; platform: string; kind: string; format: "jwt" | "opaque"; expiresAt?: string; isRegistered: boolean; use: string; flaw?: string;
    explanation?: string; header?: { [name: string]: JSONValue }; claims?: { [name: string]: JSONValue };
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
    patch?: { of_status?: number; status?: number; headers?: Record<string, string | null>; body?: Record<string, unknown> };
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
    message(to: string, query?: { wait?: number; kind?: string; after?: number; used?: boolean }): Promise<Code>;
    /** The newest mail to somebody, whole, waited for. */
    mail(to: string, query?: { wait?: number; subject?: string; kind?: string; q?: string; after?: number }): Promise<Mail>;
    outbox(query?: Query): Promise<Message[]>;
    /** The newest message, whole, with all codes and links in it, waited for. */
    latest(query?: Query): Promise<Message>;
    /** A text message of your own back end. Returns it with the code in it. */
    sendText(to: string, text: string, from?: string): Promise<Message>;
    clearOutbox(to?: string): Promise<void>;
    advance(seconds: number): Promise<void>;
    setClock(clock: { now?: string; frozen?: boolean; tokenTimes?: "real" | "world" }): Promise<void>;
    /** Returns the fault's name. */
    fault(name: string | null, match: FaultMatch, effect: FaultEffect): Promise<string>;
    clearFaults(): Promise<void>;
    snapshot(name: string): Promise<void>;
    restore(name: string): Promise<void>;
    phone(name: string): Phone;
    addPhone(name: string, order?: PhoneSettings): Promise<Phone>;
    /** What keeps the passkeys of a phone. */
    authenticator(phone: string): Authenticator;
    /** A token without its flow. */
    mint(platform: string, kind: string, order?: TokenOrder): Promise<MintedToken>;
    /** What waits for a decision or did lately, the newest first. */
    transactions(query?: { platform?: string; state?: string; user?: string; open?: boolean; limit?: number; wait?: number }): Promise<Transaction[]>;
    decide(id: string, action: string): Promise<Transaction>;
    /** What platforms keep, such as users and devices, the newest first. */
    records(query?: { platform?: string; kind?: string; user?: string; state?: string; limit?: number; wait?: number }): Promise<PlatformRecord[]>;
    addRecord(platform: string, kind: string, inputs?: Record<string, string>): Promise<PlatformRecord | Transaction>;
    /** Undefined when it is gone then. */
    changeRecord(platform: string, id: string, action: string, inputs?: Record<string, string>): Promise<PlatformRecord | undefined>;
    /** The newest flow, such as a login, as text that is the same in each run. */
    flow(query?: { wait?: number; user?: string; platform?: string; since?: number; format?: "text" | "mermaid" | "svg" }): Promise<string>;
    /** What was refused in this world and why, the oldest first, a line each. */
    refusals(): Promise<string[]>;
    /** Runs a test; if it fails, its error says what was refused and why. */
    explain<Result>(body: (world: World) => Result | Promise<Result>): Promise<Result>;
    delete(): Promise<void>;
}

export interface PhoneSettings {
    owner?: string; mail?: string; model?: "ios" | "android"; network?: "online" | "offline" | "slow"; clockSkew?: number;
    policy?: string | null; // such as `approve after 3 s`, `wrong PIN twice, then right`
    policies?: Record<string, string | null> | null;
    sdks?: Record<string, string | null> | null; // such as `{ powerauth: "2.x" }`
    enrolsAtFirstUse?: boolean; keepsAlive?: boolean;
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
    platform?: string; account?: string; user?: string; provider?: string; pin?: string; otp?: string; puk?: string; biometry?: boolean;
    protocol?: string; application?: string;
}
export interface PhoneReport {
    kind: string; id: string; code?: string; detail: string;
}
export interface PhoneRequest {
    id: string; platform: string; account?: string; kind: string; title: string; message: string; details: Array<{ name: string; value: string }>;
    ways: Array<"pin" | "biometry" | "possession">;
}

export class Phone {
    private constructor();
    readonly world: World;
    readonly name: string;
    enrol(order?: Omit<PhoneSetup, "puk">): Promise<PhoneReport>;
    /** Takes the text of a QR code, a link or a typed code. */
    scan(text: string, order?: Omit<PhoneSetup, "platform" | "provider" | "user">): Promise<PhoneReport>;
    pending(query?: { wait?: number }): Promise<PhoneRequest[]>;
    /** The first request that waits, or that of the answer's id, waited for. */
    approve(answer?: Omit<PhoneAnswer, "reason"> & { wait?: number }): Promise<PhoneReport>;
    decline(answer?: PhoneAnswer & { wait?: number }): Promise<PhoneReport>;
    /** The header fields with which its app would send a request. */
    sign(order?: {
        platform?: string; account?: string; method?: string; uriId?: string; body?: string; with?: PhoneAnswer["with"]; pin?: string;
        token?: string;
    }): Promise<Record<string, string>>;
    begin(action: string, platform?: string, inputs?: Record<string, string>): Promise<PhoneReport>;
    set(change: PhoneSettings): Promise<void>;
}

/** How it behaves: what is left out stays as it is, and null puts it back. */
export interface AuthenticatorBehaviour {
    attestation?: "asked" | "none" | "packed-self" | "packed-x5c" | "fido-u2f" | "tpm" | "android-key" | "apple" | null;
    attestationFault?: "issuer" | "certificate" | "aaguid" | "key" | "nonce" | "properties" | null; algorithms?: number[] | null;
    aaguid?: string | null; userPresent?: boolean | null; userVerified?: boolean | null; backupEligible?: boolean | null; backedUp?: boolean | null;
    counter?: "zero" | "increasing" | "backwards" | null; transports?: string[] | null; prf?: "create" | "get" | "none" | null;
    largeBlob?: boolean | null; ignoresOrigin?: boolean | null; breaksSignature?: boolean | null; clientDataOrigin?: string | null;
    crossOrigin?: boolean | null; topOrigin?: string | null; challenge?: string | null; type?: string | null; rpId?: string | null;
    userHandle?: string | null; userHandleForm?: "base64url" | "text" | "absent" | null; neverSettles?: "create" | "get" | "both" | null;
}
/** Passkeys without a browser: options as JSON text are answered with JSON text. */
export class Authenticator {
    private constructor();
    readonly world: World;
    readonly phone: string;
    create(options: string, query?: { origin?: string }): Promise<string>;
    create(options: object, query?: { origin?: string }): Promise<any>;
    get(options: string, query?: { origin?: string; credential?: string }): Promise<string>;
    get(options: object, query?: { origin?: string; credential?: string }): Promise<any>;
    set(change: { name?: string | null; origin?: string | null; behaviour?: AuthenticatorBehaviour | null }): Promise<void>;
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
