// Each simulated device as a phone: what its user sees, and everything one can do with it.

import { get, post } from "./api.js";
import { badge, button, dialog, emptyState, facts, h, redraw, replace, setText } from "./dom.js";
import { duration, moment, plural, short, time } from "./format.js";
import { searchField } from "./list.js";
import { live, nameOf } from "./live.js";
import { attempt, choice, field } from "./send.js";

/** How many phones there are on a page, and how many banners on a phone. */
const PHONES = 24;
const BANNERS = 30;

const ACTIONS = [
  ["sign-out", "Sign out", (device) => device.owner], ["offline", "Go offline", (device) => device.online], ["online", "Go online", (device) => !device.online],
  ["launch", "Start the app", (device) => device.installed && !device.running], ["kill", "End the app", (device) => device.running],
  ["force-quit", "Swipe the app away", (device) => device.running], ["deny", "Forbid notifications", (device) => device.notifications],
  ["allow", "Allow notifications", (device) => !device.notifications], ["notifications-off", "Switch off in the app", (device) => device.owner],
  ["notifications-push", "Switch on in the app", (device) => device.owner], ["save-power", "Save power", (device) => !device.savingPower],
  ["full-power", "Full power", (device) => device.savingPower], ["quiet-off", "End quiet hours", (device) => device.quietHours],
  ["rotate-token", "Get another token", (device) => device.installed], ["expire-token", "Let the token expire", (device) => device.installed],
  ["reinstall", "Reinstall", () => true], ["restore", "Restore from backup", (device) => device.installed], ["uninstall", "Uninstall", (device) => device.installed],
];

export function open(main, where) {
  const phones = h("div", { class: "phones" });
  const summary = h("span", { class: "muted", role: "status" });
  const pager = h("div", { class: "pager", role: "group", "aria-label": "Pages" });
  let query = where.query.get("q") ?? "";
  main.append(h("div", { class: "bar" }, h("h1", {}, "Devices"), searchField({
    label: "Search devices", value: query, placeholder: "Search: a name, an owner, a token, online:false …", onSearch: (text) => { query = text; turnTo([0]); },
  }), button("Add a device", () => addDevice(read), { class: "primary" }), summary),
  h("p", { class: "muted" }, "Each phone shows what its user sees. What it believes of its registration is its own view; the chain's is in the Registry."), phones, pager);
  /** Behind which device each page begins that one has come over, the one in sight last. */
  let starts = [0];
  let turn = 0;
  let isReading = false;
  let isStale = false;
  let wanted = null;
  const cards = new Map();

  const read = async () => {
    if (isReading) { isStale = true; return; }
    isReading = true;
    isStale = false;
    const mine = turn;
    try {
      const page = await get("devices", { after: starts.at(-1), limit: PHONES, shown: BANNERS, q: query });
      if (mine === turn) draw(page);
    } catch (error) {
      if (!cards.size) replace(phones, emptyState("They cannot be read", error.message));
    }
    isReading = false;
    if (isStale) setTimeout(read, mine === turn ? 150 : 0);
  };
  const turnTo = (pages) => {
    starts = pages;
    turn += 1;
    main.scrollTop = 0;
    read();
  };
  /** Turns to the page of a device: they are numbered in the order in which they were made. */
  const goTo = (id) => {
    wanted = id;
    const page = Math.floor((Number(id.slice(1)) - 1) / PHONES);
    turnTo(page > 0 ? Array.from({ length: page + 1 }, (_, index) => index * PHONES) : [0]);
  };
  const draw = ({ devices, next, more, count }) => {
    if (!devices.length) {
      replace(phones, count ? emptyState("Nothing fits", "No device is like that. Search takes words and field:value, for one online:false.")
        : emptyState("No device yet", "A simulated device signs in, registers over the chain, and shows what is pushed to it. Add one here, or in a shell:", "mocknet device new phone --owner bob"));
      cards.clear();
    } else {
      if (!cards.size) replace(phones);
      for (const [id, card] of cards) if (!devices.some((device) => device.id === id)) { card.node.remove(); cards.delete(id); }
      devices.forEach((device, place) => {
        const card = cards.get(device.id) ?? new Phone(read);
        card.show(device);
        cards.set(device.id, card);
        if (phones.children[place] !== card.node) phones.insertBefore(card.node, phones.children[place] ?? null);
      });
    }
    setText(summary, query ? `${devices.length}${more ? "+" : ""} of ${plural(count, "device")} on this page` : plural(count, "device"));
    redraw(pager, [starts, next, more], () => (more || starts.length > 1) && [
      button("← Before", () => turnTo(starts.slice(0, -1)), { disabled: starts.length === 1 }), h("span", {}, `page ${starts.length}${query ? "" : ` of ${Math.ceil(count / PHONES)}`}`),
      button("After →", () => turnTo([...starts, next]), { disabled: !more })]);
    if (wanted && cards.has(wanted)) {
      cards.get(wanted).node.scrollIntoView({ block: "nearest" });
      cards.get(wanted).node.classList.add("wanted");
      wanted = null;
    }
  };
  if (where.id) goTo(where.id);
  else read();
  return {
    update(batch) { if (batch.some(({ kind }) => /^(device|push|world)\b/.test(kind))) read(); },
    move(to) { if (to.id) goTo(to.id); },
    escape() { if (starts.length > 1) turnTo([0]); },
  };
}

/** One device, redrawn where it changes. */
class Phone {
  constructor(changed) {
    this.changed = changed;
    this.title = h("h2", {});
    this.owner = h("p", { class: "owner" });
    this.state = h("div", { class: "states" });
    this.clock = h("div", { class: "phone-clock", "aria-hidden": "true" });
    this.screen = h("ol", { class: "screen", tabindex: "0" });
    this.facts = h("div", {});
    this.test = button("Test push", () => this.testPush(), { class: "primary" });
    this.menu = choice([["", "Do…"]], "", { class: "menu", onchange: () => this.perform() });
    this.result = h("p", { class: "result", role: "status" });
    this.node = h("article", { class: "phone" }, h("header", {}, h("div", {}, this.title, this.owner), this.state),
      h("div", { class: "glass" }, this.clock, this.screen), h("div", { class: "actions" }, this.test, this.menu), this.result, this.facts);
  }

  show(device) {
    const text = JSON.stringify(device);
    if (text === this.shown) return;
    this.shown = text;
    this.device = device;
    const name = device.name ?? device.id;
    replace(this.title, name);
    this.node.setAttribute("aria-label", `Device ${name}`);
    this.screen.setAttribute("aria-label", `Banners of ${name}`);
    this.menu.setAttribute("aria-label", `Do something with ${name}`);
    replace(this.owner, device.owner ? nameOf(device.owner) : device.topic === "im.adamant.adamant-messenger" ? "nobody signed in" : device.topic);
    replace(this.state, device.online ? badge("ok", "online") : badge("bad", "offline"),
      !device.installed && badge("bad", "uninstalled"), device.installed && !device.notifications && badge("warn", "notifications denied"),
      device.owner && (device.believesRegistered ? badge("ok", "registered", "as the device believes") : badge("warn", "not registered", "as the device believes")),
      device.savingPower && badge("wait", "saves power"), device.forceQuit && badge("wait", "swiped away"),
      device.quietHours && badge("wait", "quiet hours"), device.blocked.length > 0 && badge("wait", `blocks ${device.blocked.map(nameOf).join(", ")}`),
      device.problem && badge("bad", device.problem));
    this.test.hidden = !device.owner;
    const banners = device.banners.toReversed();
    replace(this.clock, banners.length ? banners[0].at.slice(11, 16) : "––:––");
    replace(this.screen, banners.length ? banners.map(bannerView) : h("li", { class: "nothing" }, device.owner ? "Nothing has been shown yet. Press “Test push”." : "Nothing has been shown yet. Push to its token."));
    replace(this.menu, h("option", { value: "" }, "Do…"), ACTIONS.filter(([, , fits]) => fits(device)).map(([action, title]) => h("option", { value: action }, title)),
      h("option", { value: "sign-in" }, "Sign in as…"), h("option", { value: "block" }, "Block a partner…"),
      device.blocked.length > 0 && h("option", { value: "unblock" }, "Unblock a partner…"), !device.quietHours && h("option", { value: "quiet" }, "Quiet hours…"));
    replace(this.facts, facts([["last delivered", device.lastDeliveredAt ? moment(device.lastDeliveredAt) : "never"], ["lost since", device.lostSinceDelivery || ""],
      ["waiting to be sent", device.queuedRemovals + device.queuedAdditions ? `${device.queuedAdditions} add, ${device.queuedRemovals} remove` : ""],
      ["behaviour", device.behaviour], ["environment", device.environment], ["token", device.token && short(device.token, 12)]]),
    device.notShown.length > 0 && h("details", { class: "more" }, h("summary", {}, `${device.notShown.length} not shown`), h("ol", { class: "events" }, device.notShown.slice(-20).reverse().map((item) =>
      h("li", {}, `${time(item.at)} ${item.why} `, item.pushId && h("a", { href: `#/pushes/${item.pushId}` }, "push"))))));
  }

  async perform() {
    const action = this.menu.value;
    this.menu.value = "";
    if (!action) return;
    if (action === "sign-in") { actWithAccount(this.device, this.changed, action, "Sign in", "Signed in"); return; }
    if (action === "block") { actWithAccount(this.device, this.changed, action, "Block a partner", "Blocked"); return; }
    if (action === "unblock") { actWithAccount(this.device, this.changed, action, "Unblock a partner", "Unblocked", this.device.blocked); return; }
    if (action === "quiet") { quietHours(this.device, this.changed); return; }
    const title = ACTIONS.find(([name]) => name === action)?.[1] ?? action;
    await attempt(() => post(`devices/${this.device.id}/${action}`), `${this.device.name ?? this.device.id}: ${title.toLowerCase()}`);
    this.changed();
  }

  async testPush() {
    this.test.disabled = true;
    replace(this.result, badge("wait", "under way"), " a message is on its way…");
    const result = await attempt(() => post(`devices/${this.device.id}/test-push`, {}));
    this.test.disabled = false;
    if (!result) { replace(this.result); return; }
    const isShown = result.outcome === "shown";
    replace(this.result, badge(isShown ? "ok" : "bad", isShown ? `shown after ${duration(result.afterMilliseconds)}` : result.lostAt ? `not ${result.lostAt}` : result.outcome),
      " ", result.cause ?? "", " ", h("a", { href: `#/timeline/${result.transactionId}` }, "its way"));
    this.changed();
  }
}

function bannerView(banner) {
  const marks = [banner.listed && "put into the list silently", banner.fallback && "the push's own text", banner.silent && "silent", banner.replacedAt && "replaced"].filter(Boolean);
  return h("li", { class: `banner${banner.replacedAt ? " replaced" : ""}${banner.listed ? " listed" : ""}` },
    h("div", { class: "banner-head" }, banner.title ? h("b", {}, nameOf(banner.title)) : h("i", {}, "no title"), h("time", { datetime: banner.at }, banner.at.slice(11, 19))),
    h("p", {}, banner.body ?? ""), h("small", {}, marks.join(", "), banner.why ? ` (${banner.why})` : "", " ",
      banner.transactionId && h("a", { href: `#/timeline/${banner.transactionId}`, "aria-label": `The way of “${banner.body ?? banner.title ?? "it"}”` }, "its way")));
}

function accountChoice(addresses) {
  const all = addresses ?? (live.world?.accounts ?? []).map((account) => account.address);
  return choice(all.map((address) => [address, nameOf(address)]));
}

/** An action that needs an account, of all or of some addresses. */
function actWithAccount(device, changed, action, title, done, addresses) {
  const account = accountChoice(addresses);
  const node = dialog(`${title} on ${device.name ?? device.id}`, h("form", { class: "form", onsubmit: async (event) => {
    event.preventDefault();
    if (await attempt(() => post(`devices/${device.id}/${action}`, { account: account.value }), done)) node.close();
    changed();
  } }, field("Account", account), button(title, null, { type: "submit", class: "primary" })));
}

function quietHours(device, changed) {
  const from = h("input", { type: "time", value: "22:00", required: true });
  const to = h("input", { type: "time", value: "07:00", required: true });
  const node = dialog(`Quiet hours of ${device.name ?? device.id}`, h("form", { class: "form", onsubmit: async (event) => {
    event.preventDefault();
    if (await attempt(() => post(`devices/${device.id}/quiet`, { from: from.value, to: to.value }), "Quiet hours are set")) node.close();
    changed();
  } }, field("From, UTC by the world's clock", from), field("To", to), button("Set", null, { type: "submit", class: "primary" })));
}

function addDevice(changed) {
  const name = h("input", { type: "text", placeholder: "phone", maxlength: "60" });
  const owner = accountChoice();
  owner.prepend(h("option", { value: "" }, "nobody yet"));
  owner.value = live.world?.accounts[0]?.address ?? "";
  const behaviour = choice(["as-deployed", "ordered"], "as-deployed");
  const topic = h("input", { type: "text", value: "im.adamant.adamant-messenger" });
  const environment = choice(["production", "sandbox"], "production");
  const submit = button("Add", null, { type: "submit", class: "primary" });
  const node = dialog("Add a device", h("form", { class: "form", onsubmit: async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const body = { behaviour: behaviour.value, topic: topic.value, environment: environment.value };
    if (name.value.trim()) body.name = name.value.trim();
    if (owner.value) body.owner = owner.value;
    const made = await attempt(() => post("devices", body), (device) => `${device.name ?? device.id} is there`);
    submit.disabled = false;
    if (made) node.close();
    changed();
  } }, field("Name", name), field("Signed in as", owner, "it registers over the chain"), field("Behaviour", behaviour, "ordered: a client that keeps the order of its signals"),
  field("Topic", topic, "another topic makes it another app's device"), field("Environment", environment), submit));
}
