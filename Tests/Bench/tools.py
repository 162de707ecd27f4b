"""What the measurements need: processes with their CPU and memory, a lean HTTP client, wrk."""

import contextlib
import json
import os
import select
import socket
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / ".build/bench"
TICKS = os.sysconf("SC_CLK_TCK")
MIB = 1024 * 1024
#: The binary of this tree, and the one under measurement: `script/bench --before` measures another one first.
SHIPPED = BUILD / "understudy"
program = SHIPPED


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Process:
    """A server under measurement; ends with the `with` block."""

    def __init__(self, command, port, path, patience=20):
        """`patience` is how many seconds it may take until it answers."""
        self.port = port
        self.log = tempfile.TemporaryFile()
        environment = {key: value for key, value in os.environ.items() if not key.startswith("UNDERSTUDY_")}
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=environment)
        end = time.monotonic() + patience
        while True:
            with contextlib.suppress(OSError), Connection(port) as connection:
                if connection.call("GET", path)[0] == 200:
                    return
            if self.process.poll() is not None or time.monotonic() > end:
                self.log.seek(0)
                raise SystemExit(f"bench: {command[0]} does not answer: {self.log.read().decode()}")
            time.sleep(0.01)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    @property
    def cpu(self):
        """Seconds of processor time so far, user and system."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    @property
    def queue_cpu(self):
        """The part of it that was spent on queues, on which phones do their errands; requests are served by threads of the server's own."""
        spent = 0
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            name, fields = task.joinpath("stat").read_text().rsplit(")", 1)
            if "overcommit" in name:  # As libdispatch calls the threads of its queues.
                spent += sum(map(int, fields.split()[11:13]))
        return spent / TICKS

    @property
    def memory(self):
        """Resident memory in MiB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / MIB


def understudy(*options):
    port = free_port()
    command = [str(program), "serve", "--port", str(port), "--quiet", *map(str, options)]
    return Process(command, port, "/_understudy/v1/ready")


def reference():
    port = free_port()
    return Process([str(BUILD / "refserver"), str(port), str(BUILD / "rsa.pem")], port, "/health")


class Connection:
    """A kept-alive HTTP connection that does little enough to time a server with it."""

    def __init__(self, port, headers=()):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=70)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.host = f"localhost:{port}"
        self.headers = "".join(f"{name}: {value}\r\n" for name, value in dict(headers).items())
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def fileno(self):
        return self.socket.fileno()

    def send(self, method, path, body=None):
        sent = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Type: application/json\r\n{self.headers}"
        if method != "GET":
            head += f"Content-Length: {len(sent)}\r\n"
        self.socket.sendall(head.encode() + b"\r\n" + sent)

    def receive(self):
        """Status and body."""
        answer = self.rest
        while b"\r\n\r\n" not in answer:
            answer += self._more()
        head, body = answer.split(b"\r\n\r\n", 1)
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, value = line.split(b":", 1)
            if name.lower() == b"content-length":
                length = int(value)
        while len(body) < length:
            body += self._more()
        self.rest = body[length:]
        return int(head[9:12]), body[:length]

    def _more(self):
        piece = self.socket.recv(65536)
        if not piece:
            raise ConnectionError("the server closed the connection")
        return piece

    def call(self, method, path, body=None):
        self.send(method, path, body)
        return self.receive()

    def expect(self, status, method, path, body=None):
        """The body of the answer, which must have that status."""
        got, answer = self.call(method, path, body)
        if got != status:
            raise SystemExit(f"bench: {method} {path} answered {got}: {answer.decode()}")
        return answer

    def time(self, status, method, path, body=None):
        """Milliseconds of one call."""
        began = time.perf_counter()
        self.expect(status, method, path, body)
        return (time.perf_counter() - began) * 1e3


def wrk(script, port, path, seconds, connections=64, **environment):
    """Loads a server from one thread: requests or logins done, seconds it took."""
    done = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(HERE / script), f"http://127.0.0.1:{port}{path}"],
        capture_output=True, text=True, timeout=seconds + 20, env=os.environ | environment, check=True)
    result = next((line.split() for line in done.stdout.splitlines() if line.startswith("RESULT ")), None)
    if result is None or int(result[3]) > 0:
        raise SystemExit(f"bench: wrk {script}: {done.stdout}{done.stderr}")
    return int(result[1]), int(result[2]) / 1e6


def wait_readable(connections, seconds):
    return select.select(connections, [], [], seconds)[0]


def median(values):
    return statistics.median(values)


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
