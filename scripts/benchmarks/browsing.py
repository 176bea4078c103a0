#!/usr/bin/env python3
"""Measures the dashboard in a browser on worlds with long lists; Docs/performance.md says how.

Usage: browsing.py MOCKNET BROWSER [--only pushes|chain] [--pushes N] [--messages N] [--rows N]

Run it with the Python that scripts/test makes for its browser (.build/test-python-browser/bin/python). It needs h2load.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/World/EndToEndTests/clients"))

from dashboard_world import ServedWorld  # noqa: E402

DEVICES = 1000
PAGES = 30


def push(world, folder, count, transaction="9141507109838748685"):
    payload = folder / "push.json"
    payload.write_text('{"aps":{"alert":{"loc-key":"NewMessage"},"mutable-content":1},"push-recipient":"U9764661521592110710","txn-id":"%s"}' % transaction)
    urls = [f"{world.description['apns']['production']}/3/device/{number:064x}" for number in range(DEVICES)]
    (folder / "urls").write_text("\n".join(urls))
    return subprocess.Popen(
        ["h2load", "-n", str(count), "-c", str(min(4, count)), "-m", "100", "-d", str(payload), "-H", "apns-topic: im.adamant.adamant-messenger", "-H", "apns-push-type: alert",
         "-i", str(folder / "urls")], stdout=subprocess.DEVNULL,
    )


class Meter:
    def __init__(self, page, world):
        self.page, self.world = page, world
        self.session = page.context.new_cdp_session(page)

    def timed(self, action, done):
        begin = time.monotonic()
        action()
        done()
        return (time.monotonic() - begin) * 1000

    def tell(self, view, what, value, unit="ms"):
        print(f"{view:<22}{what:<44}{value:>10,.0f} {unit}", flush=True)

    def heap(self):
        self.session.send("HeapProfiler.collectGarbage")
        return self.session.send("Runtime.getHeapUsage")["usedSize"] / 1e6

    def rows_shown(self):
        text = self.page.locator(".list-note").inner_text()
        return int("".join(character for character in text.split(" shown")[0] if character.isdigit()) or 0)

    def list(self, view, hash_, finds, more=lambda: None):
        page, rows = self.page, self.page.locator(".list-row")
        page.goto(f"{self.world.control}/#/overview")
        expect(page.locator(".cards b").first).to_be_visible()
        self.tell(view, "until the first row", self.timed(lambda: page.evaluate("hash => { location.hash = hash }", hash_), lambda: (more(), expect(rows.first).to_be_visible())))
        page.locator(".list-body").focus()
        times = []
        for number in range(PAGES):
            before = self.rows_shown()

            def next_page():
                while self.rows_shown() <= before:
                    assert time.monotonic() < end, "no further page"
            end = time.monotonic() + 20
            times.append(self.timed(lambda: page.keyboard.press("End"), next_page))
        self.tell(view, f"a further page of 100, median of {PAGES}", sorted(times)[PAGES // 2])
        self.tell(view, "elements in the page then", page.evaluate("document.querySelectorAll('*').length"), "")
        self.tell(view, "heap then", self.heap(), "MB")
        page.keyboard.press("Home")
        search = page.locator("[data-search]")
        for what, text in finds.items():
            search.fill("")
            page.locator(".list-body").focus()
            page.keyboard.press("Escape")
            expect(rows.nth(5)).to_be_visible()
            self.tell(view, f"search: {what}", self.timed(lambda: search.fill(text), lambda: self.search_until(lambda: rows.count() == 1 or page.locator(".detail .actions").count())))
        self.tell(view, "search of all for what is nowhere", self.timed(lambda: search.fill("nowhere-to-be-found"), lambda: self.search_until(lambda: "Nothing fits" in page.locator(".list-note").inner_text())))
        search.fill("")
        expect(rows.first).to_be_visible()

    def search_until(self, holds):
        note, end = self.page.locator(".list-note"), time.monotonic() + 180
        while not holds():
            assert time.monotonic() < end, "the search does not end"
            if note.get_by_role("button", name="Search further").is_visible():
                note.get_by_role("button", name="Search further").click()
            time.sleep(0.05)

    def frames(self, seconds):
        return self.page.evaluate("""seconds => new Promise((done) => {
            let last = performance.now(), longest = 0, count = 0;
            const end = last + seconds * 1000;
            requestAnimationFrame(function step(now) {
              longest = Math.max(longest, now - last); last = now; count += 1;
              if (now < end) requestAnimationFrame(step); else done([longest, count / seconds]);
            });
        })""", seconds)


def pushes(meter, world, folder, count):
    world.call("PATCH", "apns", {"credentials": "off"})
    begin = time.monotonic()
    assert push(world, folder, 1, "1234567890123456").wait() == 0
    assert push(world, folder, count).wait() == 0
    print(f"{count:,} pushes recorded in {time.monotonic() - begin:.0f} s")
    middle = world.get(f"pushes?after={count // 2}&limit=1")["pushes"][0]
    meter.list("Pushes", "#/pushes", {"the transaction of the oldest": "1234567890123456", "the id of one in the middle": middle["id"]})
    flood = push(world, folder, 50_000)
    longest, rate = meter.frames(2)
    flood.wait()
    meter.tell("Pushes", "longest frame while 50,000 more come", longest)
    meter.tell("Pushes", "frames a second meanwhile", rate, "")
    newest = world.get("pushes?order=newest&limit=1")["pushes"][0]
    meter.tell("Pushes", "until the newest of them is at the top", meter.timed(
        lambda: None, lambda: expect(meter.page.locator(".list-row time").first).to_have_attribute("datetime", newest["receivedAt"])))
    meter.list("Timeline", "#/timeline", {})


def chain(meter, world, mocknet, messages, rows):
    begin = time.monotonic()
    subprocess.run([mocknet, "fixture", "load", "--accounts", "100", "--messages", str(messages), "--rate", "10000", "--forge", "--control", world.control],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print(f"{messages:,} messages in blocks after {time.monotonic() - begin:.0f} s")
    middle = world.get(f"blocks/{world.get('chain')['height'] // 2}")["transactions"][0]
    meter.list("Chain, transactions", "#/chain", {"the id of one in the middle": middle["id"]})
    page = meter.page
    meter.list("Chain, blocks", "#/chain", {}, more=lambda: page.get_by_role("button", name="Blocks", exact=True).click())
    begin = time.monotonic()
    world.call("POST", "fixtures/registry", {"rows": rows, "addresses": rows * 2 // 3}, seconds=600)
    print(f"{rows:,} registrations after {time.monotonic() - begin:.0f} s")
    first = world.get("registry?limit=1&others=0")["rows"][0]
    meter.list("Registry", "#/registry", {"the token of the oldest": first["token"]})
    meter.list("Timeline", "#/timeline", {})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mocknet")
    parser.add_argument("browser")
    parser.add_argument("--only", choices=["pushes", "chain"])
    parser.add_argument("--pushes", type=int, default=1_000_000)
    parser.add_argument("--messages", type=int, default=300_000)
    parser.add_argument("--rows", type=int, default=20_000)
    options = parser.parse_args()
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox", "--disable-dev-shm-usage"])
        for name, fill in [("pushes", lambda meter, world, folder: pushes(meter, world, folder, options.pushes)),
                           ("chain", lambda meter, world, folder: chain(meter, world, options.mocknet, options.messages, options.rows))]:
            if options.only not in (None, name):
                continue
            folder = Path(tempfile.mkdtemp())
            with ServedWorld(options.mocknet, folder, is_filled=False) as world:
                page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
                fill(Meter(page, world), world, folder)
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
