// What this is, for who sees it the first time: the first push step by step as it happens, and how a registration is lost.

import { find, get, post, remove } from "./api.js";
import { badge, button, h, replace } from "./dom.js";
import { duration } from "./format.js";
import { deviceName, live, nameOf } from "./live.js";
import { attempt } from "./send.js";

const KEPT = "mocknet-tour-hidden";

/** Whether the person wants to see it. */
const isHidden = () => localStorage.getItem(KEPT) === "yes";

const link = (path, text) => h("a", { href: `#/${path}` }, text);

/** The events of the first registration since the world began, and of the first message to who registered; what has not happened is missing. */
async function firstPush() {
  const one = async (parameters) => (await get("events", { limit: 1, ...parameters })).events[0];
  const after = (await one({ kind: "world.reset", order: "newest" }))?.seq;
  const signal = await one({ kind: "device.signal-accepted", q: "action:add", after });
  if (!signal) return {};
  const [way, signIn] = await Promise.all([get("events", { transactionId: signal.transactionId }), one({ kind: "device.signed-in", q: `device:${signal.data.device}`, after })]);
  const of = (events, kind) => events.find((event) => event.kind === kind);
  const owner = signIn?.data.address;
  const found = { signal, owner, registered: of(way.events, "transaction.forged"), noted: of(way.events, "ans.registered") };
  const message = owner && await one({ kind: "transaction.accepted", q: `kind:message recipient:${owner}`, after: signal.seq });
  if (!message) return found;
  const { events } = await get("events", { transactionId: message.transactionId });
  return { ...found, message, forged: of(events, "transaction.forged"), push: of(events, "push.received"), banner: of(events, "device.banner-shown") };
}

/** The steps in order: `[what has to have happened, whose, what it is in words before and after, where to see it]`. */
function steps({ signal, owner, registered, noted, message, forged, push, banner }) {
  const device = signal ? deviceName(signal.data.device) : "a device";
  const who = owner ? nameOf(owner) : "its owner";
  const block = live.chain?.forging === "interval" ? `a block comes every ${live.chain.intervalMilliseconds / 1000} s` : `blocks are forged ${live.chain?.forging === "manual" ? "by hand, in Chain" : "at once"}`;
  return [
    [signal, "Receiver's device", `${device} signs in and registers for pushes`, "It posts a signal message to a node: its device token, sealed for the notification service. It never talks to that service itself.", () => link(`timeline/${signal.transactionId}`, "the signal's way")],
    [registered, "Ledger", "A block holds the signal", `Now the token is registered for ${who}, for everybody who has the key; ${block}.`, () => link("registry", "the registry")],
    [noted, "Notification service", "The service (ANS) notes the token", "It polls the nodes for signals, and decrypts those that are for it.", () => link("requests", "its polls")],
    [message, "Sender's device", `Somebody writes to ${who}`, "The message is encrypted for its recipient; a node takes it as any other transaction.", () => link(`timeline/${message.transactionId}`, `from ${nameOf(message.data.sender)}`)],
    [forged, "Ledger", "A block holds the message", `Until then the service does not see it; ${block}.`, () => link("chain", "the chain")],
    [push, "APNs", "The service pushes", "Apple gets an address and the transaction's id, and no word of the message.", () => link(`pushes/${push.data.push}`, `answered ${push.data.status ?? "with nothing"}`)],
    [banner, "Receiver's device", `${device} wakes up and shows the message`, "It fetches the transaction from a node by that id, decrypts it, and shows it.", () => link(`devices/${banner.data.device}`, "the phone")],
  ];
}

const BEGIN = [
  ["A device for bob", () => post("devices", { name: "bob's phone", owner: "bob" })],
  ["Write to bob", () => post("transactions", { from: "alice", to: "bob", message: "Hello Bob, this is your first push." })],
];

/** The panel; `update` takes the events that came. */
export function tour() {
  const list = h("ol", { class: "tour-steps", "aria-label": "The first push" });
  const now = h("p", { class: "lead", role: "status" });
  const end = h("div", { class: "tour-end", hidden: true });
  const body = h("div", { class: "tour-body" },
    h("p", {}, "An ADAMANT network, Apple's push service, phones and a notification service in one program on this machine. All of it is simulated and nothing leaves it, but the calls are the real ones: a real app or service can take the place of any part."),
    now, list, end);
  const toggle = button("", () => {
    localStorage.setItem(KEPT, isHidden() ? "no" : "yes");
    show();
  }, { class: "quiet-text" });
  const node = h("section", { class: "panel tour", "aria-label": "What this is" }, h("header", {}, h("h2", {}, "How a push finds its way"), toggle), body);
  const show = () => {
    body.hidden = isHidden();
    toggle.textContent = isHidden() ? "Show the tour" : "Hide the tour";
    toggle.setAttribute("aria-expanded", String(!isHidden()));
  };
  let isOver = false;
  let timer = null;
  const read = async () => {
    timer = null;
    const found = await firstPush().catch(() => null);
    if (!found) return;
    draw(list, now, found);
    isOver = Boolean(found.banner);
    if (isOver && end.hidden) {
      end.hidden = false;
      replace(end, race());
    }
  };
  show();
  read();
  return {
    node,
    update(batch) {
      if (batch.some(({ kind }) => kind === "world.reset")) { isOver = false; end.hidden = true; }
      if (!isOver && batch.length && !timer) timer = setTimeout(read, 200);
    },
    stop: () => clearTimeout(timer),
  };
}

function draw(list, now, found) {
  const all = steps(found);
  const next = all.findIndex(([event]) => !event);
  const first = found.signal && Date.parse(found.signal.at);
  replace(list, all.map(([event, party, title, text, more], index) => h("li", { class: event ? "done" : index === next ? "now" : "", "aria-current": index === next ? "step" : undefined },
    event ? badge("ok", index ? `+${duration(Date.parse(event.at) - first)}` : "done") : index === next ? badge("wait", "now") : badge("note", "to come"),
    h("div", {}, h("b", {}, title), h("small", {}, ` ${party}`), h("p", {}, text, event && [" See ", more(), "."])))));
  if (next < 0) replace(now, badge("ok", "delivered"), " That was a push, from the registration to the banner. Each step is a link to where it can be looked at.");
  else if (found.signal) replace(now, badge("wait", "under way"), ` Step ${next + 1} of ${all.length}: ${all[next][2]}. `, next === 3 && begin(1));
  else replace(now, badge("wait", "nothing yet"), " Nobody is registered. Begin here, or wait for the tour in the shell: ", begin(0));
}

function begin(index) {
  const [title, action] = BEGIN[index];
  const node = button(title, async () => {
    node.disabled = true;
    await attempt(action);
    node.disabled = false;
  }, { class: "primary" });
  return node;
}

/** What a deployed client and one that keeps the order of its signals make of the same accident. */
const CLIENTS = [["as-deployed", "dave", "The client as it is deployed"], ["ordered", "erin", "A client that keeps the order"]];

function race() {
  const cells = new Map(CLIENTS.map(([behaviour]) => [behaviour, h("div", { class: "race-way" }, h("p", { class: "muted" }, "Not played yet."))]));
  const moral = h("p", { class: "cause wait", hidden: true });
  const play = button("Play the race", async () => {
    play.disabled = true;
    moral.hidden = true;
    const outcomes = [];
    for (const [behaviour, owner] of CLIENTS) outcomes.push(await attempt(() => playRace(behaviour, owner, cells.get(behaviour))));
    play.disabled = false;
    if (outcomes.some((outcome) => !outcome)) return;
    moral.hidden = false;
    replace(moral, outcomes.join() !== "lost,shown" ? "It ended otherwise than usual: faults, lagging nodes or another service change what is seen. The way of each message tells why."
      : "The removal that failed at the sign-out was kept. The deployed client sent it after it had registered again, so it took the new registration away, and the phone was never told: it still believes that it is registered. The other client dropped the removal as it registered again.");
  }, { class: "primary" });
  return [
    h("h3", {}, "Now lose one: the deregistration race"),
    h("p", {}, "Somebody signs out while the network is bad, and signs in again. The removal of the registration is lost on its way, is kept to be sent again, and lands after the new registration. Two phones live through it here: ", play),
    h("div", { class: "columns" }, CLIENTS.map(([behaviour, owner, title]) => h("section", { class: "race", "aria-label": title }, h("h4", {}, title, h("small", {}, ` ${owner}'s phone`)), cells.get(behaviour)))),
    moral,
    h("p", { class: "muted" }, "Further on: ", link("nodes", "make nodes fail"), ", ", link("audit", "see which promises were kept"), ", ", link("timeline", "follow any transaction"), ", or have stories told in a shell: ", h("code", {}, "mocknet demo"), "."),
  ];
}

/** Plays it with one client in this world, and tells each step; answers how the message at the end fared. */
async function playRace(behaviour, owner, cell) {
  const steps = h("ol", { class: "links" });
  replace(cell, steps);
  const tell = (...content) => steps.append(h("li", {}, content));
  const block = async () => {
    await post("chain/forge");
    await find("ans", { rows: 0 }).then((ans) => ans?.running && post("ans/poll"));
  };
  const device = await post("devices", { name: `${owner}'s phone`, owner, behaviour });
  const act = (action, body) => post(`devices/${device.id}/${action}`, body);
  await block();
  tell(`${owner} signs in, and the phone registers`);
  const rule = await post("faults", {
    name: "the removal is lost", target: "node", match: { method: "POST", path: "/api/chats/process", chatType: 3, signalAction: "remove" }, effect: { kind: "reset", when: "before" },
  });
  try {
    const { queuedRemovals } = await act("sign-out");
    tell(`signs out while the network is bad: the removal is lost, ${queuedRemovals ? "and kept to be sent again" : "and forgotten"}`);
  } finally {
    await remove(`faults/${rule.id}`);
  }
  await act("sign-in", { account: owner });
  await block();
  tell("signs in again, and the phone registers again");
  await act("kill");
  const { queuedRemovals } = await act("launch");
  await block();
  tell(queuedRemovals ? "starts the app again" : behaviour === "ordered" ? "starts the app again: nothing is left to be sent" : "starts the app again: the kept removal is sent");
  const { transactionId } = await post("transactions", { from: "bob", to: owner, message: "Are you there?" });
  await block();
  const trace = await settled(transactionId);
  const { believesRegistered } = await get(`devices/${device.id}`);
  const isRegistered = (await get("registry", { q: `token:${device.token}`, limit: 1, others: 0 })).rows.length > 0;
  const isShown = trace?.outcome === "shown";
  tell("bob writes: ", badge(isShown ? "ok" : "bad", isShown ? "the message is shown" : "nothing is shown"), " ", link(`timeline/${transactionId}`, "its way"));
  tell("The phone believes: ", badge(believesRegistered ? "ok" : "warn", believesRegistered ? "registered" : "not registered"), " The chain says: ", badge(isRegistered ? "ok" : "bad", isRegistered ? "registered" : "not registered"));
  return trace?.outcome;
}

/** The trace of a message once it has come to an end; it is asked for until then, at most ten seconds. */
async function settled(id) {
  for (let tries = 0; ; tries += 1) {
    const trace = await find(`traces/${id}`);
    if (tries === 40 || trace?.outcome === "shown" || trace?.outcome === "lost") return trace;
    await new Promise((done) => setTimeout(done, 250));
  }
}
