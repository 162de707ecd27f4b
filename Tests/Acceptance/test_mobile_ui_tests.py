"""The page on UI tests of mobile apps: its scripts and tests run against the program, with stand-ins for what Maestro, Detox and Appium give them;
its Dart is read by a parser, its Kotlin and Swift are compiled with stand-ins for the classes of Android and of Apple.

Sources of the stand-ins: docs.maestro.dev, “runScript”, “Make HTTP requests”, “Flow configuration”; Appium's clients for Python; Espresso's and
XCUIAutomation's reference.
"""

import json
import os
import re
import subprocess
import sys

import pytest
import requests
import yaml

from compilers import JUNIT_4, compile_kotlin, run_tool, tool
from snippets import blocks_of
from test_helpers import dart_mistakes
from understudy import CONTROL, plain_environment, run

PAGE = "mobile-ui-tests.md"

#: Maestro's side of a script: `http`, `json`, `output` and the variables of its environment.
MAESTRO = '''
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import vm from "node:vm";
const { script, env, output } = JSON.parse(readFileSync(0, "utf8"));
function request(url, options = {}) {
    const fields = Object.entries(options.headers ?? {}).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const body = options.body === undefined ? [] : ["--data-binary", options.body];
    const said = execFileSync("curl", ["-sS", "-X", options.method, ...fields, ...body, "-w", "\\n%{http_code}", url], { encoding: "utf8" });
    const cut = said.lastIndexOf("\\n"), status = Number(said.slice(cut + 1));
    return { ok: status >= 200 && status < 300, status, body: said.slice(0, cut) };
}
const http = Object.fromEntries(["get", "post", "put", "delete"].map(name => [name, (url, options) => request(url, { ...options, method: name.toUpperCase() })]));
vm.runInNewContext(script, { http, json: JSON.parse, output, console, ...env });
process.stdout.write(JSON.stringify(output));
'''


def block(heading, language, word=""):
    [text] = [one.text for one in blocks_of(PAGE) if one.heading == heading and one.language == language and word in one.text]
    return text


class App:
    """The app under test, as far as the page's tests see it: a login by passcode at the Hanko that it was started with."""

    def __init__(self, hanko):
        self.hanko, self.email, self.said = hanko, None, ""

    def ask(self, email):
        self.email = email
        user = requests.post(self.hanko + "/user", json={"email": email}, timeout=30).json()["id"]
        self.passcode = requests.post(self.hanko + "/passcode/login/initialize", json={"user_id": user}, timeout=30).json()["id"]

    def enter(self, code):
        status = requests.post(self.hanko + "/passcode/login/finalize", json={"id": self.passcode, "code": code}, timeout=30).status_code
        self.said = {200: "Welcome, Ada", 408: "This code has expired"}.get(status, f"status {status}")


class Flow:
    """Runs the flow of the page as Maestro would."""

    def __init__(self, url):
        head, self.steps = yaml.safe_load_all(block("Maestro", "yaml"))
        self.head, self.output, self.app = head, {}, None
        self.env = head["env"] | {"UNDERSTUDY_URL": url}
        self.typed = None

    def script(self, text, env=()):
        order = json.dumps({"script": text, "env": self.env | dict(env), "output": self.output})
        done = subprocess.run([tool("node"), "--input-type=module", "-e", MAESTRO.replace("readFileSync(0", 'readFileSync("/dev/stdin"')],
                              input=order, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        self.output = json.loads(done.stdout)

    def value(self, text):
        return re.sub(r"\$\{output\.(\w+)\}", lambda found: self.output[found[1]], text)

    def file(self, name):
        return block("Maestro", "js", f"// Maestro: {name}\n")

    def step(self, step):
        [(command, given)] = step.items()
        if command == "runScript":
            given = {"file": given} if isinstance(given, str) else given
            self.script(self.file(given["file"]), given.get("env", {}))
        elif command == "evalScript":
            self.script(re.fullmatch(r"\$\{(.*)\}", given)[1])
        elif command == "launchApp":
            self.app = App(self.value(given["arguments"]["hankoURL"]))
        elif command == "inputText":
            text = self.value(given)
            self.app.enter(text) if self.app.email else setattr(self, "typed", text)
        elif command == "tapOn" and given == "Continue":
            self.app.ask(self.typed)
        elif command == "tapOn" and given == "Transfer":
            operation = {"template": "login", "userId": "ada"}
            cloud = self.output["world"] + "/powerauth-cloud/v2/operations"
            requests.post(cloud, json=operation, auth=("back-office", "back-office-secret"), timeout=30).raise_for_status()
        elif command == "assertVisible":
            assert given in (self.app.said, "Waiting for your phone"), self.app.said
        else:
            assert command == "tapOn", command


def test_the_flow_for_maestro(server):
    flow = Flow(server.url)
    for step in flow.head["onFlowStart"]:
        flow.step(step)
    world = flow.output["world"]
    for step in flow.steps:
        flow.step(step)
    assert flow.app.said == "Welcome, Ada"
    [operation] = requests.get(world + CONTROL + "/transactions?platform=powerauth", timeout=30).json()["transactions"]
    assert operation["state"] == "APPROVED"
    name = world.split("/w/")[1]
    for step in flow.head["onFlowComplete"]:
        flow.step(step)
    worlds = requests.get(server.url + CONTROL + "/worlds", timeout=30).json()["worlds"]
    assert name not in [one["name"] for one in worlds]


def test_a_script_for_maestro_that_fails_says_why(server):
    flow = Flow(server.url)
    flow.script(flow.file("world.js"))
    with pytest.raises(AssertionError, match="the phone could not: .*ada"):
        flow.script(flow.file("phone.js"), {"DO": "approve?wait=0"})


def test_the_lines_for_detox(server, tmp_path):
    (tmp_path / "understudy.mjs").write_text(run("helper", "javascript").stdout)
    (tmp_path / "test.mjs").write_text(f'''
import {{ Understudy }} from "./understudy.mjs";
const world = await (await Understudy.shared()).world();
const post = async (path, body) => (await fetch(world.urls.hanko + path, {{ method: "POST", body: JSON.stringify(body), headers: {{ "Content-Type": "application/json" }} }})).json();
await post("/passcode/login/initialize", {{ user_id: (await post("/user", {{ email: "ada@example.com" }})).id }});
const by = {{ id: name => name, text: text => text }}, done = [];
const element = name => ({{
    typeText: async text => done.push(text),
    tap: async () => {{
        const account = Buffer.from("back-office:back-office-secret").toString("base64");
        const answer = await fetch(world.urls["powerauth-cloud"] + "/v2/operations", {{
            method: "POST", body: JSON.stringify({{ template: "login", userId: "ada" }}),
            headers: {{ "Content-Type": "application/json", Authorization: "Basic " + account }},
        }});
        if (!answer.ok) throw new Error(await answer.text());
    }},
}});
const expect = text => ({{ toBeVisible: async () => done.push((await world.transactions({{ platform: "powerauth" }}))[0].state) }});
{block("Detox", "js")}
console.log(done.join(" "));
await world.delete();
''')
    done = run_tool([tool("node"), tmp_path / "test.mjs"], env=plain_environment(UNDERSTUDY_URL=server.url))
    assert re.fullmatch(r"\d{6} APPROVED\n", done)


APPIUM = {
    "appium/__init__.py": "",
    "appium/options/__init__.py": "",
    "appium/options/android.py": "class UiAutomator2Options:\n    def __init__(self): self.set = {}\n    def set_capability(self, name, value): self.set[name] = value\n",
    "appium/webdriver/common/__init__.py": "",
    "appium/webdriver/common/appiumby.py": 'class AppiumBy:\n    ACCESSIBILITY_ID = "accessibility id"\n',
    "appium/webdriver/__init__.py": '''
import sys
sys.path.insert(0, sys.path[0])
from app import App

class Element:
    def __init__(self, app, name): self.app, self.name = app, name
    @property
    def text(self): return self.app.said
    def send_keys(self, text):
        if self.name == "code": self.app.enter(text)
        else: self.app.typed = text
    def click(self): self.app.ask(self.app.typed)

class Remote:
    def __init__(self, server, options):
        assert server == "http://localhost:4723" and options.app == "app-debug.apk"
        extra, name, hanko = options.set["appium:optionalIntentArguments"].split()
        assert (extra, name) == ("--es", "hankoURL")
        self.app = App(hanko)
    def find_element(self, by, name):
        assert by == "accessibility id"
        return Element(self.app, name)
    def quit(self): pass
''',
}


def test_the_file_for_appium(server, tmp_path):
    import inspect

    for name, text in APPIUM.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "app.py").write_text("import requests\n\n" + inspect.getsource(App))
    (tmp_path / "understudy.py").write_text(run("helper", "python").stdout)
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["understudy"]\n')
    (tmp_path / "test_app.py").write_text(block("Appium", "py"))
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path], capture_output=True, text=True, timeout=120, cwd=tmp_path,
                          env=plain_environment(UNDERSTUDY_URL=server.url, PYTHONPATH=str(tmp_path), PATH=os.environ["PATH"]))
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout + done.stderr


def test_the_file_for_flutter_is_read_by_a_parser():
    assert not dart_mistakes(block("Flutter", "dart"))


ANDROID = {
    "Content.kt": "package android.content\nopen class Context\nclass Intent(context: Context, type: Class<*>) { fun putExtra(name: String, value: String?) = this }\n",
    "Activity.kt": "class MainActivity\n",
    "Core.kt": '''package androidx.test.core.app
class ActivityScenario<A> : java.io.Closeable {
    companion object { fun <A> launch(intent: android.content.Intent) = ActivityScenario<A>() }
    override fun close() {}
}
object ApplicationProvider { @JvmStatic fun <T : android.content.Context> getApplicationContext(): T = throw IllegalStateException() }
''',
    "Espresso.kt": '''package androidx.test.espresso
class ViewInteraction { fun perform(vararg actions: Any) = this; fun check(assertion: Any) = this }
object Espresso { @JvmStatic fun onView(matcher: Any) = ViewInteraction() }
''',
    "Actions.kt": "package androidx.test.espresso.action\nobject ViewActions { @JvmStatic fun click() = Any(); @JvmStatic fun replaceText(text: String) = Any() }\n",
    "Assertions.kt": "package androidx.test.espresso.assertion\nobject ViewAssertions { @JvmStatic fun matches(matcher: Any) = Any() }\n",
    "Matchers.kt": '''package androidx.test.espresso.matcher
object ViewMatchers { @JvmStatic fun isDisplayed() = Any(); @JvmStatic fun withHint(text: String) = Any(); @JvmStatic fun withText(text: String) = Any() }
''',
}


def test_the_file_for_espresso_compiles(tmp_path):
    files = ANDROID | {"Understudy.kt": run("helper", "kotlin-junit4").stdout, "LoginTest.kt": block("Espresso", "kotlin")}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert compile_kotlin(*(tmp_path / name for name in files), classpath=JUNIT_4)


XCUI = '''
import XCTest
@MainActor final class XCUIElement {
    func tap() {}
    func typeText(_ text: String) {}
    func waitForExistence(timeout: TimeInterval) -> Bool { true }
}
@MainActor struct XCUIElementQuery { subscript(_ name: String) -> XCUIElement { XCUIElement() } }
@MainActor final class XCUIApplication {
    var launchArguments: [String] = []
    var textFields: XCUIElementQuery { .init() }
    var buttons: XCUIElementQuery { .init() }
    var staticTexts: XCUIElementQuery { .init() }
    func launch() {}
}
'''


def test_the_file_for_xcuitest_compiles(tmp_path):
    files = {"XCUI.swift": XCUI, "Understudy.swift": run("helper", "swift").stdout, "LoginTests.swift": block("XCUITest", "swift")}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    run_tool([tool("swiftc"), "-typecheck", "-swift-version", "6", "-warnings-as-errors", *(tmp_path / name for name in files)])
