// Blocks and transactions, what waits, and the hand on the forge.

import { find, get, patch, post, remove } from "./api.js";
import { badge, button, dialog, emptyState, facts, h, replace } from "./dom.js";
import { ServerList, masterDetail, searchField } from "./list.js";
import { adm, mono, moment, plural, short, timeOf } from "./format.js";
import { live, nameOf, refreshWorld } from "./live.js";
import { attempt, choice, field } from "./send.js";

const STATES = {
  queued: ["wait", "queued"], unconfirmed: ["wait", "unconfirmed"], held: ["warn", "held"], forged: ["ok", "forged"],
  dropped: ["bad", "dropped"], reverted: ["bad", "reverted"],
};
const TABS = [["transactions", "Transactions"], ["blocks", "Blocks"], ["snapshots", "Snapshots"]];

export function stateBadge({ state }) { return badge(...(STATES[state] ?? ["note", state])); }

export function open(main, where) {
  let tab = "transactions";
  let query = where.query.get("q") ?? "";
  let filter = "";
  let list = null;
  let id = null;
  const panes = masterDetail(h("div", { class: "fill" }), { onClose: () => go("") });
  const master = panes.node.querySelector(".master");
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Show" });
  const tabs = h("div", { class: "tabs", role: "group", "aria-label": "Of the chain" }, TABS.map(([name, title]) => h("button", {
    type: "button", "data-tab": name, onclick: () => { if (name !== tab) { tab = name; go(""); draw(); } },
  }, title)));
  const search = searchField({ label: "Search the chain", value: query, placeholder: "Search: an id, a name's address, kind:signal …",
    onSearch: (text) => { query = text; list?.load(); } });
  const controls = forge();
  main.append(h("div", { class: "bar" }, h("h1", {}, "Chain"), tabs, chips, search), controls.node, panes.node);
  const go = (path) => { location.hash = `#/chain${path ? "/" + path : ""}`; };
  const hint = () => emptyState("Select one", "A block shows its transactions, a transaction where it is on each node and what keeps it out of a block.");

  const draw = () => {
    list?.stop();
    list = null;
    for (const node of tabs.children) node.setAttribute("aria-pressed", String(node.dataset.tab === tab));
    search.hidden = tab === "snapshots";
    replace(chips, tab === "transactions" && [["", "All"], ["queued,unconfirmed,held", "Waiting"], ["forged", "Forged"], ["dropped,reverted", "Lost"]].map(([value, text]) =>
      h("button", { type: "button", "aria-pressed": String(value === filter), onclick: () => { filter = value; draw(); } }, text)));
    if (tab === "snapshots") drawSnapshots(master);
    else {
      list = tab === "blocks" ? blockList(() => query, go) : transactionList(() => query, () => filter, go);
      replace(master, list.node);
      list.load();
    }
    panes.clear(hint());
  };
  const showOne = async () => {
    const wanted = id;
    const [kind, key] = wanted.split("/");
    const item = await find(`${kind === "block" ? "blocks" : "transactions"}/${encodeURIComponent(key)}`).catch(() => null);
    if (wanted !== id) return;
    list?.select(key);
    panes.show(item ? (kind === "block" ? blockDetail(item) : transactionDetail(item)) : emptyState("It is not there", `No ${kind} ${key} is known here.`));
  };
  const move = (to) => {
    if (to.id === (id ?? "")) return;
    id = to.id || null;
    if (id?.startsWith("block/") && tab !== "blocks") { tab = "blocks"; draw(); }
    if (id) showOne();
    else panes.clear(hint());
  };
  draw();
  move(where);
  return {
    move,
    update(batch) {
      controls.update();
      if (!batch.some(({ kind }) => /^(transaction|block|snapshot|world)\./.test(kind))) return;
      list?.refresh();
      if (tab === "snapshots" && batch.some(({ kind }) => kind.startsWith("snapshot"))) drawSnapshots(master);
      if (id?.startsWith("transaction") && batch.some(({ transactionId }) => id.endsWith(transactionId))) showOne();
    },
    escape: () => go(""),
    stop: () => list?.stop(),
  };
}

function transactionList(query, filter, go) {
  return new ServerList({
    path: "transactions", name: "transactions", label: "Transactions, the newest first", key: (item) => item.id,
    parameters: () => ({ q: query(), state: filter() }),
    columns: [["time", "c-time"], ["kind", "c-kind"], ["from and to", "c-text"], ["amount", "c-amount wide"], ["fee", "c-amount wide"], ["state", "c-state"]],
    row: (item) => [
      h("span", { class: "c-time" }, timeOf(item.at)), h("span", { class: "c-kind" }, item.kind ?? "–"),
      h("span", { class: "c-text" }, `${nameOf(item.sender)} → ${nameOf(item.recipient)}`),
      h("span", { class: "c-amount wide" }, item.amount === "0" ? "" : adm(item.amount)), h("span", { class: "c-amount wide" }, adm(item.fee)),
      h("span", { class: "c-state" }, stateBadge(item)),
    ],
    onSelect: (item) => go(`transaction/${item.id}`),
    empty: () => query() || filter() ? ["Nothing fits", "No transaction is like that."]
      : ["No transaction yet", "What came after the first block is listed here. Send something:", "mocknet send alice bob hello"],
  });
}

function blockList(query, go) {
  return new ServerList({
    path: "blocks", name: "blocks", label: "Blocks, the newest first", key: (item) => item.id, parameters: () => ({ q: query() }),
    columns: [["height", "c-number"], ["time", "c-time"], ["transactions", "c-number"], ["fees", "c-amount"], ["forged by", "c-text"]],
    row: (item) => [
      h("span", { class: "c-number" }, item.height), h("span", { class: "c-time" }, timeOf(item.at)),
      h("span", { class: "c-number" }, item.transactionCount), h("span", { class: "c-amount" }, item.totalFee === "0" ? "" : adm(item.totalFee)),
      h("span", { class: "c-text" }, nameOf(item.generator)),
    ],
    onSelect: (item) => go(`block/${item.id}`), empty: () => ["Nothing fits", "No block is like that."],
  });
}

function forge() {
  const mode = choice(["interval", "instant", "manual"], null, { "aria-label": "Forging" });
  const interval = h("input", { type: "number", min: "50", step: "50", "aria-label": "Milliseconds between blocks" });
  const blocks = h("input", { type: "number", min: "1", max: "1000", value: "1", "aria-label": "Blocks to forge" });
  const status = h("span", { class: "muted", role: "status" });
  const set = async (body) => {
    await attempt(() => patch("chain", body), "Forging is changed");
    await refreshWorld().catch(() => {});
    update();
  };
  mode.addEventListener("change", () => set({ forging: mode.value }));
  interval.addEventListener("change", () => set({ intervalMilliseconds: Number(interval.value) }));
  const update = () => {
    if (!live.chain) return;
    if (document.activeElement !== mode) mode.value = live.chain.forging;
    if (document.activeElement !== interval) interval.value = live.chain.intervalMilliseconds;
    status.textContent = `height ${live.chain.height}`;
  };
  update();
  return {
    update,
    node: h("div", { class: "controls" },
      h("label", {}, "Blocks come ", mode), h("label", {}, "every ", interval, " ms"),
      h("span", { class: "group" }, button("Forge", () => attempt(() => post("chain/forge", { blocks: Number(blocks.value) || 1 }), (chain) => `Height ${chain.height}`), { class: "primary" }), blocks),
      button("Take a snapshot", () => attempt(() => post("chain/snapshots"), (taken) => `Snapshot ${taken.name ?? taken.id}`)),
      button("Roll back and fork…", reorganize), status),
  };
}

function reorganize() {
  const depth = h("input", { type: "number", min: "1", value: "1", required: true });
  const node = dialog("Roll back and fork", h("p", {}, "The newest blocks are rolled back, and one more than they were is forged in their place. By lot their transactions return in any of them, or wait in the pools."),
    h("form", { class: "form", onsubmit: async (event) => {
      event.preventDefault();
      const done = await attempt(() => post("chain/reorg", { depth: Number(depth.value) }), (fork) => `${plural(fork.reverted.length, "block")} rolled back, height ${fork.height}`);
      if (done) node.close();
    } }, field("Blocks to roll back", depth), button("Fork", null, { type: "submit", class: "danger" })));
}

function transactionDetail(item) {
  return [
    h("header", {}, h("h2", {}, "Transaction"), stateBadge(item)), h("p", { class: "lead" }, item.why ?? `In the block at height ${item.height}.`),
    h("div", { class: "actions" }, h("a", { class: "button", href: `#/timeline/${item.id}` }, "See its way"),
      item.height && h("a", { class: "button", href: `#/chain/block/${item.height}` }, `Block ${item.height}`),
      item.held && button("Release", () => attempt(() => post(`held/${item.held}/release`), "Released"), { class: "primary" })),
    facts([["id", mono(item.id)], ["kind", item.kind], ["from", h("span", {}, nameOf(item.sender), " ", short(item.sender, 21))],
      ["to", item.recipient && h("span", {}, nameOf(item.recipient), " ", short(item.recipient, 21))], ["amount", adm(item.amount)], ["fee", adm(item.fee)], ["came", moment(item.at)]]),
    h("h3", {}, "On each node"), facts(Object.entries(item.nodes).map(([name, state]) => [name, stateBadge({ state })])),
  ];
}

function blockDetail(block) {
  return [
    h("header", {}, h("h2", {}, `Block ${block.height}`)),
    facts([["id", mono(block.id)], ["time", moment(block.at)], ["forged by", mono(block.generator)], ["fees", adm(block.totalFee)], ["reward", adm(block.reward)]]),
    h("h3", {}, plural(block.transactionCount, "transaction")),
    h("ul", { class: "links" }, block.transactions.slice(0, 200).map((item) => h("li", {}, h("a", { href: `#/chain/transaction/${item.id}` },
      `${item.kind}, ${nameOf(item.sender)} → ${nameOf(item.recipient)}`)))),
  ];
}

async function drawSnapshots(node) {
  const { snapshots } = await get("chain/snapshots").catch(() => ({ snapshots: [] }));
  replace(node, snapshots.length ? h("div", { class: "scroll pad" }, h("table", {}, h("thead", {}, h("tr", {}, ["name", "height", "taken", ""].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, snapshots.map((item) => h("tr", {}, h("th", { scope: "row" }, item.name ?? item.id), h("td", {}, item.height), h("td", {}, moment(item.at)), h("td", { class: "actions" },
      button("Go back to it", () => attempt(() => post(`chain/snapshots/${encodeURIComponent(item.id)}/revert`), "The world is as it was"), { class: "danger" }),
      button("Forget", async () => { await attempt(() => remove(`chain/snapshots/${encodeURIComponent(item.id)}`)); drawSnapshots(node); })))))))
    : emptyState("No snapshot yet", "A snapshot holds the chain as it is; the world can go back to it any number of times.", "mocknet chain snapshot before-the-test"));
}
