"""GETs of a node beside nginx serving the same bytes, and many connections beside few."""

import statistics

from chain import Chain, account_of
from loads import wrk
from servers import Nginx
from setting import per_request

CONNECTIONS = [64, 127, 128, 129, 256, 512]


def measure(setting):
    with setting.world() as server:
        Chain(server).grow(200)
        height = server.control("GET", "/v1/world")["height"]
        bob = account_of(server, "bob")
        paths = {
            "status": ("GET /api/node/status", "/api/node/status", 0.8),
            "page": ("GET /api/chats/get, page of 100", f"/api/chats/get?isIn={bob}&orderBy=timestamp:desc", 0.75),
            "empty": ("GET /api/chats/get, nothing new",
                      f"/api/chats/get?orderBy=timestamp:desc&fromHeight={height}", 0.75),
        }
        files = {name: server.get(path) for name, (_, path, _) in paths.items()}
        assert files["page"].count(b'"id":') == 100 and b'"transactions":[]' in files["empty"]
        compare(setting, server, paths, files)
        crowds(setting, server)


def compare(setting, server, paths, files):
    """Each path, by its title and goal, beside nginx serving its bytes: asked for again, and by nobody else."""
    with Nginx(setting.folder, files) as nginx:
        for name, (title, path, goal) in paths.items():
            peer_title = f"nginx, {len(files[name])} bytes"
            ours, peer = setting.alternate(
                lambda: per_request(server, lambda: wrk(server.node + path)[0]),
                lambda: per_request(nginx, lambda: wrk(f"{nginx.url}/{name}")[0]))
            setting.table.ratio(title, peer_title, peer, ours, goal)
            if "?" in path:
                alone = statistics.median(cost_alone(server, path) for _ in range(setting.rounds))
                setting.table.ratio("  … asked for by nobody else", peer_title, peer, alone, goal)


def cost_alone(server, path):
    """CPU of a request that nobody else has made."""
    return per_request(server, lambda: wrk(server.node + path, distinct=True)[0])


def crowds(setting, server):
    """Requests per second and their cost as connections become more."""
    costs, rates = {count: [] for count in CONNECTIONS}, {count: [] for count in CONNECTIONS}
    for _ in range(setting.rounds):
        for count in CONNECTIONS:
            before = server.cpu()
            requests, rate = wrk(server.node + "/api/node/status", count)
            costs[count].append((server.cpu() - before) / requests)
            rates[count].append(rate)
    few = CONNECTIONS[0]
    for count in CONNECTIONS[1:]:
        setting.table.share(f"requests per second with {count} connections", f"{few} connections",
                            statistics.median(rates[few]), statistics.median(rates[count]), 0.5)
        setting.table.ratio("  … CPU for each", f"{few} connections",
                            statistics.median(costs[few]), statistics.median(costs[count]), None)
