// The nodes with their sliders and switches, the reference service, fault rules, and what they hold back.

import { find, get, patch, post, remove } from "./api.js";
import { badge, button, emptyState, h, redraw, replace } from "./dom.js";
import { addRule, ruleView } from "./faults.js";
import { duration, timeOf } from "./format.js";
import { nameOf } from "./live.js";
import { attempt, choice } from "./send.js";

const SWITCHES = [
  ["online", "reachable", "clients find nobody, or never an answer"], ["socket", "sockets", "Socket.IO at the socket port"],
  ["syncing", "catching up", "it says so, and its queue waits"], ["loading", "loading", "most calls are answered 500"],
];
const SLIDERS = [
  ["failureRate", "calls that fail", 0, 1, 0.01, (value) => `${Math.round(value * 100)} %`],
  ["lagBlocks", "blocks behind", 0, 50, 1, (value) => `${value}`],
  ["latency", "answers later by", 0, 5000, 50, duration],
  ["relayMilliseconds", "relays after", 0, 10_000, 100, duration],
  ["clockSkewMilliseconds", "clock ahead by", -60_000, 60_000, 500, (value) => `${value < 0 ? "−" : ""}${duration(Math.abs(value))}`],
];

export function open(main) {
  const nodes = h("div", { class: "nodes" });
  const service = h("section", { class: "panel", "aria-label": "Notification service" });
  const rules = h("div", { class: "rules" });
  const held = h("section", { class: "panel", "aria-label": "Held transactions", hidden: true });
  const count = h("span", { class: "muted" });
  const cards = new Map();
  main.append(h("h1", { class: "hidden" }, "Nodes and faults"),
    h("div", { class: "section-head" }, h("h2", {}, "Nodes"), h("span", { class: "muted" }, "what is set here holds until the world is reset or ends")), nodes, service,
    h("div", { class: "section-head" }, h("h2", {}, "Fault rules"), count, button("Add a rule", () => addRule(read), { class: "primary", id: "add-rule" }),
      button("Remove all", async () => { await attempt(() => remove("faults"), "No rule is left"); read(); })), rules, held);
  let isReading = false;
  let isStale = false;

  const read = async () => {
    if (isReading) { isStale = true; return; }
    isReading = true;
    isStale = false;
    const begun = performance.now();
    try {
      const [all, { faults }, waiting, ans] = await Promise.all([get("nodes"), get("faults"), get("held"), find("ans", { rows: 0 })]);
      for (const node of all.nodes) {
        if (!cards.has(node.name)) {
          cards.set(node.name, new NodeCard(node, read));
          nodes.append(cards.get(node.name).node);
        }
        cards.get(node.name).read(node, begun);
      }
      redraw(rules, faults, () => faults.length ? faults.map((rule) => ruleView(rule, read)) : emptyState("No fault rule", "A rule loses, delays or spoils what fits it, the same way on every run of a seed. Add one here, or in a shell:", "mocknet fault add --path /api/chats/process --limit 1 --effect reset-before"));
      replace(count, faults.length ? `${faults.length}, tried in this order` : "");
      held.hidden = !waiting.held.length;
      redraw(held, waiting.held, () => heldView(waiting.held, read));
      redraw(service, ans, () => serviceView(ans, read));
    } catch (error) {
      replace(count, error.message);
    }
    isReading = false;
    if (isStale) setTimeout(read, 250);
  };
  read();
  return { update(batch) { if (batch.some(({ kind }) => /^(fault|block|transaction\.(held|released)|world|ans|snapshot)/.test(kind))) read(); } };
}

/** One node; what one is about to move is left alone. */
class NodeCard {
  constructor(node, changed) {
    this.name = node.name;
    this.changed = changed;
    this.head = h("div", { class: "states" });
    this.inputs = new Map();
    const switches = SWITCHES.map(([member, title, hint]) => {
      const input = h("input", { type: "checkbox", role: "switch", onchange: () => this.set({ [member]: input.checked }) });
      this.inputs.set(member, input);
      return h("label", { class: "switch", title: hint }, input, h("span", {}, title));
    });
    this.offline = choice([["refuse", "refuses"], ["blackHole", "never answers"]], node.offlineMode, { "aria-label": `${node.name} when not reachable`, onchange: () => this.set({ offlineMode: this.offline.value }) });
    const sliders = SLIDERS.map(([member, title, least, most, step, format]) => {
      const output = h("output", {});
      const input = h("input", { type: "range", min: least, max: most, step, "aria-label": `${node.name}: ${title}`,
        oninput: () => {
          input.isMoving = true;
          output.textContent = format(Number(input.value));
        },
        onchange: () => {
          input.isMoving = false;
          this.set({ [member]: member === "latency" ? (Number(input.value) ? { milliseconds: Number(input.value) } : null) : Number(input.value) });
        } });
      input.output = output;
      input.format = format;
      this.inputs.set(member, input);
      return h("label", { class: "slider" }, h("span", {}, title), input, output);
    });
    this.node = h("article", { class: "panel node", "aria-label": `Node ${node.name}` }, h("header", {}, h("h3", {}, node.name), this.head),
      h("div", { class: "switches" }, switches, h("label", { class: "switch" }, h("span", {}, "unreachable, it "), this.offline)), sliders,
      h("p", { class: "muted mono small" }, node.url));
  }

  /** Shows what was read, unless that was asked for before the last change was answered. */
  read(node, begun) {
    if (!this.changes && begun > (this.changedAt ?? 0)) this.show(node);
  }

  show(node) {
    replace(this.head, badge("note", node.version), badge(node.online && !node.loading ? "ok" : "bad", `height ${node.height}`), node.socketClients > 0 && badge("note", `${node.socketClients} sockets`));
    for (const [member, input] of this.inputs) {
      if (input.isMoving) continue;
      if (input.type === "checkbox") input.checked = node[member];
      else {
        const value = member === "latency" ? node.latency?.milliseconds ?? 0 : node[member];
        input.value = value;
        input.output.textContent = input.format(value);
        input.setAttribute("aria-valuetext", input.format(value));
      }
    }
    if (document.activeElement !== this.offline) this.offline.value = node.offlineMode;
  }

  async set(body) {
    this.changes = (this.changes ?? 0) + 1;
    const node = await attempt(() => patch(`nodes/${this.name}`, body), `${this.name} is changed`);
    this.changes -= 1;
    this.changedAt = performance.now();
    if (node && !this.changes) this.show(node);
    else this.changed();
  }
}

function heldView(held, changed) {
  return [h("h2", {}, "Held back"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["since", "from and to", "node", "rule", ""].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, held.map((item) => h("tr", {}, h("td", {}, timeOf(item.at)), h("td", {}, h("a", { href: `#/timeline/${item.transactionId}` }, `${nameOf(item.sender)} → ${nameOf(item.recipient)}`)),
      h("td", {}, item.node), h("td", {}, item.faultId), h("td", {}, button("Release", async () => { await attempt(() => post(`held/${item.id}/release`), "Released"); changed(); }, { "aria-label": `Release ${item.id}` })))))))];
}

function serviceView(ans, changed) {
  const act = (action, done) => async () => { await attempt(() => post(`ans/${action}`), done); changed(); };
  if (!ans?.behaviour) {
    return [h("h2", {}, "Notification service"), h("p", {}, "No reference service runs here; a real one can. ",
      button("Start the reference service", act("start", "The service runs"), { class: "primary" }))];
  }
  return [h("h2", {}, "Notification service"), h("div", { class: "states" }, badge(ans.running ? "ok" : "bad", ans.running ? "runs" : "stopped"), badge("note", ans.behaviour),
    badge("note", `polls every ${ans.pollSeconds} s`), badge("note", `${ans.rowCount} tokens`), badge(ans.failed ? "bad" : "note", `${ans.accepted} accepted, ${ans.failed} failed, ${ans.pending} pending`)),
  h("div", { class: "actions" }, ans.running ? button("Stop", act("stop", "The service is stopped")) : button("Start", act("start", "The service runs"), { class: "primary" }), ans.running && button("Poll now", act("poll", "Polled"))),
  h("ul", { class: "pollers" }, ans.pollers.map((poller) => h("li", {}, badge(poller.state === "alive" ? "ok" : "bad", poller.state), ` ${poller.name}, height ${poller.height}, ${poller.polls} polls`, poller.reason ? `: ${poller.reason}` : "")))];
}
