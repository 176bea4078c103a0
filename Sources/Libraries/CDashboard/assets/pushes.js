// Every request that APNs got: what it was, what it was answered and why, and what became of it.

import { find, remove, save } from "./api.js";
import { badge, button, emptyState, facts, h } from "./dom.js";
import { ServerList, filterChips, lookUp, masterDetail, searchField } from "./list.js";
import { mono, moment, short, timeOf } from "./format.js";
import { deviceName, nameOf } from "./live.js";
import { attempt } from "./send.js";

const DELIVERY = {
  delivered: ["ok", "delivered"], stored: ["wait", "waits at APNs"], throttled: ["wait", "held back"],
  replaced: ["note", "replaced"], collapsed: ["note", "collapsed"], expired: ["bad", "expired"],
  discarded: ["bad", "discarded"], notDelivered: ["bad", "not delivered"],
};

const FILTERS = [
  [{}, "All"], [{ status: 200 }, "Accepted"], [{ status: -200 }, "Refused"], [{ delivery: "stored" }, "Waiting"], [{ delivery: "discarded" }, "Discarded"],
];

/** What of a search is looked up. */
const LOOKUPS = [
  [/^(?:token:)?([0-9a-f]{64})$/i, "token"], [/^(?:recipient:)?(U\d{5,21})$/, "recipient"], [/^(?:transactionId:|txn-id:)?(\d{12,20})$/i, "transactionId"],
  [/^status:(\d{3})$/i, "status"], [/^state:(delivered|stored|discarded|expired|collapsed|replaced|throttled|notDelivered)$/, "delivery"],
];

/** The id of a push, which is opened at once. */
const ID = /^(?:id:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

export function statusBadge(push) {
  if (push.status === null) return badge("warn", "no answer", "a fault kept the answer from being sent");
  return push.status === 200 ? badge("ok", "200") : badge("bad", `${push.status} ${push.reason ?? ""}`);
}

export function deliveryBadge({ delivery }) {
  return delivery ? badge(...(DELIVERY[delivery.state] ?? ["note", delivery.state])) : badge("note", "no device");
}

export function open(main, where) {
  let query = where.query.get("q") ?? "";
  let filter = {};
  let id = null;
  const list = new ServerList({
    path: "pushes", name: "pushes", label: "Pushes, the newest first", key: (push) => push.id,
    parameters: () => lookUp(query, LOOKUPS, filter),
    columns: [["time", "c-time"], ["answer", "c-status"], ["for", "c-name"], ["text", "c-text"], ["became", "c-state"], ["token", "c-token wide"]],
    row: (push) => [
      h("span", { class: "c-time" }, timeOf(push.receivedAt)), h("span", { class: "c-status" }, statusBadge(push)),
      h("span", { class: "c-name" }, push.recipient ? nameOf(push.recipient) : push.headers["apns-topic"] ?? "–"),
      h("span", { class: "c-text" }, alertOf(push.payload)), h("span", { class: "c-state" }, deliveryBadge(push)),
      h("span", { class: "c-token wide" }, short(push.token)),
    ],
    onSelect: (push) => { location.hash = `#/pushes/${push.id}`; },
    empty: () => query || Object.keys(filter).length
      ? ["Nothing fits", "No push holds these words. Search takes words and field:value, for one status:410."]
      : ["No push yet", "Run the reference service beside a device and send something:", "mocknet up --tour"],
  });
  const panes = masterDetail(list.node, { onClose: () => { location.hash = "#/pushes"; } });
  const chips = filterChips(FILTERS, (value) => { filter = value; list.load(); });
  main.append(h("div", { class: "bar" }, h("h1", {}, "Pushes"), chips, searchField({
    label: "Search pushes", value: query, placeholder: "Search: reason:unregistered, bob's address, a word of the payload …",
    onSearch: (text) => {
      const [, found] = ID.exec(text) ?? [];
      if (found) {
        location.hash = `#/pushes/${found}`;
        return;
      }
      query = text;
      list.load();
    },
  }), button("Remove all", async () => {
    if (await attempt(() => remove("pushes"), "All records are removed") !== undefined) {
      location.hash = "#/pushes";
      list.load();
    }
  }, { class: "quiet-text" })), panes.node);
  const hint = () => emptyState("Select a push", "Its payload, headers, verdict, and what became of it.");

  const showOne = async () => {
    const wanted = id;
    const push = await find(`pushes/${encodeURIComponent(wanted)}`).catch(() => null);
    if (wanted !== id) return;
    list.select(wanted);
    panes.show(push ? detail(push) : emptyState("It is gone", "There is no push of this id any more."));
  };
  const move = (to) => {
    if (to.id === id) return;
    id = to.id || null;
    if (id) {
      showOne();
      return;
    }
    list.select(null);
    panes.clear(hint());
  };
  panes.clear(hint());
  list.load();
  move(where);
  return {
    move,
    update(batch) {
      if (!batch.some(({ kind }) => kind.startsWith("push") || kind === "world.reset" || kind === "device.banner-shown")) return;
      list.refresh();
      if (id && batch.some(({ data }) => data.push === id || data.pushId === id)) showOne();
    },
    escape: () => { location.hash = "#/pushes"; },
    stop: () => list.stop(),
  };
}

/** The last two parts of a key for translations, which tell most. */
const ending = (key) => key.split(".").slice(-2).join(".");

/** What the alert of a payload says, or what kind of push it is without one. */
function alertOf(payload) {
  const aps = payload?.aps;
  if (!aps || typeof aps !== "object") return "no aps";
  const { alert } = aps;
  if (typeof alert === "string") return alert;
  if (alert && typeof alert === "object") {
    return [alert.title, alert.body].filter((text) => typeof text === "string").join(": ")
      || [alert["title-loc-key"], alert["loc-key"]].filter((text) => typeof text === "string").map(ending).join(", ") || "alert without text";
  }
  return aps["content-available"] ? "background" : "no alert";
}

function detail(push) {
  const { verdict, delivery, provider, transport } = push;
  const gone = delivery?.presentation;
  return [
    h("header", {}, h("h2", {}, `Push ${push.seq}`), statusBadge(push), deliveryBadge(push)),
    h("p", { class: "lead" }, sentence(push)),
    h("div", { class: "actions" },
      push.transactionId && h("a", { class: "button", href: `#/timeline/${push.transactionId}` }, "Follow its transaction"),
      button("Download .apns", () => attempt(() => save(`pushes/${push.id}/apns`, `push-${push.seq}.apns`)))),
    h("section", {}, h("h3", {}, "Verdict"), facts([
      ["rule", mono(verdict.rule)], ["would have failed too", verdict.alsoWouldHave.join(", ")],
      ["remarks", verdict.lints.join("; ")], ["fault", verdict.faultId && h("a", { href: "#/nodes" }, verdict.faultId)],
      ["not valid since", push.timestamp && moment(new Date(push.timestamp).toISOString())],
    ])),
    h("section", {}, h("h3", {}, "What became of it"), delivery ? facts([
      ["state", DELIVERY[delivery.state]?.[1] ?? delivery.state],
      ["device", delivery.device && h("a", { href: `#/devices/${delivery.device}` }, deviceName(delivery.device))],
      ["at", moment(delivery.at)], ["why", delivery.why],
      ["shown as", gone && `${gone.place} at ${moment(gone.at)}${gone.why ? ": " + gone.why : ""}`],
    ]) : h("p", { class: "muted" }, "No device of this world has been given this token.")),
    h("section", {}, h("h3", {}, `Payload, ${push.payloadBytes} bytes`), h("pre", { class: "json", tabindex: "0" }, JSON.stringify(push.payload, null, 2))),
    h("section", {}, h("h3", {}, "Headers"), facts(Object.entries(push.headers).map(([name, value]) => [name, mono(value)]), "facts headers")),
    h("section", {}, h("h3", {}, "Credential"), facts([
      ["kind", provider.kind], ["key", provider.keyId], ["team", provider.teamId], ["issued", provider.issuedAt && moment(provider.issuedAt)],
      ["oddities", provider.notes?.join("; ")], ["problems", provider.problems?.join("; ")],
    ])),
    h("section", {}, h("h3", {}, "Connection"), facts([
      ["environment", push.environment], ["connection", `${push.connection}, stream ${push.stream}`], ["peer", transport?.peer],
      ["TLS", transport?.tls && `${transport.tls}, ${transport.cipher}, ALPN ${transport.alpn ?? "none"}`], ["token", mono(push.token)],
      ["apns-id", mono(push.apnsId)], ["received", moment(push.receivedAt)],
    ])),
  ];
}

function sentence(push) {
  const whom = push.recipient ? nameOf(push.recipient) : "nobody in particular";
  if (push.status === null) return `For ${whom}; a fault kept the answer from being sent.`;
  if (push.status !== 200) return `For ${whom}; refused with ${push.status} ${push.reason ?? ""}.`;
  const { delivery } = push;
  if (!delivery) return `For ${whom}; accepted, for a token that no device here has.`;
  return `For ${whom}; accepted, and ${DELIVERY[delivery.state]?.[1] ?? delivery.state}${delivery.device ? ` on ${deviceName(delivery.device)}` : ""}${delivery.why ? `: ${delivery.why}` : ""}.`;
}
