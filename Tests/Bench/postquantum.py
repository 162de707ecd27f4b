"""The measure `postquantum`: what ML-KEM and ML-DSA take by themselves, the median of many runs of each operation."""

import subprocess

from tools import BUILD, median

ROUNDS = 3
#: Microseconds at the most.
BARS = {"ML-KEM-768 encapsulation": 120, "ML-DSA-65 signature": 1500, "ML-DSA-65 verification": 300}


def times():
    """Microseconds by the name of the operation."""
    found = {}
    for _ in range(ROUNDS):
        done = subprocess.run([BUILD / "PostQuantumTool", "time"], capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            name, microseconds = line.split(": ")
            found.setdefault(name, []).append(float(microseconds))
    return {name: median(figures) for name, figures in found.items()}


def measure_postquantum(table):
    """Beside nothing: no C library of Debian 12 has these algorithms."""
    for name, figure in times().items():
        bar = {"bar": BARS[name]} if name in BARS else {"unbarred": "none: `powerauth` has what requests take of it"}
        table.add(name, figure, "µs", **bar)
