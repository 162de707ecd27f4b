// Runs the fixtures for Playwright Test as its documentation says that it does: the worker's once, the test's for each test, each until
// use() is called and, after the test, beyond. The runner itself is in no registry that our tests use; the browser and its driver are.
import { chromium } from "playwright-core";
import { fixtures } from "./understudy.mjs";

const [makeProgram, { scope }] = fixtures.understudy;
const told = [];

async function test(name, body) {
    const info = { status: "passed", expectedStatus: "passed", attach: async (title, { body }) => { told.push(`${title}\n${body}`); } };
    await fixtures.world({ understudy }, async world => {
        const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
        const page = await browser.newPage();
        try {
            await body({ page, world });
        } catch (error) {
            info.status = "failed";
            told.push(error.message.split("\n")[0]);
        }
        await browser.close();
    }, info);
    console.log(`${info.status}: ${name}`);
}

let understudy;
await makeProgram({}, async program => {
    understudy = program;
    await test("the console shows what was sent", async ({ page, world }) => {
        const made = await fetch(`${world.urls.hanko}/users`, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"email": "you@example.com"}' });
        const { user_id } = await made.json();
        await fetch(`${world.urls.hanko}/passcode/login/initialize`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ user_id }) });
        const code = await world.code("you@example.com");
        await page.goto(`${world.url}/outbox`);
        await page.getByText(code).first().waitFor({ timeout: 5000 });
    });
    await test("a page refuses", async ({ page, world }) => {
        await page.goto(`${world.urls.hanko}/.well-known/config`);
        const status = await page.evaluate(async () => (await fetch("../users/nobody")).status);
        if (status !== 200) throw new Error(`status ${status}`);
    });
});
console.log(`scope: ${scope}\n${told.join("\n")}`);
