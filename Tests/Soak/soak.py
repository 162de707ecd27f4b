"""Many clients at once against one program for a while: `soak.py [SECONDS [KIND...]]`, 25 and every kind unless told otherwise.

Exit status 1 when the program dies, answers with a 5xx or notes a bug of its own, when a client sees what it should not or hangs,
when memory grows beyond its bound, or when a request costs more and more. Besides the seconds there is a most of requests, so
that a run ends on every machine. `SOAK_PAUSE=SECONDS` has each client rest between two turns.

A run of half an hour and more prints a curve, each minute the memory and how long `/health` took, and fails when memory is not level
from the tenth minute on.
"""

import os
import sys
import threading
import time
from pathlib import Path

import requests

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Acceptance"))

from traffic import KINDS, tally  # noqa: E402
from understudy import CONTROL, Server  # noqa: E402

#: Requests for each second of the run, at most.
MOST_A_SECOND = 20_000
#: Resident memory at any time, and what it may grow by in the second half of a run.
PEAK_MIB, GROWTH_MIB = 512, 64
#: How much dearer a request may be at the end than at the beginning, in processor time of the program: far more than a busy machine
#: makes it, and far less than what once killed the program did.
DEARER = 4.0
#: From so many seconds on, memory must stay within this share of what it was then.
SETTLED, LEVEL = 600, 0.05
#: Seconds between two points of the curve, of runs that are so long.
POINT, LONG = 60, 1800
PAUSE = float(os.environ.get("SOAK_PAUSE") or 0)
#: Seconds that clients get to finish their turn.
PATIENCE = 20
TICKS = os.sysconf("SC_CLK_TCK")
MIB = 1024 * 1024


class Soak:
    def __init__(self, server, seconds, kinds):
        self.server, self.seconds, self.kinds = server, seconds, kinds
        self.end, self.most = time.monotonic() + seconds, MOST_A_SECOND * seconds
        self.failures, self.turns = [], dict.fromkeys((kind.__name__ for kind in kinds), 0)

    @property
    def is_over(self):
        return bool(self.failures) or time.monotonic() > self.end or tally.count > self.most

    def work(self, kind):
        try:
            client = kind(self.server.url)
            while not self.is_over:
                client.again()
                self.turns[kind.__name__] += 1
                time.sleep(PAUSE)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what we are looking for
            self.failures.append(f"{kind.__name__}: {type(error).__name__}: {error}")

    def run(self):
        clients = [threading.Thread(target=self.work, args=[kind], daemon=True)
                   for kind in self.kinds for _ in range(kind.clients)]
        for client in clients:
            client.start()
        if self.seconds >= LONG:
            threading.Thread(target=self.draw, daemon=True).start()
        quarters = [self.measure()]
        for quarter in range(4):
            while not self.is_over and time.monotonic() < self.end - self.seconds * (3 - quarter) / 4:
                time.sleep(0.05)
            quarters.append(self.measure())
        deadline = time.monotonic() + PATIENCE
        for client in clients:
            client.join(max(0, deadline - time.monotonic()))
        hanging = sum(client.is_alive() for client in clients)
        if hanging and not self.failures:
            self.failures.append(f"{hanging} clients hang: no answer for {PATIENCE} s")
        self.judge([one for one in quarters if one])

    def draw(self):
        """Each minute a line: requests, memory in MiB, and milliseconds of `/health`, the median and the longest of ten."""
        start = time.monotonic()
        self.curve = []
        while not self.is_over:
            time.sleep(POINT)
            took = sorted(self.ask() for _ in range(10))
            measured = self.measure()
            if not measured:
                return
            minute = round((time.monotonic() - start) / 60)
            self.curve.append((minute * 60, measured[2]))
            print(f"soak: minute {minute}: {measured[0]} requests, {measured[2]:.1f} MiB, "
                  f"{took[5] * 1000:.1f} ms, {took[-1] * 1000:.1f} ms at most", flush=True)

    def ask(self):
        start = time.monotonic()
        requests.get(self.server.url + CONTROL + "/health", timeout=30)
        return time.monotonic() - start

    def measure(self):
        """Requests, processor seconds and MiB of the program so far; None when it is gone."""
        try:
            fields = Path(f"/proc/{self.server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            pages = int(Path(f"/proc/{self.server.process.pid}/statm").read_text().split()[1])
        except OSError:
            return None
        return tally.count, (int(fields[11]) + int(fields[12])) / TICKS, pages * os.sysconf("SC_PAGE_SIZE") / MIB

    def judge(self, quarters):
        status = self.server.process.poll()
        if status is not None:
            self.failures.insert(0, f"the program died with {status}: {self.server.errors.read_text()[-2000:]}")
        if self.failures or len(quarters) < 5:
            return
        bugs = [line for line in self.server.errors.read_text().splitlines() if "bug:" in line]
        self.failures += bugs[:5]
        self.costs = [(b[1] - a[1]) / max(b[0] - a[0], 1) * 1e6 for a, b in zip(quarters, quarters[1:])]
        self.memory = [round(one[2]) for one in quarters]
        half, whole = self.memory[2], self.memory[4]
        if max(self.memory) > PEAK_MIB:
            self.failures.append(f"{max(self.memory)} MiB were held, more than {PEAK_MIB}")
        if whole - half > GROWTH_MIB:
            self.failures.append(f"memory grew from {half} to {whole} MiB in the second half, by more than {GROWTH_MIB}")
        settled = [mib for second, mib in getattr(self, "curve", []) if second >= SETTLED]
        if settled and max(settled) > settled[0] * (1 + LEVEL):
            self.failures.append(f"memory grew from {settled[0]:.1f} MiB at minute 10 to {max(settled):.1f} MiB")
        early, late = self.costs[1], self.costs[3]
        if late > DEARER * early:
            self.failures.append(f"a request cost {early:.0f} µs in the second quarter and {late:.0f} in the last")


def main(seconds="25", *names):
    kinds = [kind for kind in KINDS if not names or kind.__name__ in names]
    if not seconds.isdigit() or not int(seconds) or not kinds:
        print("usage: soak.py [SECONDS [KIND...]]; kinds are " + ", ".join(kind.__name__ for kind in KINDS))
        return 2
    server = Server()
    soak = Soak(server, int(seconds), kinds)
    start = time.monotonic()
    try:
        soak.run()
        print(f"soak: {tally.count} requests in {time.monotonic() - start:.0f} s; turns: "
              + ", ".join(f"{name} {count}" for name, count in soak.turns.items()))
        if hasattr(soak, "memory"):
            print("soak: MiB at each quarter " + " ".join(map(str, soak.memory))
                  + "; µs of processor for a request in each " + " ".join(f"{cost:.0f}" for cost in soak.costs))
    finally:
        server.stop()
    if not soak.failures and server.process.returncode != 0:
        soak.failures.append(f"it ended with {server.process.returncode} when it was told to stop")
    for failure in soak.failures[:10]:
        print("soak: " + failure)
    return 1 if soak.failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
