"""Uses the dashboard in a browser as people do: every view, every action, live, over a restart, and against hostile texts.

Usage: dashboard.py MOCKNET BROWSER [--screenshots FOLDER] [--only STEP]        MOCKNET and BROWSER are programs
"""

import argparse
import json
import re
import sys
import tempfile
import time
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from dashboard_world import Relay, ServedWorld

TOKEN = "open-sesame-of-the-browser-test"
VIEWS = ["overview", "timeline", "pushes", "chain", "devices", "nodes", "requests", "audit", "registry"]
# What a browser says by itself of an answer that the page has an empty state for, and of a server that restarts.
EXPECTED = re.compile(r"Failed to load resource: (the server responded with a status of (404|409|422)|net::ERR_)")


class Dashboard:
    """The page, with an eye on what no page of ours may do."""

    def __init__(self, browser, world, **options):
        self.world = world
        self.origins = [world.control]
        self.context = browser.new_context(accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.problems = []
        self.page.on("console", self.heard)
        self.page.on("pageerror", lambda error: self.problems.append(f"exception: {error}"))
        self.page.on("request", self.asked)

    def heard(self, message):
        if message.type in ("error", "warning") and not EXPECTED.match(message.text):
            self.problems.append(f"console: {message.text}")

    def asked(self, request):
        if not request.url.removeprefix("blob:").startswith(tuple(f"{origin}/" for origin in self.origins)):
            self.problems.append(f"left the origin: {request.url}")

    def open(self, view):
        self.page.goto(f"{self.world.control}/#/{view}")

    def see(self, selector, **options):
        found = self.page.locator(selector, **options)
        expect(found.first).to_be_visible()
        return found.first

    def toast(self, text):
        expect(self.page.locator("#toasts")).to_contain_text(text)

    def check(self):
        assert not self.problems, self.problems
        assert self.page.evaluate("window.owned") is None, "a hostile text was run"
        foreign = self.page.evaluate(
            "document.querySelectorAll('script:not([src=\"assets/app.js\"]), img:not([src=\"assets/icon.svg\"]), iframe, object, embed, style').length"
        )
        assert foreign == 0, "a hostile text became an element"


def shows_every_view(board):
    for number, view in enumerate(VIEWS, 1):
        board.open("overview")
        board.page.keyboard.press(str(number))
        expect(board.page).to_have_url(re.compile(f"#/{view}$"))
        board.see(f"#main.view-{view} :is(h1, h2)")
        expect(board.page.locator(f'#nav a[data-view="{view}"]')).to_have_attribute("aria-current", "page")
    board.open("overview")
    expect(board.page.locator(".cards")).to_contain_text("pushes")
    assert board.page.locator(".chart svg[role=img]").count() == 4
    board.open("timeline")
    expect(board.page.locator(".list-row").nth(5)).to_be_visible()
    board.check()


def follows_a_message(board):
    """A message sent by the dialog appears on the timeline, the phone and the list of pushes without a reload."""
    page = board.page
    board.open("overview")
    page.keyboard.press("n")
    page.get_by_label("From", exact=True).select_option(label="alice")
    page.get_by_label("To", exact=True).select_option(label="bob")
    page.get_by_label("Text").fill("Live from the browser")
    page.locator("dialog").get_by_role("button", name="Send").click()
    expect(page).to_have_url(re.compile("#/timeline/[0-9]+"))
    board.see(".trace-steps li", has_text="shown")
    assert page.locator(".trace-way .station").count() >= 7
    expect(page.locator(".detail header")).to_contain_text("shown")
    board.see(".list-row.related")
    # From the list, by keys alone.
    page.locator(".list-body").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    expect(page.locator('.list-row[aria-selected="true"]')).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("#/timeline$"))
    board.open("devices")
    board.see('.phone[aria-label="Device phone"] .banner', has_text="Live from the browser")
    board.check()


def looks_into_pushes(board):
    page = board.page
    board.open("pushes")
    rows = page.locator(".list-row")
    expect(rows.first).to_be_visible()
    page.get_by_role("button", name="Refused").click()
    expect(rows.first).to_contain_text("410 Unregistered")
    rows.first.click()
    expect(page.locator(".detail")).to_contain_text("token.unregistered")
    expect(page.locator(".detail")).to_contain_text("apns-topic")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download .apns").click()
    content = json.loads(Path(download.value.path()).read_text())
    assert content["Simulator Target Bundle"] == "im.adamant.adamant-messenger", content
    page.keyboard.press("/")
    page.keyboard.type("status:410 reason:unreg")
    expect(rows).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("holds-no-such-thing")
    board.see(".list-note h2", has_text="Nothing fits")
    board.open("pushes")
    page.reload()
    assert rows.first.is_visible() or expect(rows.first).to_be_visible() is None
    # What comes is at the top without a reload.
    before = board.world.get("pushes?order=newest&limit=1")["pushes"][0]["seq"]
    board.world.send("alice", "bob", "one more push")
    board.see(".list-row", has_text="bob")
    board.world.wait("a further push", lambda: board.world.get("pushes?order=newest&limit=1")["pushes"][0]["seq"] > before)
    newest = board.world.get("pushes?order=newest&limit=1")["pushes"][0]
    expect(rows.first.locator("time")).to_have_attribute("datetime", newest["receivedAt"])
    board.check()


def moves_the_chain(board):
    page, world = board.page, board.world
    board.open("chain")
    page.get_by_label("Forging").select_option("manual")
    board.toast("Forging is changed")
    height = world.get("chain")["height"]
    page.get_by_role("button", name="Take a snapshot").click()
    board.toast("Snapshot")
    page.get_by_label("Blocks to forge").fill("3")
    page.get_by_role("button", name="Forge", exact=True).click()
    board.toast("Height")
    assert world.get("chain")["height"] == height + 3
    identifier = world.send("alice", "bob", "waits for a block")
    page.get_by_role("button", name="Waiting").click()
    row = board.see(".list-row", has_text="alice → bob")
    row.click()
    expect(page.locator(".detail")).to_contain_text("it waits for")
    expect(page.locator(".detail")).to_contain_text(identifier)
    page.get_by_role("button", name="All", exact=True).click()
    page.get_by_role("button", name="Roll back and fork").click()
    page.get_by_label("Blocks to roll back").fill("2")
    page.get_by_role("button", name="Fork", exact=True).click()
    board.toast("rolled back")
    page.get_by_role("button", name="Blocks", exact=True).click()
    board.see(".list-row").click()
    expect(page.locator(".detail h2")).to_contain_text("Block")
    page.get_by_role("button", name="Snapshots").click()
    page.get_by_role("button", name="Go back to it").click()
    board.toast("The world is as it was")
    world.wait("the snapshot's height", lambda: world.get("chain")["height"] == height)
    page.get_by_role("button", name="Forget").click()
    board.see("h2", has_text="No snapshot yet")
    page.get_by_label("Forging").select_option("interval")
    world.wait("forging again", lambda: world.get("chain")["forging"] == "interval")
    board.check()


def uses_devices(board):
    page, world = board.page, board.world
    board.open("devices")
    page.get_by_role("button", name="Add a device").click()
    page.get_by_label("Name").fill("tablet")
    page.get_by_label("Signed in as").select_option(label="carol")
    page.locator("dialog").get_by_role("button", name="Add").click()
    tablet = board.see('.phone[aria-label="Device tablet"]')
    device = lambda: next(item for item in world.get("devices")["devices"] if item["name"] == "tablet")
    menu = tablet.get_by_role("combobox")
    for action, title, fits in [
        ("offline", "offline", lambda it: not it["online"]), ("online", "online", lambda it: it["online"]),
        ("deny", "notifications denied", lambda it: not it["notifications"]), ("allow", "online", lambda it: it["notifications"]),
        ("save-power", "saves power", lambda it: it["savingPower"]), ("full-power", "online", lambda it: not it["savingPower"]),
        ("rotate-token", "online", lambda it: it["token"]), ("kill", "online", lambda it: not it["running"]),
        ("launch", "online", lambda it: it["running"]), ("force-quit", "swiped away", lambda it: it["forceQuit"]),
        ("launch", "online", lambda it: not it["forceQuit"]), ("sign-out", "nobody signed in", lambda it: not it["owner"]),
    ]:
        menu.select_option(action)
        world.wait(action, lambda: fits(device()))
        expect(tablet).to_contain_text(title)
    menu.select_option("sign-in")
    page.locator("dialog").get_by_label("Account").select_option(label="dave")
    page.locator("dialog").get_by_role("button", name="Sign in").click()
    expect(tablet).to_contain_text("dave")
    menu.select_option("quiet")
    page.locator("dialog").get_by_role("button", name="Set").click()
    expect(tablet).to_contain_text("quiet hours")
    menu.select_option("quiet-off")
    world.wait("no quiet hours", lambda: device()["quietHours"] is None)
    for action, button, shown in [("block", "Block a partner", "blocks bob"), ("unblock", "Unblock a partner", None)]:
        menu.select_option(action)
        page.locator("dialog").get_by_label("Account").select_option(label="bob")
        page.locator("dialog").get_by_role("button", name=button).click()
        expect(tablet).to_contain_text(shown) if shown else expect(tablet).not_to_contain_text("blocks")
    has_another_token = lambda it, before: it["token"] not in (None, before)
    for action, fits in [
        ("notifications-off", lambda it, _: not it["notifications"]), ("notifications-push", lambda it, _: it["notifications"]),
        ("expire-token", has_another_token), ("restore", has_another_token), ("reinstall", has_another_token),
        ("uninstall", lambda it, _: not it["installed"]),
    ]:
        before = device()["token"]
        menu.select_option(action)
        world.wait(action, lambda: fits(device(), before))
    expect(tablet).to_contain_text("uninstalled")
    phone = page.locator('.phone[aria-label="Device phone"]')
    phone.get_by_role("button", name="Test push").click()
    expect(phone.locator(".result")).to_contain_text("shown after", timeout=20_000)
    expect(phone.locator(".banner").first).to_contain_text("Test push")
    page.get_by_label("Search devices").fill("tablet")
    expect(page.locator(".phone")).to_have_count(1)
    page.get_by_label("Search devices").fill("")
    board.check()


def breaks_things(board):
    page, world = board.page, board.world
    board.open("nodes")
    node = board.see('.node[aria-label="Node beta"]')
    alpha = lambda: world.get("nodes/beta")
    node.get_by_role("switch", name="reachable").uncheck()
    world.wait("beta is away", lambda: not alpha()["online"])
    node.get_by_role("switch", name="reachable").check()
    world.wait("beta is back", lambda: alpha()["online"])
    for name, key, fits in [
        ("calls that fail", "ArrowRight", lambda it: it["failureRate"] == 0.01), ("blocks behind", "ArrowRight", lambda it: it["lagBlocks"] == 1),
        ("answers later by", "ArrowRight", lambda it: it["latency"]["milliseconds"] == 50), ("relays after", "ArrowRight", lambda it: it["relayMilliseconds"] == 100),
        ("clock ahead by", "ArrowLeft", lambda it: it["clockSkewMilliseconds"] == -500),
    ]:
        node.get_by_role("slider", name=name).press(key)
        world.wait(name, lambda: fits(alpha()))
    for name, member in [("catching up", "syncing"), ("loading", "loading")]:
        node.get_by_role("switch", name=name).check()
        world.wait(name, lambda: alpha()[member])
        node.get_by_role("switch", name=name).uncheck()
        world.wait(name, lambda: not alpha()[member])
    page.get_by_role("button", name="Poll now").click()
    board.toast("Polled")
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("button", name="Start", exact=True).click()
    board.toast("The service runs")

    templates = page.locator("#add-rule")
    templates.click()
    expect(page.get_by_label("Begin with")).to_be_visible()
    count = page.get_by_label("Begin with").locator("option").count() - 1
    for index in range(count):
        if index:
            templates.click()
        page.get_by_label("Begin with").select_option(index=index + 1)
        page.get_by_role("button", name="Add the rule").click()
        world.wait("the rule", lambda: len(world.get("faults")["faults"]) == index + 1)
    expect(page.locator(".rule")).to_have_count(count)
    page.get_by_role("button", name="Remove all").click()
    board.see("h2", has_text="No fault rule")
    templates.click()
    page.get_by_label("The rule;").or_(page.get_by_label("The rule", exact=True)).first.fill("{not json")
    page.get_by_role("button", name="Add the rule").click()
    board.toast("This is not JSON")
    page.get_by_label("The rule", exact=True).fill(
        '{"name": "keep it", "target": "node", "match": {"path": "/api/transactions/process"}, "effect": {"kind": "hold"}}'
    )
    page.get_by_role("button", name="Add the rule").click()
    rule = board.see(".rule", has_text="keep it")
    world.transfer_by_node()
    board.see("h2", has_text="Held back")
    expect(rule).to_contain_text("1 matched, 1 fired")
    page.get_by_role("button", name="Release h").click()
    board.toast("Released")
    rule.get_by_role("button", name="Edit").click()
    text = page.get_by_label("The rule; its counters go on")
    text.fill(text.input_value().replace("keep it", "kept"))
    page.get_by_role("button", name="Save").click()
    board.see(".rule", has_text="kept").get_by_role("button", name="Remove").click()
    expect(page.locator(".rule")).to_have_count(0)
    templates.click()
    page.get_by_label("Or a preset").select_option(index=1)
    page.get_by_role("button", name="Add the preset").click()
    board.see(".rule")
    page.get_by_role("button", name="Remove all").click()
    board.check()


def reads_calls_audit_and_registry(board):
    page = board.page
    board.open("requests")
    board.see(".list-row").click()
    expect(page.locator(".detail")).to_contain_text("127.0.0.1")
    page.get_by_label("Search calls").fill("path:chats")
    board.see(".list-row", has_text="/api/chats")
    board.open("audit")
    board.see("#main h2, #main h3")
    board.open("registry")
    board.see("tbody tr", has_text="bob")
    page.get_by_label("Search the registry").fill("holds-no-such-thing")
    board.see("h2", has_text="Nothing fits")
    board.check()


def keeps_hostile_texts_inert(board):
    for view in VIEWS:
        board.open(view)
        board.page.wait_for_timeout(60)
    board.open("devices")
    board.see('.phone[aria-label="Device phone"] .banner', has_text="<img src=x onerror")
    board.open("pushes")
    board.page.get_by_label("Search pushes").fill("owned")
    board.see(".list-row", has_text="<script>").click()
    expect(board.page.locator(".detail pre")).to_contain_text("</script>")
    board.open("timeline?q=" + "%3Cimg%20src%3Dx%20onerror%3Downed%3D1%3E")
    board.open("timeline/%3Cimg%20src%3Dx%20onerror%3Downed%3D1%3E")
    board.see(".detail h2", has_text="<img")
    board.check()


def helps(board):
    page = board.page
    board.open("overview")
    page.keyboard.press("?")
    board.see("dialog h2", has_text="Keys and search")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    seen = set()
    for _ in range(3):
        page.keyboard.press("t")
        seen.add(page.locator("html").get_attribute("data-theme"))
    assert seen == {"light", "dark"}, seen
    board.check()


def is_accessible(board):
    """axe-core's rules of WCAG 2 A and AA on every view, and those of contrast in dark colours too."""
    rules = {"light": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], "dark": ["color-contrast"]}
    details = [f"timeline/{board.world.lost}", f"pushes/{board.world.refused}"]
    places = {"light": VIEWS + details, "dark": ["overview", "devices", "nodes"] + details}
    found = []
    for scheme in ["light", "dark"]:
        board.page.emulate_media(color_scheme=scheme)
        for place in places[scheme]:
            board.open(place)
            board.see("#main :is(h1, h2)")
            expect(board.page.locator("#main")).not_to_contain_text("Loading…")
            results = Axe().run(board.page, options={"runOnly": rules[scheme], "resultTypes": ["violations"]})
            found += [
                f"{place}, {scheme}: {item['id']}: {node['target']} {node['failureSummary'][:300]}"
                for item in results.response["violations"] for node in item["nodes"][:2]
            ]
    assert not found, "\n".join(found)
    board.check()


def fits_every_width(board):
    for width, height in [(360, 740), (768, 1024), (3840, 2160)]:
        board.page.set_viewport_size({"width": width, "height": height})
        for view in VIEWS + [f"pushes/{board.world.refused}", f"timeline/{board.world.shown}"]:
            board.open(view)
            board.page.wait_for_timeout(50)
            too_wide = board.page.evaluate("document.documentElement.scrollWidth > innerWidth || main.scrollWidth > main.clientWidth + 1")
            assert not too_wide, f"{view} is wider than {width}"
    board.page.set_viewport_size({"width": 1280, "height": 800})
    board.check()


def holds_long_lists(board):
    """What is in the page does not grow with the list, and its end can be reached."""
    world, page = board.world, board.page
    world.post("chain/forge", {"blocks": 1500})
    board.open("chain")
    page.get_by_role("button", name="Blocks", exact=True).click()
    board.see(".list-row")
    body = page.locator(".list-body")
    body.focus()
    for _ in range(8):
        page.keyboard.press("End")
        page.wait_for_timeout(80)
    assert page.locator(".list-row").count() < 120
    shown = int(re.match(r"\d+", page.locator(".list-note").inner_text()).group())
    assert shown >= 400, shown
    page.keyboard.press("Home")
    expect(page.locator('.list-row[aria-posinset="1"]')).to_have_attribute("aria-selected", "true")
    board.check()


def survives_a_restart(board):
    page, world = board.page, board.world
    board.open("timeline")
    expect(page.locator("#link")).to_contain_text("Live")
    world.stop()
    expect(page.locator("#link")).to_contain_text("Disconnected")
    world.start()
    expect(page.locator("#link")).to_contain_text("Live", timeout=10_000)
    board.toast("has started again")
    world.send("alice", "bob", "after the restart")
    board.see(".list-row", has_text="takes a message from alice to bob")
    board.check()


def resumes_a_broken_stream(board):
    """The connection breaks, the world does not: nothing is missed, nothing is shown twice."""
    page, world = board.page, board.world
    relay = Relay(int(world.control.rsplit(":", 1)[1]))
    board.origins.append(relay.address)
    page.goto(f"{relay.address}/#/timeline")
    page.get_by_role("button", name="All", exact=True).click()
    expect(page.locator("#link")).to_contain_text("Live")
    relay.cut()
    expect(page.locator("#link")).to_contain_text("Disconnected")
    sent = [world.send("alice", "bob", f"while nobody listens {number}") for number in range(3)]
    relay.restore()
    expect(page.locator("#link")).to_contain_text("Live")
    for identifier in sent:
        page.get_by_label("Search events").fill(identifier)
        board.see(".list-row", has_text="takes a message from alice to bob")
    taken = page.evaluate("import('./assets/live.js').then(({ live }) => live.recent.map(({ seq }) => seq))")
    assert taken == list(range(taken[0], taken[0] + len(taken))), "events are missing, or twice there"
    board.check()


def asks_for_the_token(browser, mocknet, folder):
    with ServedWorld(mocknet, folder / "guarded", ["--control-token", TOKEN], token=TOKEN, is_filled=False) as world:
        board = Dashboard(browser, world)
        board.page.goto(world.control + "/")
        board.see("dialog h2", has_text="needs its token")
        board.page.get_by_label("Control token").fill(TOKEN)
        board.page.get_by_role("button", name="Use it").click()
        expect(board.page.locator("#link")).to_contain_text("Live", timeout=10_000)
        other = Dashboard(browser, world)
        other.page.goto(world.control + "/#token=" + TOKEN)
        expect(other.page.locator("#link")).to_contain_text("Live", timeout=10_000)
        assert TOKEN not in other.page.url
        other.check()


def photograph(browser, mocknet, folder, pictures):
    """The pictures of README and Docs, of a world in which a little of everything has happened."""
    pictures.mkdir(parents=True, exist_ok=True)
    with ServedWorld(mocknet, folder / "pictures", ["--state-dir", "state"], is_filled=False) as world:
        world.live_through_a_morning()
        page = Dashboard(browser, world, viewport={"width": 1360, "height": 850}).page
        for name, place, scheme in [
            ("overview", "overview", "light"), ("timeline", f"timeline/{world.lost}", "light"), ("pushes", f"pushes/{world.refused}", "dark"),
            ("devices", "devices", "light"), ("nodes", "nodes", "dark"),
        ]:
            page.emulate_media(color_scheme=scheme)
            page.goto(f"{world.control}/#/{place}")
            page.wait_for_timeout(1500)
            page.screenshot(path=pictures / f"dashboard-{name}.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mocknet")
    parser.add_argument("browser")
    parser.add_argument("--screenshots", type=Path)
    parser.add_argument("--only", help="the name of one step")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.browser, args=["--no-sandbox", "--disable-dev-shm-usage"])
        if arguments.screenshots:
            photograph(browser, arguments.mocknet, folder, arguments.screenshots)
        with ServedWorld(arguments.mocknet, folder / "world") as world:
            board = Dashboard(browser, world, viewport={"width": 1440, "height": 900})
            board.page.set_default_timeout(10_000)
            expect.set_options(timeout=10_000)
            for step in [
                shows_every_view, keeps_hostile_texts_inert, is_accessible, fits_every_width, follows_a_message, looks_into_pushes, moves_the_chain,
                uses_devices, breaks_things, reads_calls_audit_and_registry, helps, holds_long_lists, resumes_a_broken_stream, survives_a_restart,
            ]:
                if arguments.only not in (None, step.__name__):
                    continue
                start = time.monotonic()
                try:
                    step(board)
                except Exception:
                    print(f"{step.__name__} failed at {board.page.url}; problems: {board.problems}", file=sys.stderr)
                    board.page.screenshot(path=folder / "failure.png")
                    print(f"what it looked like: {folder / 'failure.png'}", file=sys.stderr)
                    raise
                print(f"{time.monotonic() - start:5.1f} s  {step.__name__}")
        asks_for_the_token(browser, arguments.mocknet, folder)
        browser.close()


if __name__ == "__main__":
    main()
