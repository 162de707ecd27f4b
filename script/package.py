"""The wheel and the bill of materials of a release, for script/package: VERSION TREE FOLDER LEVEL.

Sources: PyPA specification “Binary distribution format”; SPDX 2.3; REUSE of dates by SOURCE_DATE_EPOCH.
"""

import base64
import hashlib
import json
import os
import pathlib
import platform
import subprocess
import sys
import time
import zipfile

version, tree, folder, level = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), int(sys.argv[4])
epoch = int(os.environ["SOURCE_DATE_EPOCH"])
machine = platform.machine()
NAME = "understudy_server"
# What is linked in: name, licence (SPDX), where it comes from.
PARTS = [
    ("SQLite", "blessing", "https://www.sqlite.org"),
    ("OpenSSL", "Apache-2.0", "https://www.openssl.org"),
    ("libqrencode", "LGPL-2.1-or-later", "https://fukuchi.org/works/qrencode/"),
    ("glibc", "LGPL-2.1-or-later", "https://www.gnu.org/software/libc/"),
    ("Swift", "Apache-2.0 WITH Swift-exception", "https://www.swift.org"),
]


def wheel():
    # A static program asks for no C library of the system.
    tag = f"py3-none-manylinux_2_17_{machine}.musllinux_1_1_{machine}"
    info, data = f"{NAME}-{version}.dist-info", f"{NAME}-{version}.data"
    metadata = (
        f"Metadata-Version: 2.4\nName: {NAME.replace('_', '-')}\nVersion: {version}\n"
        "Summary: Stands in for the identity platforms behind mobile apps, for development and tests\n"
        "License-Expression: Apache-2.0\nLicense-File: LICENSE\nLicense-File: NOTICES\nRequires-Python: >=3.9\n"
        "Description-Content-Type: text/plain\n\n"
        "Puts the program understudy on the PATH; understudy help says what it does. The module understudy is its helper for tests,\n"
        "with fixtures for pytest. For development only.\n")
    tags = "".join(f"Tag: py3-none-{one}\n" for one in tag.removeprefix("py3-none-").split("."))
    files = {
        f"{data}/scripts/understudy": (tree / "bin/understudy").read_bytes(),
        f"{data}/data/share/man/man1/understudy.1.gz": (tree / "share/man/man1/understudy.1.gz").read_bytes(),
        "understudy.py": subprocess.run([tree / "bin/understudy", "helper", "python"], capture_output=True, check=True).stdout,
        f"{info}/entry_points.txt": b"[pytest11]\nunderstudy = understudy\n",
        f"{info}/METADATA": metadata.encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: script/package\nRoot-Is-Purelib: false\n{tags}".encode(),
        f"{info}/licenses/LICENSE": (tree / "share/doc/understudy/licences/understudy").read_bytes(),
        f"{info}/licenses/NOTICES": (tree / "share/doc/understudy/NOTICES").read_bytes(),
    }
    record = "".join(f"{name},sha256={digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    # A ZIP knows no time before 1980.
    date = time.gmtime(max(epoch, 315_532_800))[:6]
    with zipfile.ZipFile(folder / f"{NAME}-{version}-{tag}.whl", "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, date)
            entry.create_system = 3
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, level or 1)


def digest(content):
    """As RECORD has it."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def bill():
    program = hashlib.sha256((tree / "bin/understudy").read_bytes()).hexdigest()
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch))

    def package(name, licence, home, **more):
        return {
            "SPDXID": f"SPDXRef-{name}", "name": name, "downloadLocation": home, "filesAnalyzed": False, "licenseConcluded": licence,
            "licenseDeclared": licence, "copyrightText": "NOASSERTION"} | more

    own = package("Understudy", "Apache-2.0", "NOASSERTION", versionInfo=version, primaryPackagePurpose="APPLICATION",
                  checksums=[{"algorithm": "SHA256", "checksumValue": program}])
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"understudy-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/understudy-{version}-{program[:32]}",
        "creationInfo": {"created": created, "creators": ["Tool: understudy-script-package"]},
        "packages": [own] + [package(*part) for part in PARTS],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-Understudy"}] + [
            {"spdxElementId": "SPDXRef-Understudy", "relationshipType": "STATIC_LINK", "relatedSpdxElement": f"SPDXRef-{name}"}
            for name, _, _ in PARTS],
    }
    (folder / f"understudy-{version}.spdx.json").write_text(json.dumps(document, indent=2) + "\n")


wheel()
bill()
