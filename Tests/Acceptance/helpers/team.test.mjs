// Tests of a team, with the helper for JavaScript.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Problem, Understudy, inWorld } from "./understudy.mjs";

after(async () => (await Understudy.shared()).stop());

const ask = async (url, body, headers = {}) => {
    const answer = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
};

test("logs in alone", inWorld(async world => {
    const hanko = world.urls.hanko;
    const user = (await ask(`${hanko}/users`, { email: "you@example.com" })).body.user_id;
    const passcode = (await ask(`${hanko}/passcode/login/initialize`, { user_id: user })).body.id;
    const code = await world.code("you@example.com");
    assert.deepEqual((await world.outbox()).map(mail => mail.code), [code]);
    assert.equal((await world.message("you@example.com")).kind, "passcode");
    await world.snapshot("asked");
    await world.advance(301);
    assert.equal((await ask(`${hanko}/passcode/login/finalize`, { id: passcode, code })).status, 408);
    assert.match((await world.refusals()).at(-1), /expired/);
    await world.restore("asked");
    assert.equal((await ask(`${hanko}/passcode/login/finalize`, { id: passcode, code })).status, 200);
    assert.match(await world.flow(), /passcode accepted/);
}));

test("messages of a back end", inWorld(async world => {
    assert.equal((await world.sendText("+14155550100", "Your code is 482913", "Shop")).code, "482913");
    assert.equal(await world.code("+14155550100"), "482913");
    await world.sendText("+14155550101", "Hello");
    const whole = await world.latest({ to: "+14155550100", explain: 1 });
    assert.deepEqual(whole.codes.map(found => found.code), ["482913"]);
    await world.clearOutbox("+14155550100");
    assert.deepEqual((await world.outbox()).map(message => message.text), ["Hello"]);
    await world.clearOutbox();
    assert.deepEqual(await world.outbox(), []);
}));

test("things go wrong and come right", inWorld(async world => {
    assert.equal(await world.fault("down", { platform: "hanko" }, { answer: { status: 503 } }), "down");
    assert.equal((await ask(`${world.urls.hanko}/users`, { email: "you@example.com" })).status, 503);
    await world.clearFaults();
    assert.equal((await ask(`${world.urls.hanko}/users`, { email: "you@example.com" })).status, 200);
    await assert.rejects(world.restore("never-saved"), error => error instanceof Problem && error.status === 404);
}));

test("the clock is set", inWorld(async world => {
    await world.setClock({ now: "2026-03-04T10:15:00Z", frozen: true });
    assert.match((await world.call("GET", "/clock")).now, /^2026-03-04T10:15:00/);
}, { seed: 7 }));

test("a phone answers", inWorld(async world => {
    const operations = world.urls["powerauth-cloud"] + "/v2/operations";
    const backOffice = { Authorization: "Basic YmFjay1vZmZpY2U6YmFjay1vZmZpY2Utc2VjcmV0" };
    const ada = world.phone("ada");
    await ada.enrol({ platform: "powerauth" });
    assert.deepEqual(await ada.pending(), []);
    await ask(operations, { template: "login", userId: "ada" }, backOffice);
    await assert.rejects(ada.approve({ with: "wrong-pin" }), error => error.status === 422 && /PIN/.test(error.detail));
    assert.equal((await ada.approve()).kind, "approved");
    await ask(operations, { template: "login", userId: "ada" }, backOffice);
    assert.equal((await ada.decline({ reason: "UNKNOWN" })).kind, "declined");
    assert.ok((await ada.sign({ method: "POST", uriId: "/login", body: "{}" }))["X-PowerAuth-Authorization"]);
    const eva = await world.addPhone("eva", { owner: "eva", model: "android" });
    await eva.set({ network: "offline" });
    await assert.rejects(eva.scan("ACTIV-ATION-CODEA-BCDEF"), Problem);
    await assert.rejects(eva.begin("applogin", "nextauth"), /not enrolled/);
}));

test("what platforms keep", inWorld(async world => {
    await world.phone("ada").enrol({ platform: "powerauth" });
    const backOffice = { Authorization: "Basic YmFjay1vZmZpY2U6YmFjay1vZmZpY2Utc2VjcmV0" };
    await ask(world.urls["powerauth-cloud"] + "/v2/operations", { template: "login", userId: "ada" }, backOffice);
    const [waiting] = await world.transactions({ user: "ada", open: true });
    assert.equal((await world.decide(waiting.id, "approve")).state, "APPROVED");
    const [device] = await world.records({ platform: "powerauth", user: "ada" });
    assert.equal((await world.changeRecord("powerauth", device.id, "block", { reason: "LOST" })).state, "BLOCKED");
    assert.equal((await world.addRecord("powerauth", "registration", { user: "eva", application: "my-app" })).state, "CREATED");
    const session = await world.mint("hanko", "session", { user: "ada@example.com" });
    assert.equal(session.claims.email.address, "ada@example.com");
    const user = (await ask(`${world.urls.hanko}/users`, { email: "you@example.com" })).body.user_id;
    await ask(`${world.urls.hanko}/passcode/login/initialize`, { user_id: user });
    const mail = await world.mail("you@example.com");
    assert.ok(mail.html.includes(mail.code) && mail.to.address === "you@example.com");
}));

test("passkeys without a browser", inWorld(async world => {
    const ada = world.authenticator("ada"), origin = "https://login.example.com";
    const creation = { rp: { id: "example.com", name: "Example" }, user: { id: "YWRh", name: "ada", displayName: "Ada" },
        challenge: "MDEyMzQ1Njc4OWFiY2RlZg", pubKeyCredParams: [{ type: "public-key", alg: -7 }] };
    const request = { rpId: "example.com", challenge: "MDEyMzQ1Njc4OWFiY2RlZg" };
    await assert.rejects(ada.get(request, { origin }), error => error.title === "NotAllowedError");
    const made = await ada.create(creation, { origin });
    await ada.set({ origin, behaviour: { userHandleForm: "text" } });
    const used = JSON.parse(await ada.get(JSON.stringify(request)));
    assert.deepEqual([used.id, used.response.userHandle], [made.id, "ada"]);
    // A promise that nobody keeps: what an app shows meanwhile is what a test looks at.
    await ada.set({ behaviour: { neverSettles: "get" } });
    assert.equal(await Promise.race([ada.get(request), new Promise(resolve => setTimeout(resolve, 500, "waiting"))]), "waiting");
}));

test("fails", inWorld(async world => {
    assert.equal((await ask(`${world.urls.hanko}/passcode/login/initialize`, { user_id: "nobody" })).status, 200);
}));
