"""Measures mocknet beside its peers in one run, in alternating rounds, and prints one table.

Compared is the CPU time of the server per completed request: rates on shared cores vary by twice, this does not.
"""

import argparse
import sys
import tempfile

sys.dont_write_bytecode = True

from parts import lists, node, posts, pushes, sockets, start  # noqa: E402
from setting import Setting  # noqa: E402

PARTS = {
    "start": start.measure, "node": node.measure, "lists": lists.measure, "posts": posts.measure,
    "sockets": sockets.measure, "pushes": pushes.measure,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--binary", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds of each measurement (5)")
    parser.add_argument("--transactions", type=int, default=1_000_000, help="length of the long chain (1000000)")
    parser.add_argument("--pushes", type=int, default=1_000_000, help="length of the long record of pushes (1000000)")
    parser.add_argument("--only", default=",".join(PARTS), help="some of " + ",".join(PARTS))
    options = parser.parse_args()
    names = options.only.split(",")
    for name in names:
        if name not in PARTS:
            parser.error(f"unknown measurement '{name}'")
    with tempfile.TemporaryDirectory(prefix="mocknet-bench-") as folder:
        setting = Setting(options, folder)
        for name in names:
            print(f"measuring: {name}", file=sys.stderr)
            PARTS[name](setting)
    setting.table.print()


main()
