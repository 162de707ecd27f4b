"""The camera of a phone: zbar reads the QR code in a picture."""

import shutil
import subprocess

import pytest

needs_zbar = pytest.mark.skipif(not shutil.which("zbarimg"), reason="zbarimg is not on the path")

# Part of a QR code can pass for a short barcode, so no other kind of symbol is looked for.
QR_CODES = ["-Sdisable", "-Sqrcode.enable", "-Sbinary"]


def seen(picture, form="PNG"):
    """What the QR code in a picture says, byte for byte; nothing if there is none."""
    return scan(picture, form).stdout


def read(picture, form="PNG"):
    """The same where there must be one."""
    done = scan(picture, form)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def scan(picture, form):
    return subprocess.run(["zbarimg", "--quiet", "--raw", *QR_CODES, f"{form}:-"], input=picture, capture_output=True, timeout=60)
