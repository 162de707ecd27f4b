"""Our Kotlin files for Android need no more than API 23, the least that the vendors' SDKs ask for: Android 6."""

import pytest

from class_files import used_by
from compilers import compile_kotlin
from stub_app import android_classes, kotlin_stub
from understudy import ROOT

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


@pytest.mark.parametrize("stub", ["NextAuth", "OneginiSDK"])
def test_nothing_newer_is_used(stub):
    levels, classes = api_levels(), compile_kotlin(*kotlin_stub(stub), classpath=[android_classes()], options=OLD)
    used = used_by(classes)
    unknown = {name for name in used if name.partition(".")[0] not in levels}
    assert not unknown, "look up since which API level Android has these"
    assert {name: level for name in used if (level := levels.get(name, levels[name.partition(".")[0]])) > LEAST} == {}
    texts = b"".join(path.read_bytes() for path in classes.rglob("*.class"))
    assert [name for name, level in levels.items() if name.startswith("algorithm/") and level > LEAST and name[10:].encode() in texts] == []
