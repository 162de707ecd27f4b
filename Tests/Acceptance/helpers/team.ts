// What TypeScript must take, and what it must not, with the types of the helper.
import { Problem, Understudy, fixtures, inWorld, type Phone, type World } from "./understudy.mjs";

const understudy: Understudy = await Understudy.connect("--seed", "7");
const world: World = await understudy.world({ clock: "2026-03-04T10:15:00Z", frozen: true, from: { world: "a", snapshot: "b" } });
const code: string = await world.code("ada@example.com", { wait: 5, kind: "passcode" });
const expires: string | undefined = (await world.message("ada@example.com")).expiresAt;
const found: string | undefined = (await world.sendText("+14155550100", "Your code is 482913", "Shop")).code ?? (await world.latest({ to: "+1", q: "code" })).link;
await world.clearOutbox("+14155550100");
await world.setClock({ tokenTimes: "real" });
const fault: string = await world.fault("down", { path: "/oauth/*", to: 2 }, { answer: { status: 503 }, callback: { fate: "late", seconds: 3 } });
const ada: Phone = world.phone("ada");
const approved: string = (await ada.approve({ with: "wrong-pin", wait: 5 })).detail;
await (await world.addPhone("eva", { owner: "eva", policy: "approve after 3 s" })).set({ network: "offline", policy: null });
const drawn: string = await world.flow({ format: "mermaid" });
const recipients: string[] = (await world.outbox()).map(message => message.to.address);
const html: string | undefined = (await world.mail("ada@example.com", { subject: "passcode" })).html;
const [waiting] = await world.transactions({ open: true });
const state: string | undefined = waiting && (await world.decide(waiting.id, waiting.actions[0] ?? "confirm")).state;
const kept: string | undefined = (await world.records({ platform: "hanko" }))[0]?.actions[0]?.name;
const minted: string = (await world.mint("hanko", "session", { user: "ada@example.com", lifetime: 60 })).token;
await ada.begin("applogin", "nextauth", { inactivity_timeout: "120" });
const passkeys = world.authenticator("ada");
const text: string = await passkeys.create("{}", { origin: "https://example.com" });
await passkeys.set({ behaviour: { userHandleForm: "text", neverSettles: "create", counter: null } });
console.log(recipients, html, state, kept, minted, text);
const told: Promise<void> = inWorld(async world => { await world.advance(60); })();
const refused: number = new Error() instanceof Problem ? 1 : 0;
console.log(code, found, expires, fault, approved, drawn, told, refused);

// @ts-expect-error A clock is a time.
await understudy.world({ clock: 7 });
// @ts-expect-error There is no such way.
await ada.approve({ with: "charm" });
// @ts-expect-error A recipient is an object.
const recipient: string = (await world.outbox())[0]!.to;
// @ts-expect-error Nobody behaves so.
await passkeys.set({ behaviour: { counter: "sideways" } });
// @ts-expect-error A fault has an effect.
await world.fault(null, {}, { explode: {} });
// @ts-expect-error Worlds are made by the program.
const none: World = new World();

/** As Playwright Test types `base.extend`, in short: each member is a function of those before it, or one with options. */
type Fixture<Value, Given> = (given: Given, use: (value: Value) => Promise<void>, info: {
    status?: "passed" | "failed" | "timedOut" | "skipped" | "interrupted"; expectedStatus: "passed" | "failed" | "timedOut" | "skipped" | "interrupted";
    attach(name: string, options?: { body?: string | Uint8Array; contentType?: string; path?: string }): Promise<void>;
}) => Promise<unknown>;
const extended: { world: Fixture<World, { understudy: Understudy }>; understudy: [Fixture<Understudy, {}>, { scope: "worker" }] } = fixtures;
console.log(extended, none, recipient);
