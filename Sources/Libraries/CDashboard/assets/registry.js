// Who is registered by the order of the chain, beside what the service's pushes show.

import { find } from "./api.js";
import { badge, emptyState, h, replace, setText } from "./dom.js";
import { adm, moment, plural, short } from "./format.js";
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

function table(rows) {
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["address", "token", "provider", "since", "by"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, nameOf(row.address), " ", h("span", { class: "muted mono small" }, nameOf(row.address) === row.address ? "" : row.address)),
      h("td", {}, short(row.token, 16)), h("td", {}, row.provider), h("td", { class: "nowrap" }, moment(row.since)), h("td", {}, row.transactionId && h("a", { href: `#/timeline/${row.transactionId}` }, "its signal")))))));
}

const LISTS = {
  implied: "What the pushes show", difference: "Differences", differences: "Differences", missing: "Registered, and not pushed to", extra: "Pushed to, and not registered",
  holders: "Most tokens", largestHolders: "Most tokens", orphans: "Orphans", shared: "Tokens under several addresses", sharedTokens: "Tokens under several addresses",
  moved: "Tokens whose owner changed", movedTokens: "Tokens whose owner changed", fees: "Fees spent on signals",
};

/** What the registry tells beside its rows, each list for itself. */
function differences(registry) {
  const lists = Object.entries(registry).filter(([name, value]) => !["rows", "addresses", "next"].includes(name) && value && typeof value === "object");
  if (!lists.length) return null;
  return h("div", { class: "columns" }, lists.flatMap(([name, value]) => {
    const inner = Array.isArray(value) ? [[name, value]] : Object.entries(value).filter(([, list]) => Array.isArray(list));
    return inner.map(([key, list]) => h("section", { class: "panel" }, h("header", {}, h("h2", {}, LISTS[key] ?? LISTS[name] ?? key), badge(list.length ? "note" : "ok", String(list.length))),
      h("ul", { class: "links" }, list.slice(0, 12).map((item) => h("li", {}, sentence(item)))), list.length > 12 && h("p", { class: "muted" }, `12 of ${list.length}`)));
  }));
}

function sentence(item) {
  if (typeof item !== "object" || item === null) return nameOf(String(item));
  return Object.entries(item).filter(([, value]) => value !== null).flatMap(([key, value], index) => {
    const text = Array.isArray(value) ? value.map((part) => nameOf(String(part))).join(", ") : /fee|spent|amount/i.test(key) && /^\d+$/.test(String(value)) ? adm(String(value)) : nameOf(String(value));
    return [index ? ", " : "", h("span", { class: "muted" }, key + " "), text.length > 24 ? short(text, 16) : text];
  });
}
