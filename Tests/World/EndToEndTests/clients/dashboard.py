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
    # Whole values are looked up, an id is opened.
    for text in [f"token:{'ab' * 32}", f"{'AB' * 32} state:notDelivered", "status:410 nobody"]:
        page.get_by_label("Search pushes").fill(text)
        expect(rows).to_have_count(1)
    page.get_by_label("Search pushes").fill("status:410 holds-no-such-thing")
    board.see(".list-note h2", has_text="Nothing fits")
    page.get_by_label("Search pushes").fill(board.world.refused)
    expect(page).to_have_url(re.compile(f"#/pushes/{board.world.refused}$"))
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
    expect(page.locator(".detail h2")).to_contain_text("Chain and pushes")
    board.see(".list-row", has_text="bob").click()
    expect(page.locator(".detail")).to_contain_text(board.world.get("devices/phone")["token"])
    page.get_by_role("link", name="Pushes to it").click()
    board.see(".view-pushes .list-row", has_text="bob")
    board.open("registry")
    page.get_by_label("Search the registry").fill("bob")
    expect(page.locator(".list-row")).to_have_count(1)
    page.get_by_label("Search the registry").fill("holds-no-such-thing")
    board.see("h2", has_text="Nothing fits")
    page.keyboard.press("Escape")
    board.see(".list-row", has_text="bob")
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


def choose(board, action):
    board.see('.phone[aria-label="Device phone"]').get_by_role("combobox").select_option(action)


# Where each dialog is opened from, and how.
DIALOGS = {
    "Send": ("overview", lambda board: board.page.keyboard.press("n")),
    "Keys and search": ("overview", lambda board: board.page.keyboard.press("?")),
    "Roll back and fork": ("chain", lambda board: board.page.get_by_role("button", name="Roll back and fork").click()),
    "Add a device": ("devices", lambda board: board.page.get_by_role("button", name="Add a device").click()),
    "Sign in on phone": ("devices", lambda board: choose(board, "sign-in")),
    "Block a partner on phone": ("devices", lambda board: choose(board, "block")),
    "Quiet hours of phone": ("devices", lambda board: choose(board, "quiet")),
    "Add a fault rule": ("nodes", lambda board: board.page.locator("#add-rule").click()),
    "Rule looked at": ("nodes", lambda board: board.page.get_by_role("button", name="Edit looked at").click()),
}


def is_accessible(board):
    """axe-core's rules of WCAG 2 A and AA on every view and dialog in light colours, and those of contrast in dark ones."""
    rules = {"light": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], "dark": ["color-contrast"]}
    world, page = board.world, board.page
    rule = world.post("faults", {"name": "looked at", "target": "apns", "match": {"topic": "com.example.none"}, "effect": {"kind": "reset", "when": "before"}})
    block = world.get("blocks?order=newest&limit=1")["blocks"][0]["height"]
    places = VIEWS + [
        f"timeline/{world.lost}", f"timeline/{world.shown}", f"pushes/{world.refused}", f"chain/transaction/{world.shown}", f"chain/block/{block}",
    ]
    found = []

    def look(what, scheme, context=None):
        results = Axe().run(page, context=context, options={"runOnly": rules[scheme], "resultTypes": ["violations"]})
        found.extend(
            f"{what}, {scheme}: {item['id']}: {node['target']} {node['failureSummary'][:300]}"
            for item in results.response["violations"] for node in item["nodes"][:2]
        )

    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        for place in places:
            board.open(place)
            board.see("#main :is(h1, h2)")
            expect(page.locator("#main")).not_to_contain_text("Loading…")
            look(place, scheme)
        for title, (place, action) in DIALOGS.items():
            board.open(place)
            board.see("#main :is(h1, h2)")
            action(board)
            board.see("dialog h2", has_text=title)
            look(title, scheme, "dialog")
            page.keyboard.press("Escape")
            expect(page.locator("dialog")).to_have_count(0)
    world.call("DELETE", f"faults/{rule['id']}")
    assert not found, "\n".join(found)
    board.check()


def tells_the_tour(board):
    """Who knows nothing of it is told what this is, what has happened, and at the end what a race is and what it does."""
    page, world = board.page, board.world
    board.open("overview")
    tour = page.locator(".tour")
    expect(tour).to_contain_text("All of it is simulated and nothing leaves it")
    for step in [
        "phone signs in and registers for pushes", "A block holds the signal", "The service (ANS) notes the token", "Somebody writes to bob",
        "A block holds the message", "The service pushes", "phone wakes up and shows the message",
    ]:
        expect(tour.locator(".done", has_text=step)).to_have_count(1)
    expect(tour).to_contain_text("Apple gets an address and the transaction's id, and no word of the message.")
    expect(tour).to_contain_text("That was a push")
    tour.get_by_role("link", name="answered 200").click()
    expect(page).to_have_url(re.compile("#/pushes/"))
    board.open("overview")
    page.get_by_role("button", name="Play the race").click()
    deployed, ordered = tour.get_by_label("The client as it is deployed"), tour.get_by_label("A client that keeps the order")
    expect(deployed).to_contain_text("The chain says: not registered", timeout=30_000)
    expect(deployed).to_contain_text("nothing is shown")
    expect(deployed).to_contain_text("The phone believes: registered")
    expect(ordered).to_contain_text("The chain says: registered", timeout=30_000)
    expect(ordered).to_contain_text("the message is shown")
    expect(tour).to_contain_text("it still believes that it is registered")
    assert world.get("faults")["faults"] == [], "the race leaves no rule behind"
    tour.get_by_role("button", name="Hide the tour").click()
    page.reload()
    expect(tour.locator(".tour-body")).to_be_hidden()
    page.get_by_role("button", name="Show the tour").click()
    expect(tour.get_by_text("That was a push")).to_be_visible()
    board.check()


def begins_the_tour(browser, mocknet, folder):
    """In a world in which nothing has happened the tour is played from the page."""
    with ServedWorld(mocknet, folder / "empty", is_filled=False) as world:
        board = Dashboard(browser, world)
        board.open("overview")
        tour = board.page.locator(".tour")
        expect(tour).to_contain_text("Nobody is registered")
        expect(tour.locator(".now")).to_contain_text("registers for pushes")
        tour.get_by_role("button", name="A device for bob").click()
        tour.get_by_role("button", name="Write to bob").click()
        expect(tour).to_contain_text("That was a push")
        for view, title in [("pushes", "Refused"), ("requests", None)]:
            board.open(view)
            board.see(".view-" + view)
            if title:
                board.page.get_by_role("button", name=title).click()
                board.see("h2", has_text="Nothing fits")
        world.post("reset")
        for view, text in [
            ("overview", "Nobody is registered"), ("pushes", "No push yet"), ("chain", "No transaction yet"), ("devices", "No device yet"), ("nodes", "No fault rule"), ("registry", "Nobody is registered"),
        ]:
            board.open(view)
            expect(board.page.locator("#main")).to_contain_text(text)
        board.check()


def pages_large_worlds(browser, mocknet, folder):
    """A registry of 2,600 rows and some hundred devices are told by pages, and what is in the page stays small."""
    with ServedWorld(mocknet, folder / "large", is_filled=False) as world:
        world.post("fixtures/registry", {"rows": 2600, "addresses": 1700})
        for number in range(1, 251):
            world.post("devices", {"name": f"phone {number}"})
        board = Dashboard(browser, world, viewport={"width": 1440, "height": 900})
        page = board.page
        elements = lambda: page.evaluate("document.querySelectorAll('*').length")
        board.open("registry")
        expect(board.see("[role=status]", has_text="2\u202f600 tokens of 1\u202f700 addresses")).to_be_visible()
        rows, body = page.locator(".list-row"), page.locator(".list-body")
        expect(rows.first).to_be_visible()
        body.focus()
        for number in range(200, 2601, 100):
            page.keyboard.press("End")
            world.wait("further rows", lambda: int(re.match(r"\d+", page.locator(".list-note").inner_text()).group()) >= number)
        assert rows.count() < 80 and elements() < 1500, (rows.count(), elements())
        last = world.get("registry?limit=1")["rows"][0]
        page.get_by_label("Search the registry").fill(last["token"][:20])
        expect(rows).to_have_count(1)
        rows.first.click()
        expect(page.locator(".detail")).to_contain_text(last["token"])
        board.open("devices")
        phones = page.locator(".phone")
        expect(phones).to_have_count(24)
        expect(phones.first).to_contain_text("phone 1")
        expect(page.locator(".pager")).to_contain_text("page 1 of 11")
        page.get_by_role("button", name="After →").click()
        expect(phones.first).to_contain_text("phone 25")
        board.open("devices/d250")
        expect(page.locator(".phone.wanted")).to_contain_text("phone 250")
        assert elements() < 1500, elements()
        expect(page.get_by_role("button", name="After →")).to_be_disabled()
        page.get_by_label("Search devices").fill('"phone 123"')
        expect(phones).to_have_count(1)
        page.get_by_label("Search devices").fill("name:no-such")
        board.see("h2", has_text="Nothing fits")
        page.keyboard.press("Escape")
        expect(phones).to_have_count(24)
        world.post("devices/d3/offline")
        expect(page.locator('.phone[aria-label="Device phone 3"]')).to_contain_text("offline")
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
                shows_every_view, keeps_hostile_texts_inert, is_accessible, fits_every_width, follows_a_message, looks_into_pushes, tells_the_tour, moves_the_chain,
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
        for step in [asks_for_the_token, begins_the_tour, pages_large_worlds]:
            if arguments.only in (None, step.__name__):
                start = time.monotonic()
                step(browser, arguments.mocknet, folder)
                print(f"{time.monotonic() - start:5.1f} s  {step.__name__}")
        browser.close()


if __name__ == "__main__":
    main()
