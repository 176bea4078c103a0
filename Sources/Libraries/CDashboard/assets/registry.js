// Who is registered by the order of the chain, beside what the service's pushes show.

import { find } from "./api.js";
import { badge, button, emptyState, facts, h, replace, setText } from "./dom.js";
import { adm, mono, moment, plural, short, timeOf } from "./format.js";
import { ServerList, masterDetail, searchField } from "./list.js";
import { nameOf } from "./live.js";

/** How many of a list are shown beside the rows. */
const FEW = 8;

export function open(main, where) {
  let query = where.query.get("q") ?? "";
  let selected = null;
  let isComparing = false;
  let timer = null;
  const summary = h("span", { class: "muted", role: "status" });
  const list = new ServerList({
    path: "registry", name: "rows", label: "Registered tokens, the newest first", key: (row) => row.seq, parameters: () => ({ q: query, others: 0 }),
    columns: [["address", "c-who"], ["token", "c-token"], ["state", "c-state"], ["pushes", "c-count"], ["last push", "c-time"], ["since", "c-time wide"]],
    row: (row) => [
      h("span", { class: "c-who" }, who(row.address)), h("span", { class: "c-token" }, short(row.token)), h("span", { class: "c-state" }, stateBadge(row)),
      h("span", { class: "c-count" }, row.pushes || ""), h("span", { class: "c-time" }, row.lastPushAt ? timeOf(row.lastPushAt) : "–"), h("span", { class: "c-time wide" }, timeOf(row.since)),
    ],
    onSelect: (row) => { selected = row; panes.show(detail(row)); },
    empty: () => query ? ["Nothing fits", "No row is like that. Search takes words and field:value, for one state:ended."]
      : ["Nobody is registered", "A device registers with a signal over the chain. Add one:", "mocknet device new phone --owner bob"],
  });
  const close = () => {
    selected = null;
    isComparing = false;
    list.select(null);
    read();
  };
  const panes = masterDetail(list.node, { onClose: close });
  const body = h("div", { class: "fill" });
  main.append(h("div", { class: "bar" }, h("h1", {}, "Registry"), searchField({
    label: "Search the registry", value: query, placeholder: "Search: a name, address or token, state:missing …", onSearch: (text) => { query = text; list.load(); },
  }), button("Chain and pushes", () => { close(); isComparing = true; }, { class: "quiet-text narrow" }), summary), body);

  const read = async () => {
    timer = null;
    const registry = await find("registry", { limit: 1, others: FEW }).catch(() => undefined);
    if (registry === undefined) return;
    if (!registry) {
      replace(body, emptyState("Nobody here can read it", "The notification service is a foreign one, and only its key opens the signals. A world with its own service shows the registry:", "mocknet up --ans ordered"));
      return;
    }
    setText(summary, `${plural(registry.totals.rows, "token")} of ${plural(registry.addresses, "address", "addresses")}`);
    if (!panes.node.isConnected) {
      replace(body, panes.node);
      list.load();
    }
    if (!selected) panes[isComparing ? "show" : "clear"](differences(registry));
  };
  read();
  return {
    update(batch) {
      if (!batch.some(({ kind }) => /^(block|push\.received|world|snapshot)/.test(kind))) return;
      timer ??= setTimeout(read, 500);
      list.refresh();
    },
    escape: close,
    stop() {
      clearTimeout(timer);
      list.stop();
    },
  };
}

const STATES = { confirmed: ["ok", "confirmed"], unproven: ["wait", "unproven"], missing: ["bad", "missing"], ended: ["bad", "ended"] };
const MEANINGS = {
  confirmed: "The service has pushed to it since it was registered.", unproven: "Nothing was to be pushed to it yet.",
  missing: "A push to it was due, and none came.", ended: "APNs has ended the token; the service should have dropped it.",
};

const stateBadge = ({ state }) => badge(...(STATES[state] ?? ["note", state]));

function who(address) {
  const name = nameOf(address);
  return [name, name !== address && h("span", { class: "muted mono small" }, ` ${address}`)];
}

function detail(row) {
  return [
    h("header", {}, h("h2", {}, who(row.address)), stateBadge(row)), h("p", { class: "lead" }, MEANINGS[row.state]),
    h("div", { class: "actions" }, h("a", { class: "button", href: `#/timeline/${row.transactionId}` }, "Its signal’s way"), h("a", { class: "button", href: `#/pushes?q=${encodeURIComponent(`token:${row.token}`)}` }, "Pushes to it")),
    facts([["token", mono(row.token)], ["provider", row.provider], ["registered", `${moment(row.since)}, height ${row.height}`], ["pushes", String(row.pushes)],
      ["last push", row.lastPushAt && `${moment(row.lastPushAt)}, answered ${row.lastAnswer}`]]),
  ];
}

function part(title, total, list, sentence, tone = "bad") {
  if (!list.length) return null;
  return h("section", {}, h("h3", {}, title, " ", badge(tone, String(total))),
    h("ul", { class: "links" }, list.map((item) => h("li", {}, sentence(item)))), total > list.length && h("p", { class: "muted" }, `${list.length} of ${total}`));
}

/** What the registry tells beside its rows; what there is none of takes no room. */
function differences({ difference, orphans, sharedTokens, ownerChanges, holders, signals, fees, totals }) {
  const addresses = (list) => list.map(nameOf).join(", ");
  const differs = totals.missing + totals.surplus > 0;
  return [
    h("header", {}, h("h2", {}, "Chain and pushes"), badge(differs ? "bad" : "ok", differs ? "the pushes tell of another registry" : "the pushes agree with it")),
    h("p", { class: "lead" }, "The rows are what the order of the signals on the chain makes of them. Beside them stands what the service’s pushes show that it believes."),
    h("p", { class: "muted" }, `${plural(signals, "signal")}, ${adm(fees)} of fees`),
    part("Registered, and not pushed to", totals.missing, difference.missing, (row) => [nameOf(row.address), " ", short(row.token)]),
    part("Pushed to, and not registered", totals.surplus, difference.surplus, (row) => [nameOf(row.address), " ", short(row.token), ` ${plural(row.pushes, "push", "pushes")}, ${row.lastAnswer}`]),
    part("Orphans", totals.orphans, orphans, ({ address, tokens }) => `${nameOf(address)}: ${plural(tokens.length, "token")}`, "warn"),
    part("Tokens under several addresses", totals.sharedTokens, sharedTokens, (item) => [short(item.token), ` ${addresses(item.addresses)}`], "warn"),
    part("Tokens whose owner changed", totals.ownerChanges, ownerChanges, (item) => [short(item.token), ` ${nameOf(item.from)} → ${nameOf(item.to)} at height ${item.height} `, h("a", { href: `#/timeline/${item.transactionId}` }, "by")], "note"),
    part("Most tokens", totals.holders, holders, ({ address, tokens, signals: sent, fees: spent }) => `${nameOf(address)}: ${plural(tokens, "token")}, ${plural(sent, "signal")}, ${adm(spent)}`, "note"),
  ];
}
