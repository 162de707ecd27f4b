"""The helpers for tests, as a team would use them: written to a file by the program, run by the real runners. The teams' tests are in the
folder helpers: they do the same in each language, and the last one fails."""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import requests
import tree_sitter
import tree_sitter_dart

from compilers import JUNIT, JUNIT_4, compile_java, compile_kotlin, java_command, junit_command, kotlin_library, run_tool, swift_tests, tool
from snippets import PAGES, blocks_of
from understudy import BINARY, CONTROL, ROOT, plain_environment, run

TEAM = Path(__file__).parent / "helpers"
DRIVER = Path(sysconfig.get_path("purelib"), "playwright/driver/package")


@pytest.fixture(params=["started", "found"])
def settings(request, start, tmp_path):
    """The environment of a team's tests: the program on the PATH, or one that runs, with a control token."""
    if request.param == "started":
        return plain_environment(UNDERSTUDY_BINARY=str(BINARY), HOME=str(tmp_path))
    server = start("--host", "0.0.0.0", "--control-token", "of-the-team")
    return plain_environment(UNDERSTUDY_URL=server.url, UNDERSTUDY_CONTROL_TOKEN="of-the-team", HOME=str(tmp_path))


def helper(language, file):
    """Writes the helper to `file`, as a team does."""
    printed = run("helper", language)
    assert printed.returncode == 0 and printed.stdout.count("\n") <= 300
    file.write_text(printed.stdout)


def team(source, folder, name=None):
    """Copies the team's tests."""
    shutil.copy(TEAM / source, folder / (name or source))


def example(language, file, word=None):
    """Writes what the documentation shows for a language, where there are several that with a word."""
    page = (ROOT / "Web/docs/testing.md").read_text()
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    shown = next(block for block in blocks if (word or "") in block)
    file.write_text(shown)
    return file


def run_tests(command, folder, settings):
    """What a runner prints, whose last test fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, cwd=folder, env=settings)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout + done.stderr


def explains(output):
    """Whether a failing test's message has the refusal and its reason."""
    return re.search(r"[Rr]efused in the world w-[0-9a-f]+", output) and re.search(
        r"POST /w/w-\w+/hanko/passcode/login/initialize → 400: [^\n]*user", output)


def test_python_helper_with_pytest_side_by_side(settings, tmp_path):
    helper("python", tmp_path / "understudy.py")
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["understudy"]\n')
    team("team.py", tmp_path, "test_team.py")
    for number, block in enumerate(block for page in PAGES for block in blocks_of(page) if block.language == "python"):
        (tmp_path / f"test_page_{number}.py").write_text(block.text)
    # The plugins of our own tests take longer to load than these tests to run.
    said = run_tests(
        [sys.executable, "-m", "pytest", "-q", "-p", "xdist", "-n", "2", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path],
        tmp_path, settings | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    assert "1 failed, 18 passed" in said and explains(said), said


def test_javascript_helper_with_nodes_test_runner(settings, tmp_path):
    helper("javascript", tmp_path / "understudy.mjs")
    team("team.test.mjs", tmp_path)
    example("javascript", tmp_path / "example.test.mjs")
    said = run_tests([tool("node"), "--test"], tmp_path, settings)
    assert "pass 8\n" in said and "fail 1\n" in said and explains(said), said


def test_javascript_helper_with_fixtures_of_playwright(tmp_path):
    if not (chromium := shutil.which("chromium")):
        pytest.skip("chromium is not on the path")
    helper("javascript", tmp_path / "understudy.mjs")
    team("fixtures.mjs", tmp_path)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/playwright-core").symlink_to(DRIVER)
    # The driver brings the Node that it needs.
    said = run_tool([DRIVER.parent / "node", "fixtures.mjs"], cwd=tmp_path,
                    env=plain_environment(UNDERSTUDY_BINARY=str(BINARY), CHROMIUM=chromium, HOME=str(tmp_path)))
    assert "passed: the console shows what was sent\nfailed: a page refuses\nscope: worker" in said
    assert re.search(r"refused in the world w-\w+\nGET /w/w-\w+/hanko/users/nobody → 40\d: ", said), said


def test_types_of_the_javascript_helper(tmp_path):
    helper("javascript", tmp_path / "understudy.mjs")
    helper("typescript", tmp_path / "understudy.d.mts")
    team("team.ts", tmp_path)
    example("typescript", tmp_path / "example.ts")
    playwright = tmp_path / "node_modules/@playwright/test"
    playwright.mkdir(parents=True)
    (playwright / "package.json").write_text('{"name": "@playwright/test", "exports": {".": {"types": "./index.d.ts"}}}')
    team("playwright-test.d.ts", playwright, "index.d.ts")
    options = {"strict": True, "noEmit": True, "module": "node16", "moduleResolution": "node16", "target": "es2022",
               "lib": ["es2022", "dom"], "types": []}
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["team.ts", "example.ts"]}))
    assert run_tool([tool("tsc")], cwd=tmp_path) == ""


@pytest.mark.parametrize("language", ["Java", "Kotlin"])
def test_jvm_helper_with_junit(settings, tmp_path, language):
    source = {"Java": "Understudy.java", "Kotlin": "Understudy.kt"}[language]
    helper(language.lower(), tmp_path / source)
    tests = [TEAM / source.replace("Understudy", "TeamTest"), example(language.lower(), tmp_path / source.replace("Understudy", "PhoneTest"))]
    if language == "Java":
        classes, library = compile_java(tmp_path / source, *tests, classpath=[JUNIT]), []
    else:
        library = [kotlin_library()]
        classes = compile_kotlin(tmp_path / source, *tests, classpath=[JUNIT], options=["-Werror"])
        # The least version that the helper names; this compiler knows it as an old one.
        assert " in Kotlin 2.0 or later, " in (tmp_path / source).read_text()
        compile_kotlin(tmp_path / source, classpath=[JUNIT], options=["-language-version", "2.0"])
    said = run_tests(junit_command(classes, library), tmp_path, settings)
    assert re.search(r"\b8 tests successful\b", said) and re.search(r"\b1 tests failed\b", said) and explains(said), said


def test_kotlin_helper_with_junit_4(settings, tmp_path):
    """As Android's instrumented tests have it: compiled and run without JUnit 5."""
    helper("kotlin-junit4", tmp_path / "Understudy.kt")
    library = [kotlin_library(), *JUNIT_4]
    classes = compile_kotlin(tmp_path / "Understudy.kt", TEAM / "TeamRuleTest.kt", example("kotlin", tmp_path / "Example.kt", "WorldRule"),
                             classpath=JUNIT_4, options=["-Werror"])
    said = run_tests(java_command([classes, *library], "org.junit.runner.JUnitCore", "team.TeamRuleTest", "PhoneRuleTest"), tmp_path, settings)
    assert "Tests run: 4,  Failures: 1" in said and explains(said), said


def test_kotlin_helper_by_the_arguments_of_androids_test_runner(start, tmp_path):
    """On a device there is no environment: the runner has arguments, here by a class of its name."""
    helper("kotlin-junit4", tmp_path / "Understudy.kt")
    server = start("--host", "0.0.0.0", "--control-token", "of-the-team")
    runner = compile_java(TEAM / "android/InstrumentationRegistry.java", TEAM / "android/Bundle.java")
    classes = compile_kotlin(tmp_path / "Understudy.kt", TEAM / "TeamRuleTest.kt", classpath=JUNIT_4)
    arguments = plain_environment(ARGUMENT_UNDERSTUDY_URL=server.url, ARGUMENT_UNDERSTUDY_CONTROL_TOKEN="of-the-team")
    said = run_tests(java_command([runner, classes, kotlin_library(), *JUNIT_4], "org.junit.runner.JUnitCore", "team.TeamRuleTest"), tmp_path, arguments)
    assert "Tests run: 3,  Failures: 1" in said and explains(said), said


def test_swift_helper_with_xctest_and_swift_testing(start, tmp_path):
    """Both runners in one package. The program is started by the XCTest process and by that of Swift Testing, or found by the second run."""
    helper("swift", tmp_path / "Understudy.swift")
    helper("swift-passkeys", tmp_path / "UnderstudyPasskeys.swift")
    built = swift_tests(tmp_path / "Understudy.swift", tmp_path / "UnderstudyPasskeys.swift", TEAM / "TeamTests.swift", example("swift", tmp_path / "Example.swift"))
    command = [tool("swift"), "test", "--skip-build", "--package-path", built]
    said = run_tests(command, tmp_path, plain_environment(UNDERSTUDY_BINARY=str(BINARY), HOME=str(tmp_path)))
    assert "Executed 2 tests, with 2 failures" in said and "TeamXCTests.testFails : failed - Refused in the world w-" in said, said
    assert re.search("Test run with 10 tests in 1 suite failed after .* with 4 issues", said) and explains(said), said
    server = start("--host", "0.0.0.0", "--control-token", "of-the-team")
    said = run_tests([*command, "--filter", "logsInAlone|throwsAnError"], tmp_path, plain_environment(
        UNDERSTUDY_URL=server.url, UNDERSTUDY_CONTROL_TOKEN="of-the-team", HOME=str(tmp_path)))
    assert re.search("Test logsInAlone.* with 3 test cases passed", said) and explains(said), said


def members(text):
    """The names of an interface's or a class's own members."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    while text != (flat := re.sub(r"\{[^{}]*\}|\([^()]*\)", "", text)):
        text = flat
    return set(re.findall(r"(?:^|;)\s*(?:private |static |readonly )*(\w+)[?]?\s*[:;<]", text)) - {"constructor"}


def test_types_have_the_members_of_the_helper_and_of_the_api():
    types, helper = (ROOT / "Web/helpers/understudy.d.mts").read_text(), (ROOT / "Web/helpers/understudy.mjs").read_text()
    blocks = dict(re.findall(r"^export (?:interface|class) (\w+)[^\n]*\{\n(.*?)^\}", types, re.MULTILINE | re.DOTALL))
    schemas = json.loads((ROOT / "Web/openapi.json").read_text())["components"]["schemas"]
    of_the_api = {"WorldOrder": "WorldOrder", "Code": "Code", "Message": "Message", "Transaction": "Transaction",
                  "PlatformRecord": "Record", "MintedToken": "MintedToken", "AuthenticatorBehaviour": "Behaviour", "FaultMatch": "FaultMatch", "FaultEffect": "FaultEffect",
                  "PhoneSettings": "PhoneChange", "PhoneAnswer": "PhoneAnswer", "PhoneReport": "PhoneReport", "PhoneRequest": "PhoneRequest"}
    for name, schema in of_the_api.items():
        assert members(blocks[name]) == set(schemas[schema]["properties"]), name
    assert members(blocks["TokenOrder"]) == set(schemas["TokenOrder"]["properties"]) - {"platform", "kind"}
    assert members(blocks["PhoneSetup"]) == {*schemas["PhoneScan"]["properties"], *schemas["PhoneEnrolment"]["properties"]} - {"text"}
    written = dict(re.findall(r"^export class (\w+)[^\n]*\{\n(.*?)^\}", helper, re.MULTILINE | re.DOTALL))
    for name in ("Understudy", "World", "Phone", "Authenticator"):
        methods = set(re.findall(r"^    (?:static )?(?:async )?(\w+)\(.*\{", written[name], re.MULTILINE)) - {"constructor"}
        assert methods == set(re.findall(r"^    (?:static )?(\w+)[(<]", blocks[name], re.MULTILINE)) - {"constructor"}, name


def test_the_server_hands_out_what_the_program_prints(server):
    listed = requests.get(server.url + CONTROL + "/helpers/", timeout=10).json()
    assert run("version").stdout.split()[1] == listed["version"]
    for each in listed["helpers"]:
        served = requests.get(each["url"], timeout=10)
        assert served.text == run("helper", each["language"]).stdout == run("helper", each["file"]).stdout
        assert f"Understudy {listed['version']} " in served.text and each["file"] in served.headers["Content-Disposition"]


def test_helper_knows_its_languages():
    told = run("helper", "cobol")
    assert told.returncode == 2 and "has dart, java, javascript, kotlin, kotlin-junit4, python, swift, swift-passkeys, typescript" in told.stderr


def test_the_table_of_members_is_made_from_the_helpers():
    made = subprocess.run([ROOT / "script/helpers-reference"], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert made.stdout == (ROOT / "Web/docs/helpers-reference.md").read_text(), "script/helpers-reference > Web/docs/helpers-reference.md"


@pytest.mark.parametrize("file, old, new, mistake", [
    ("understudy.mjs", "fault(name, match, effect)", "fault(effect, match, name)", "World.fault: JavaScript takes ['effect', 'match', 'name']"),
    ("Understudy.kt", "fun begin(", "fun start(", "Phone.begin is missing in Kotlin"),
])
def test_the_table_finds_a_helper_that_differs(tmp_path, file, old, new, mistake):
    shutil.copytree(ROOT / "Web/helpers", tmp_path / "Web/helpers")
    (tmp_path / "script").mkdir()
    shutil.copy(ROOT / "script/helpers-reference", tmp_path / "script")
    changed = tmp_path / "Web/helpers" / file
    changed.write_text(changed.read_text().replace(old, new))
    made = subprocess.run([tmp_path / "script/helpers-reference"], capture_output=True, text=True)
    assert made.returncode == 1 and mistake in made.stderr


def dart_mistakes(text):
    """Where a parser of Dart sees none. No compiler of Dart is in the registries that the tests use."""
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_dart.language()))
    return [node.start_point for node in nodes_of(parser.parse(text.encode()).root_node) if node.is_error or node.is_missing]


def nodes_of(node):
    yield node
    for child in node.children:
        yield from nodes_of(child)


def test_dart_helper_is_read_by_a_parser(tmp_path):
    helper("dart", tmp_path / "understudy.dart")
    text = (tmp_path / "understudy.dart").read_text()
    assert set(re.findall("^import '(.*)';$", text, re.MULTILINE)) == {"dart:convert", "dart:io"}
    assert not dart_mistakes(text) and not dart_mistakes(example("dart", tmp_path / "example.dart").read_text())
    for wrong in (text.replace("Future<Members> enrol(", "Future<Members enrol("), text.replace("class Phone {", "class Phone"), text + "}"):
        assert dart_mistakes(wrong)
