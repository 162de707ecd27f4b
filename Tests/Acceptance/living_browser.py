"""Browsers that neither hold up the tests after theirs nor fail them: one that does not answer is killed, one that is dead is started anew."""

import contextlib
import os
import signal
import threading
from pathlib import Path

#: Seconds for a test with its fixtures. Playwright itself waits for ever for a browser that does not close.
PATIENCE = 600


class LivingBrowser:
    """A browser, or the next one when it has died."""

    def __init__(self, start):
        self.start, self.browser = start, start()

    def __getattr__(self, name):
        if not self.browser.is_connected():
            self.browser = self.start()
        return getattr(self.browser, name)

    def close(self):
        self.browser.close()


@contextlib.contextmanager
def in_time(seconds=PATIENCE):
    """Kills the browsers of this process after so many seconds: whoever waits for them gets an error then."""
    timer = threading.Timer(seconds, kill_browsers)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def kill_browsers():
    for process in descendants(os.getpid()):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{process}/comm").read_text().startswith("chrom"):
                os.kill(process, signal.SIGKILL)


def descendants(process):
    """Of processes that have gone meanwhile nothing is told."""
    found = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            with contextlib.suppress(OSError):
                for child in map(int, thread.joinpath("children").read_text().split()):
                    found += [child, *descendants(child)]
    return found
