"""What all parts of the benchmark share: the options, the table, and how costs are measured."""

import statistics

from servers import Mocknet
from table import Table


class Setting:
    """The options of a run, and the table that it fills."""

    def __init__(self, options, folder):
        self.binary, self.rounds, self.transactions = options.binary, options.rounds, options.transactions
        self.pushes = options.pushes
        self.folder = folder
        self.table = Table()

    def world(self, *options):
        return Mocknet(self.binary, self.folder, "--forging", "manual", *options)

    def alternate(self, *sides):
        """Medians of all sides, measured in turns."""
        results = [[side() for side in sides] for _ in range(self.rounds)]
        return [statistics.median(column) for column in zip(*results)]


class Meter:
    """Adds up a server's CPU over several stretches."""

    def __init__(self, server):
        self.server, self.seconds, self.count = server, 0.0, 0

    def measure(self, work, count):
        before = self.server.cpu()
        work()
        self.seconds += self.server.cpu() - before
        self.count += count

    @property
    def each(self):
        """Seconds for each of what was counted."""
        return self.seconds / self.count


def per_request(server, load):
    """Seconds of the server's CPU for each request of a load."""
    before = server.cpu()
    count = load()
    return (server.cpu() - before) / count
