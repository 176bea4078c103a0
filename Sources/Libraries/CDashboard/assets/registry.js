// Who is registered by the order of the chain, beside what the service's pushes show.

import { find } from "./api.js";
import { badge, emptyState, h, replace, setText } from "./dom.js";
import { adm, moment, plural, short, timeOf } from "./format.js";
import { nameOf } from "./live.js";

/** Rows that are in the page at once. */
const SHOWN = 200;

export function open(main, where) {
  let registry = null;
  let shown = SHOWN;
  let timer = null;
  const filter = h("input", { type: "search", class: "search", "aria-label": "Search the registry", placeholder: "Search: a name, address or token", "data-search": true,
    value: where.query.get("q") ?? "", oninput: () => { shown = SHOWN; draw(); } });
  const summary = h("span", { class: "muted", role: "status" });
  const body = h("div", { class: "registry" });
  main.append(h("div", { class: "bar" }, h("h1", {}, "Registry"), h("div", { class: "search-box" }, filter, h("kbd", { "aria-hidden": "true" }, "/")), summary), body);

  const draw = () => {
    if (!registry) {
      replace(body, emptyState("Nobody here can read it", "The notification service is a foreign one, and only its key opens the signals. A world with its own service shows the registry:", "mocknet up --ans ordered"));
      return;
    }
    const text = filter.value.trim().toLowerCase();
    const rows = registry.rows.filter((row) => !text || [row.address, nameOf(row.address), row.token, row.provider, row.transactionId].some((value) => value?.toLowerCase().includes(text)));
    setText(summary, `${plural(registry.rows.length, "token")} of ${plural(registry.addresses, "address", "addresses")}`);
    if (!registry.rows.length) {
      replace(body, emptyState("Nobody is registered", "A device registers with a signal over the chain. Add one:", "mocknet device new phone --owner bob"), differences(registry));
      return;
    }
    replace(body, differences(registry), table(rows.slice(0, shown)), rows.length > shown && h("button", { type: "button", onclick: () => { shown += SHOWN; draw(); } }, `Show more of ${rows.length}`),
      !rows.length && emptyState("Nothing fits", "No row is like that."));
  };
  const read = async () => {
    timer = null;
    registry = await find("registry").catch(() => registry);
    draw();
  };
  read();
  return {
    update(batch) { if (!timer && batch.some(({ kind }) => /^(block|push\.received|world|snapshot)/.test(kind))) timer = setTimeout(read, 500); },
    escape: () => { filter.value = ""; draw(); },
    stop: () => clearTimeout(timer),
  };
}

const STATES = { confirmed: ["ok", "confirmed"], unproven: ["wait", "unproven"], missing: ["bad", "missing"], ended: ["bad", "ended"] };

function table(rows) {
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["address", "token", "state", "pushes", "last push", "since", "by"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, who(row.address)),
      h("td", {}, short(row.token, 12)), h("td", {}, row.state && badge(...(STATES[row.state] ?? ["note", row.state]))), h("td", { class: "number" }, row.pushes ?? ""),
      h("td", { class: "nowrap" }, row.lastPushAt ? [timeOf(row.lastPushAt), ` ${row.lastAnswer ?? ""}`] : "–"), h("td", { class: "nowrap" }, moment(row.since)),
      h("td", {}, row.transactionId && h("a", { href: `#/timeline/${row.transactionId}` }, "its signal")))))));
}

function who(address) {
  const name = nameOf(address);
  return [name, name === address ? "" : h("span", { class: "muted mono small" }, ` ${address}`)];
}

/** How many of a list are shown beside the rows. */
const FEW = 8;

function panel(title, list, sentence, tone = "bad") {
  if (!list?.length) return null;
  return h("section", { class: "panel" }, h("header", {}, h("h2", {}, title), badge(tone, String(list.length))),
    h("ul", { class: "links" }, list.slice(0, FEW).map((item) => h("li", {}, sentence(item)))), list.length > FEW && h("p", { class: "muted" }, `${FEW} of ${list.length}`));
}

/** What the registry tells beside its rows; what there is none of takes no room. */
function differences(registry) {
  const { difference, orphans, sharedTokens, ownerChanges, holders, signals, fees } = registry;
  const addresses = (list) => list.map(nameOf).join(", ");
  return [
    h("div", { class: "states" }, badge(difference?.missing.length || difference?.surplus.length ? "bad" : "ok", difference?.missing.length || difference?.surplus.length ? "the pushes tell of another registry" : "the pushes agree with it"),
      signals !== undefined && badge("note", `${plural(signals, "signal")}, ${adm(fees)} of fees`)),
    h("div", { class: "columns" },
      panel("Registered, and not pushed to", difference?.missing, (row) => [nameOf(row.address), " ", short(row.token)]),
      panel("Pushed to, and not registered", difference?.surplus, (row) => [nameOf(row.address), " ", short(row.token), ` ${plural(row.pushes, "push", "pushes")}, ${row.lastAnswer}`]),
      panel("Orphans", orphans, ({ address, tokens }) => `${nameOf(address)}: ${plural(tokens.length, "token")}`, "warn"),
      panel("Tokens under several addresses", sharedTokens, (item) => [short(item.token), ` ${addresses(item.addresses)}`], "warn"),
      panel("Tokens whose owner changed", ownerChanges, (item) => [short(item.token), ` ${nameOf(item.from)} → ${nameOf(item.to)} at height ${item.height} `, h("a", { href: `#/timeline/${item.transactionId}` }, "by")], "note"),
      holders?.some(({ tokens }) => tokens > 1) && panel("Most tokens", holders, ({ address, tokens, signals: sent, fees: spent }) => `${nameOf(address)}: ${plural(tokens, "token")}, ${plural(sent, "signal")}, ${adm(spent)}`, "note")),
  ];
}
