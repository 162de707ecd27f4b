"""Proxies that spread worlds over two programs, with the very lines of the documentation."""

import re
import shutil
import subprocess

import requests

from understudy import CONTROL, ROOT, until

HAPROXY = shutil.which("haproxy") or "/usr/sbin/haproxy"
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"


def recipe(language, front, ports):
    """The documentation's block in a language; the proxy listens at `front`, and the two programs at `ports`."""
    text = (ROOT / "Web/docs/proxies.md").read_text()
    blocks = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    block = next(block for block in blocks if "understudies" in block)
    assert block.count("8420") == 1 and block.count("8431") == 1 and block.count("8432") == 1
    for old, new in [("8420", front), ("8431", ports[0]), ("8432", ports[1])]:
        block = block.replace(old, str(new))
    return block


class Proxy:
    """A proxy in front of two programs, ready when it answers."""

    def __init__(self, command, port):
        self.url = f"http://localhost:{port}"
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self._answers, command[0], 20)

    def _answers(self):
        assert self.process.poll() is None, "the proxy ended"
        try:
            return requests.get(self.url + CONTROL + "/health", timeout=5).ok
        except requests.ConnectionError:
            return False

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=20)


def haproxy(folder, port, ports):
    (folder / "haproxy.cfg").write_text(recipe("haproxy", port, ports))
    return Proxy([HAPROXY, "-db", "-f", str(folder / "haproxy.cfg")], port)


def nginx(folder, port, ports):
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/errors;\nevents {{}}\nhttp {{\naccess_log off;\n"
        + "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        + recipe("nginx", port, ports) + "}\n")
    return Proxy([NGINX, "-c", str(folder / "nginx.conf"), "-e", str(folder / "errors")], port)
