"""From starting the process to its first answer, and memory before anything else."""

import statistics
import time

from servers import Mocknet, accepts, free_port


def measure(setting):
    times = []
    for _ in range(max(setting.rounds, 5)):
        base = free_port_base()
        begin = time.monotonic()
        server = StartedMocknet(setting.binary, base)
        with server:
            while not answers(base + 66):
                if server.process.poll() is not None:
                    raise RuntimeError("mocknet ended instead of starting")
            times.append((time.monotonic() - begin) * 1000)
    setting.table.at_most("start to the first answer", statistics.median(times), "ms", 50)
    with setting.world() as server:
        time.sleep(1)
        setting.table.at_most("resident memory, idle", server.resident(), "MiB", 25)


class StartedMocknet(Mocknet):
    """A world of which only the node's port is known."""

    def __init__(self, binary, base):  # pylint: disable=super-init-not-called
        super(Mocknet, self).__init__([binary, "up", "--port-base", str(base), "--seed", "7"])


def free_port_base():
    """A base whose ports look free."""
    while True:
        base = free_port()
        if base < 65_000 and not any(accepts(base + offset) for offset in (0, 20, 21, 66, 68)):
            return base


def answers(port):
    try:
        return b'"success":true' in Mocknet.call(f"http://127.0.0.1:{port}", "GET", "/api/node/status")
    except OSError:
        return False
