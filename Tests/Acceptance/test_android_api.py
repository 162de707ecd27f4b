"""Our Kotlin files for Android, stubs and helper, need no more than API 23, the least that the vendors' SDKs ask for: Android 6."""

import pytest

from class_files import used_by
from compilers import JUNIT_4, compile_kotlin
from stub_app import android_classes, kotlin_stub
from understudy import ROOT, run

LEAST = 23
#: What a compiler for Android makes of newer Java's lambdas and texts it makes by itself; here they are classes, to be read.
OLD = ("-jvm-target", "1.8", "-Xlambdas=class", "-Xsam-conversions=class", "-Xstring-concat=inline")


def api_levels():
    """By class, and by member where it is newer than its class."""
    levels = {}
    for line in (ROOT / "Tests/Acceptance/android_api.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            level, package, *names = line.split()
            levels |= {f"{package[:-1]}/{name}": int(level) for name in names}
    return levels


def level_of(name, levels):
    """That of a method with these parameters, of all of that name, or of the class."""
    return next(levels[each] for each in (name, name.partition("(")[0], name.partition(".")[0]) if each in levels)


def nothing_newer(classes):
    """Holds that the classes in a folder need no more than the least level."""
    levels, used = api_levels(), used_by(classes)
    unknown = {name for name in used if name.partition(".")[0] not in levels}
    assert not unknown, "look up since which API level Android has these"
    assert {name: level for name in used if (level := level_of(name, levels)) > LEAST} == {}
    texts = b"".join(path.read_bytes() for path in classes.rglob("*.class"))
    assert [name for name, level in levels.items() if name.startswith("algorithm/") and level > LEAST and name[10:].encode() in texts] == []


@pytest.mark.parametrize("stub", ["NextAuth", "OneginiSDK"])
def test_nothing_newer_is_used(stub):
    nothing_newer(compile_kotlin(*kotlin_stub(stub), classpath=[android_classes()], options=OLD))


def test_the_helper_uses_nothing_newer(tmp_path):
    """With JUnit 4: JUnit 5 itself needs API 26. What a call comes to inside of Kotlin's own library, its makers promise for older levels."""
    (tmp_path / "Understudy.kt").write_text(run("helper", "kotlin-junit4").stdout)
    nothing_newer(compile_kotlin(tmp_path / "Understudy.kt", classpath=JUNIT_4, options=OLD))


@pytest.mark.parametrize("newer, level", [
    ("ProcessBuilder(name).redirectError(ProcessBuilder.Redirect.INHERIT)", 26), ("java.net.URLEncoder.encode(name, Charsets.UTF_8)", 33),
    ("java.net.http.HttpClient.newHttpClient()", 99)])
def test_what_is_newer_is_found(tmp_path, newer, level):
    (tmp_path / "Newer.kt").write_text(f"fun newer(name: String): Any = {newer}\n")
    with pytest.raises(AssertionError, match=str(level)):
        nothing_newer(compile_kotlin(tmp_path / "Newer.kt", options=("-jvm-target", "17")))
