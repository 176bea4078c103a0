// Everything that happens, on the lane of the party it happens to; and one transaction's way over them.

import { find } from "./api.js";
import { badge, emptyState, h, replace, s, textScale } from "./dom.js";
import { ServerList, filterChips, masterDetail, searchField } from "./list.js";
import { describe, LANES, laneOf } from "./happenings.js";
import { duration, moment, mono, timeOf } from "./format.js";
import { deviceName, live, nameOf } from "./live.js";

const FILTERS = [["-transactions:0", "Without empty blocks"], ["", "All"], ["-kind:block -kind:polled -kind:device", "Chain to push"], ["kind:fault", "Faults"]];
/** Height of a station and width of a lane, and both where there is little room. */
const WIDE = [60, 44];
const NARROW = [78, 27];

export function open(main, where) {
  let query = where.query.get("q") ?? "";
  let filter = FILTERS[0][0];
  let id = null;
  const list = new ServerList({
    path: "events", name: "events", label: "Events, the newest first", key: (event) => event.seq, rowHeight: 36,
    parameters: () => ({ q: [filter, query].filter(Boolean).join(" ") }),
    isRelated: (event) => id !== null && event.transactionId === id,
    columns: [["time", "c-time"], ...LANES.map(([, title, short]) => [h("abbr", { title }, short), "c-lane"]), ["what happened", "c-text"]],
    row: eventRow,
    onSelect: (event) => {
      if (event.transactionId) location.hash = `#/timeline/${event.transactionId}${suffix()}`;
      else panes.show(eventDetail(event));
    },
    empty: () => query
      ? ["Nothing fits", "No event is like that."]
      : ["Nothing has happened yet", "Send a message, and watch it go from lane to lane:", "mocknet send alice bob hello"],
  });
  const suffix = () => query ? `?q=${encodeURIComponent(query)}` : "";
  const panes = masterDetail(list.node, { onClose: () => { location.hash = `#/timeline${suffix()}`; panes.clear(hint()); } });
  const chips = filterChips(FILTERS, (value) => { filter = value; list.load(); });
  main.append(h("div", { class: "bar" }, h("h1", {}, "Timeline"), chips, searchField({
    label: "Search events", value: query, placeholder: "Search: kind:push, a transaction's id, bob's token …",
    onSearch: (text) => { query = text; list.load(); },
  })), panes.node);

  let isReading = false;
  let isStale = false;
  /** One at a time, so that what comes faster than it is read is shown nevertheless. */
  const showTrace = async () => {
    isStale = isReading;
    if (isReading) return;
    isReading = true;
    const wanted = id;
    const [transaction, trace] = await Promise.all([find(`transactions/${wanted}`), find(`traces/${wanted}`)]).catch(() => [null, null]);
    isReading = false;
    if (wanted === id) panes.show(traceView(wanted, transaction, trace));
    if (id && (isStale || wanted !== id)) showTrace();
  };
  const move = (to) => {
    if ((to.query.get("q") ?? "") !== query) {
      query = to.query.get("q") ?? "";
      main.querySelector("[data-search]").value = query;
      list.load();
    }
    if (to.id === id) return;
    id = to.id || null;
    list.redraw();
    if (id) showTrace();
    else panes.clear(hint());
  };
  panes.clear(hint());
  list.load();
  move(where);
  return {
    move,
    update(batch) {
      if (batch.length) list.refresh();
      if (id && batch.some((event) => event.transactionId === id || event.kind === "block.forged" || event.kind === "ans.polled")) showTrace();
    },
    escape: () => { location.hash = `#/timeline${suffix()}`; },
    stop: () => list.stop(),
  };
}

function hint() {
  return emptyState("Follow one of them", "Select an event of a transaction to see its way from the sender's device to the banner, and where it was lost.");
}

function eventRow(event) {
  const lane = laneOf(event);
  const { text, tone } = describe(event);
  return [
    h("span", { class: "c-time" }, timeOf(event.at)),
    LANES.map(([name, title]) => h("span", { class: `c-lane lane-${name}${name === lane ? " here" : ""}`, title: name === lane ? title : undefined },
      name === lane && h("i", { class: `mark ${tone}` }), name === lane && h("span", { class: "hidden" }, title))),
    h("span", { class: "c-text" }, text),
  ];
}

function eventDetail(event) {
  const { text, tone } = describe(event);
  return [h("header", {}, h("h2", {}, event.kind), badge(tone, text)), h("pre", { class: "json", tabindex: "0" }, JSON.stringify(event, null, 2))];
}

const OUTCOMES = { shown: ["ok", "shown"], delivered: ["ok", "delivered"], lost: ["bad", "lost"], pending: ["wait", "under way"] };

const STATIONS = {
  posted: ["node", "posted"], accepted: ["node", "accepted"], forged: ["ledger", "forged"], polled: ["ans", "served to a poll"],
  pushed: ["apns", "pushed"], delivered: ["device", "delivered"], fetched: ["device", "fetched"], shown: ["device", "shown"],
};

function traceView(id, transaction, trace) {
  const head = [
    h("header", {}, h("h2", {}, "Transaction ", mono(id)), trace && badge(...(OUTCOMES[trace.outcome] ?? ["note", trace.outcome]))),
    transaction && h("p", { class: "lead" }, `${nameOf(transaction.sender)} → ${nameOf(transaction.recipient)}, ${transaction.kind}, ${transaction.state}`,
      transaction.height ? ` at height ${transaction.height}` : transaction.why ? `: ${transaction.why}` : ""),
  ];
  if (trace?.cause) head.push(h("p", { class: `cause ${trace.outcome === "lost" ? "bad" : "wait"}` }, badge(trace.outcome === "lost" ? "bad" : "wait", trace.lostAt ? `not ${STATIONS[trace.lostAt]?.[1] ?? trace.lostAt}` : trace.outcome), " ", trace.cause));
  const events = live.recent.filter((event) => event.transactionId === id);
  if (!trace) {
    return [head, emptyState("No trace of it", transaction ? "This world does not tell the ways of transactions." : "No node of this world has seen this transaction.", `mocknet trace ${id}`), eventList(events)];
  }
  const deliveries = trace.deliveries ?? [];
  return [
    head, drawing(trace, transaction),
    deliveries.length > 1 && h("section", {}, h("h3", {}, `Its ${deliveries.length} pushes`), h("ul", { class: "links" }, deliveries.map((delivery) => h("li", {},
      badge(...(OUTCOMES[delivery.outcome] ?? ["note", delivery.outcome])), " ", h("a", { href: `#/pushes/${delivery.pushId}` }, delivery.device ? deviceName(delivery.device) : `token ${delivery.token.slice(0, 8)}…`),
      delivery.cause ? ` ${delivery.cause}` : "")))),
    trace.gaps?.length > 0 && h("p", { class: "muted" }, "What is not known any more: ", trace.gaps.map(String).join("; ")), eventList(events),
  ];
}

function eventList(events) {
  if (!events.length) return null;
  return h("details", { class: "more", open: true }, h("summary", {}, `${events.length} events of it`), h("ol", { class: "events" },
    events.map((event) => h("li", {}, timeOf(event.at), " ", describe(event).text))));
}

/** The lanes with a line from station to station; where one never came, the line breaks off. */
function drawing(trace, transaction) {
  const steps = trace.stations.map((station) => ({ ...station, lane: STATIONS[station.station]?.[0] ?? "node", title: STATIONS[station.station]?.[1] ?? station.station }));
  const start = { station: "sent", lane: "sender", title: transaction ? `sent by ${nameOf(transaction.sender)}` : "sent", at: null };
  const rows = [start, ...steps];
  if (trace.lostAt && trace.outcome !== "shown") {
    rows.push({ station: trace.lostAt, lane: STATIONS[trace.lostAt]?.[0] ?? "node", title: `not ${STATIONS[trace.lostAt]?.[1] ?? trace.lostAt}`, isMissing: true, isLost: trace.outcome === "lost", note: trace.cause });
  }
  const names = LANES.map(([name]) => name);
  const [station, lane] = (matchMedia("(max-width: 640px)").matches ? NARROW : WIDE).map((pixels) => Math.round(pixels * textScale()));
  const x = (name) => names.indexOf(name) * lane + lane / 2;
  const y = (index) => index * station + station / 2;
  const width = names.length * lane;
  const height = rows.length * station;
  const lines = rows.slice(1).map((row, index) => {
    const [x1, y1, x2, y2] = [x(rows[index].lane), y(index), x(row.lane), y(index + 1)];
    const bend = (y1 + y2) / 2;
    return s("path", { class: `way${row.isMissing ? (row.isLost ? " lost" : " open") : ""}`, d: `M${x1} ${y1}C${x1} ${bend} ${x2} ${bend} ${x2} ${y2}` });
  });
  const dots = rows.map((row, index) => row.isMissing
    ? s("path", { class: row.isLost ? "cross" : "ring", d: row.isLost ? `M${x(row.lane) - 6} ${y(index) - 6}l12 12m0-12l-12 12` : `M${x(row.lane) - 6} ${y(index)}a6 6 0 1 0 12 0a6 6 0 1 0-12 0` })
    : s("circle", { class: `station${row.faultId ? " fault" : ""}`, cx: x(row.lane), cy: y(index), r: index ? 6 : 4 }));
  const first = steps[0]?.at;
  return h("div", { class: "trace" },
    h("div", { class: "trace-lanes", "aria-hidden": "true" }, LANES.map(([name, title, short]) => h("span", { class: `lane-${name}`, title }, short))),
    s("svg", { class: "trace-way", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
      names.map((name) => s("line", { class: `lane-line lane-${name}`, x1: x(name), x2: x(name), y1: 0, y2: height })), lines, dots),
    h("ol", { class: "trace-steps", "aria-label": "Stations" }, rows.map((row) => h("li", { class: row.isMissing ? (row.isLost ? "lost" : "open") : "" },
      h("div", {}, h("b", {}, row.title), " ", row.at && (row.at === first
        ? h("span", { class: "muted" }, timeOf(row.at))
        : h("span", { class: "delta", title: moment(row.at) }, `+${duration(Date.parse(row.at) - Date.parse(first))}`))),
      h("small", { title: row.note }, details(row))))));
}

function details(row) {
  const parts = [];
  if (row.node) parts.push(`node ${row.node}`);
  if (row.height) parts.push(`height ${row.height}`);
  if (row.device) parts.push(h("a", { href: `#/devices/${row.device}` }, deviceName(row.device)));
  if (row.pushId) parts.push(h("a", { href: `#/pushes/${row.pushId}` }, "the push"));
  if (row.faultId) parts.push(h("a", { href: "#/nodes" }, `fault ${row.faultId}`));
  if (row.note) parts.push(row.note);
  return parts.flatMap((part, index) => index ? [" · ", part] : [part]);
}
