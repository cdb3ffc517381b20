"""How long processes have computed: on a machine that others use as well this says more than a clock on the wall."""

import sys
import time
from contextlib import suppress

import psutil


def seconds(pid: int) -> float:
    """Seconds that a process has computed so far, on all cores; 0 when it is gone."""
    with suppress(OSError, psutil.NoSuchProcess):
        if sys.platform == "linux":  # the clock of another process, to the microsecond: see clock_getcpuclockid(3)
            return time.clock_gettime_ns((~pid << 3) | 2) / 1e9
        else:
            times = psutil.Process(pid).cpu_times()
            return float(times.user + times.system)
    return 0.0


def of_children(pid: int) -> float:
    """The same of all processes that a process has started and that live."""
    return sum(seconds(child.pid) for child in psutil.Process(pid).children())
