// As much of the types of @playwright/test as the example uses, after its documentation: the package is in no registry that our tests use.
type Status = "passed" | "failed" | "timedOut" | "skipped" | "interrupted";
interface TestInfo {
    status?: Status;
    expectedStatus: Status;
    attach(name: string, options?: { body?: string | Uint8Array; contentType?: string; path?: string }): Promise<void>;
}
type Fixture<Value, Given> = (given: Given, use: (value: Value) => Promise<void>, info: TestInfo) => unknown;
interface Locator { first(): Locator }
interface Page { goto(url: string): Promise<unknown>; getByText(text: string): Locator }
type Fixtures<Own, Workers, Given> = { [Name in keyof Own]: Fixture<Own[Name], Given & Own & Workers> }
    & { [Name in keyof Workers]: [Fixture<Workers[Name], Workers>, { scope: "worker" }] };
interface Test<Given> {
    (name: string, body: (given: Given) => Promise<void>): void;
    extend<Own, Workers>(fixtures: Fixtures<Own, Workers, Given>): Test<Given & Own & Workers>;
}
export const test: Test<{ page: Page }>;
export function expect(locator: Locator): { toBeVisible(): Promise<void> };
