// Every call that a node got.

import { emptyState, badge, facts, h } from "./dom.js";
import { ServerList, masterDetail, searchField } from "./list.js";
import { mono, moment, timeOf } from "./format.js";

function statusBadge({ status }) {
  if (status === null) return badge("warn", "no answer");
  return badge(status < 400 ? "ok" : "bad", String(status));
}

export function open(main, where) {
  let query = where.query.get("q") ?? "";
  const list = new ServerList({
    path: "requests", name: "requests", label: "Calls, the newest first", key: (call) => call.seq, parameters: () => ({ q: query }),
    columns: [["time", "c-time"], ["node", "c-name"], ["method", "c-kind"], ["path", "c-text"], ["answer", "c-status"], ["client", "c-name wide"]],
    row: (call) => [
      h("span", { class: "c-time" }, timeOf(call.at)), h("span", { class: "c-name" }, call.node), h("span", { class: "c-kind" }, call.method),
      h("span", { class: "c-text mono" }, call.path + (call.query ? "?" + call.query : "")), h("span", { class: "c-status" }, statusBadge(call)),
      h("span", { class: "c-name wide" }, call.agent ?? call.client),
    ],
    onSelect: (call) => panes.show(detail(call)),
    empty: () => query ? ["Nothing fits", "None of the newest 10,000 calls is like that."] : ["No call yet", "Point a client at a node:", "mocknet config env"],
  });
  const hint = () => emptyState("Select a call", "The newest 10,000 calls are kept.");
  const panes = masterDetail(list.node, { onClose: () => panes.clear(hint()) });
  main.append(h("div", { class: "bar" }, h("h1", {}, "Requests"), searchField({
    label: "Search calls", value: query, placeholder: "Search: path:chats, node:beta, status:503, an agent …", onSearch: (text) => { query = text; list.load(); },
  })), panes.node);
  panes.clear(hint());
  list.load();
  // Calls that only read make no event.
  const timer = setInterval(() => { if (!document.hidden) list.refresh(); }, 2000);
  return {
    update() {}, escape: () => panes.clear(hint()),
    stop() {
      clearInterval(timer);
      list.stop();
    },
  };
}

function detail(call) {
  return [
    h("header", {}, h("h2", {}, `${call.method} ${call.path}`), statusBadge(call)),
    facts([["node", call.node], ["at", moment(call.at)], ["client", call.client], ["agent", call.agent],
      ["fault", call.faultId && h("a", { href: "#/nodes" }, call.faultId)],
      ["transaction", call.transactionId && h("a", { href: `#/timeline/${call.transactionId}` }, call.transactionId)]]),
    call.query && h("section", {}, h("h3", {}, "Query"), facts([...new URLSearchParams(call.query)].map(([name, value]) => [name, mono(value)]), "facts headers")),
  ];
}
