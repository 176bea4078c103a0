// All at once: how pushes end, how long they take, what goes wrong, what it costs, and where everything listens.

import { figures, get } from "./api.js";
import { barChart, dotChart } from "./chart.js";
import { badge, commandLine, h, iconButton, redraw, replace, toast } from "./dom.js";
import { adm, count, duration, mono, plural } from "./format.js";
import { live } from "./live.js";
import { sendDialog } from "./send.js";
import { tour } from "./tour.js";

export function open(main) {
  const guide = tour();
  const cards = h("section", { class: "cards", "aria-label": "Figures" });
  const charts = h("section", { class: "charts", "aria-label": "Charts" });
  const next = h("section", { class: "panel", "aria-label": "What to do next" });
  const addresses = h("section", { class: "panel", "aria-label": "Addresses" });
  const accounts = h("section", { class: "panel wide", "aria-label": "Accounts" });
  const others = h("section", { class: "panel", "aria-label": "Other worlds", hidden: true });
  main.append(h("h1", { class: "hidden" }, "Overview"), guide.node, cards, charts, h("div", { class: "columns" }, next, addresses), others, accounts);
  let blocks = [];
  let timer = null;
  let drawnWorld = null;
  let totals = null;
  let worldsReadAt = -Infinity;

  const read = async () => {
    timer = null;
    const [newest, counts, known] = await Promise.all([
      get("blocks", { order: "newest", limit: 60 }), figures("mocknet_events_total", "kind"), get("accounts"),
    ]).catch(() => []);
    if (!newest) return;
    // The first block of a chain is as old as the chain of the real network.
    blocks = newest.blocks.filter(({ timestamp }) => timestamp > 0).reverse();
    totals = counts;
    drawCards(cards, totals);
    drawCharts(charts, blocks);
    drawAccounts(accounts, known.accounts);
    // Each of many worlds tells all of itself.
    if (performance.now() - worldsReadAt < 10_000) return;
    worldsReadAt = performance.now();
    drawWorlds(others, (await get("worlds").catch(() => ({ worlds: [] }))).worlds);
  };
  const update = (batch = []) => {
    if (!live.world) return;
    guide.update(batch);
    drawCards(cards, totals);
    drawCharts(charts, blocks);
    if (drawnWorld !== live.world) {
      drawnWorld = live.world;
      drawNext(next);
      drawAddresses(addresses);
      drawAccounts(accounts, live.world.accounts);
    }
    if (!timer && (!totals || batch.length)) timer = setTimeout(read, totals ? 700 : 0);
  };
  update();
  return { update, stop: () => { clearTimeout(timer); guide.stop(); } };
}

function card(value, label, note, link) {
  return h("a", { class: "card", href: link }, h("b", {}, value), h("span", {}, label), note && h("small", {}, note));
}

/** The figures count all since the process began; the charts, what the page has heard of. */
function drawCards(node, totals) {
  const { latencies } = live.statistics;
  const of = (kind) => (totals ?? live.statistics.totals)[kind] ?? 0;
  const sorted = latencies.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const middle = sorted.length ? duration(sorted[Math.floor(sorted.length / 2)]) : "–";
  const lost = of("push.discarded") + of("push.expired");
  const figures = [
    [count(live.chain.height), "height", `${live.chain.forging}, ${live.chain.intervalMilliseconds / 1000} s`, "#/chain"],
    [count(of("transaction.accepted")), "transactions taken", plural(of("transaction.refused"), "refusal"), "#/timeline"],
    [count(of("push.received")), "pushes", lost ? `${lost} nobody got` : "", "#/pushes"],
    [count(of("device.banner-shown")), "banners shown", "", "#/devices"],
    [middle, "from POST to banner", "the middle one", "#/timeline"],
    [count(of("fault.fired")), "faults fired", "", "#/nodes"],
    [count(of("audit.found")), "audit findings", of("audit.found") ? "promises are broken" : "all promises kept", "#/audit"],
  ];
  redraw(node, figures, () => figures.map((figure) => card(...figure)));
}

function drawCharts(node, blocks) {
  const { pushes, faults, latencies, reasons, rules, totals } = live.statistics;
  const reason = [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 2).map(([name, number]) => `${name} ${number}`).join(", ");
  const fees = blocks.reduce((sum, block) => sum + BigInt(block.totalFee), 0n);
  const slowest = Math.max(0, ...latencies.map(({ milliseconds }) => milliseconds));
  replace(node,
    barChart({
      title: "Pushes by outcome", unit: "over time", bars: pushes.bars(),
      names: [["ok", "accepted"], ["bad", "refused"], ["warn", "without an answer"]],
      summary: totals["push.received"] ? `${plural(totals["push.received"], "push", "pushes")}${reason ? "; refused: " + reason : ", none refused"}` : "No push yet",
    }),
    dotChart({
      title: "From POST to banner", unit: "one dot each", format: duration,
      dots: latencies.map(({ milliseconds, fallback, at }) => ({
        value: milliseconds, kind: fallback ? "warn" : "ok",
        text: `${at.slice(11, 19)}: ${duration(milliseconds)}${fallback ? ", with the push's own text" : ""}`,
      })),
      summary: latencies.length ? `${plural(latencies.length, "banner")}, the slowest after ${duration(slowest)}` : "No banner yet",
    }),
    barChart({
      title: "Faults fired", unit: "over time", bars: faults.bars(), names: [["warn", "fired"]],
      summary: rules.size ? [...rules].slice(0, 3).map(([id, number]) => `${id ?? "by rate"} ${number}`).join(", ") : "No fault has fired",
    }),
    barChart({
      title: "Fees spent", unit: "in the newest blocks", names: [["info", "fees"]], format: (value) => adm(Math.round(value)),
      bars: blocks.map((block) => ({ at: Date.parse(block.at), values: [Number(block.totalFee)] })),
      summary: `${adm(fees)} in ${plural(blocks.length, "block")}`,
    }));
}

function drawNext(node) {
  const control = `--control ${location.origin}`;
  replace(node, h("h2", {}, "Try it"),
    h("p", {}, "Write to somebody, and follow the message to the banner: ",
      h("button", { type: "button", class: "link", onclick: () => sendDialog() }, "send a message"), ", or in a shell:"),
    commandLine("mocknet send alice bob hello"),
    h("p", {}, "A device of your own for an account, which registers over the chain:"),
    commandLine("mocknet device new phone --owner carol"),
    h("p", {}, "Have one call in three fail, and see who copes:"),
    commandLine("mocknet fault add --probability 0.33 --effect reset-before"),
    location.port !== "36600" && h("p", { class: "muted" }, "This world is not at the usual port: add ", mono(control), "."));
}

/** The process's further worlds, each with a page of its own. */
function drawWorlds(node, worlds) {
  const others = worlds.filter((world) => world.id !== live.world.id);
  node.hidden = !others.length;
  replace(node, h("h2", {}, "Further worlds"), h("ul", { class: "links" }, others.slice(0, 50).map((world) => h("li", {},
    h("a", { href: `${live.world.id === "default" ? "worlds" : ".."}/${encodeURIComponent(world.id)}/` }, world.id), ` seed ${world.seed}, height ${world.height}`))),
  others.length > 50 && h("p", { class: "muted" }, `50 of ${others.length}`));
}

function copyable(text) {
  return h("span", { class: "copyable" }, mono(text), iconButton("copy", `Copy ${text}`, async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast("Copied");
    } catch {
      toast("The browser does not allow copying here", "warn");
    }
  }));
}

function drawAddresses(node) {
  const { world } = live;
  const rows = [
    ...world.nodes.map((item) => [`node ${item.name}`, item.url, item.version]),
    ["APNs", world.apns.production, "production"], ["APNs", world.apns.sandbox, "sandbox"],
    ["authority", world.caFile, ""], ["ANS", world.ans.address, ""],
  ];
  replace(node, h("h2", {}, "Addresses"), h("table", {}, h("thead", { class: "hidden" }, h("tr", {},
    ["what", "address", "note"].map((text) => h("th", { scope: "col" }, text)))),
  h("tbody", {}, rows.map(([name, address, note]) => h("tr", {},
    h("th", { scope: "row" }, name), h("td", {}, copyable(address)), h("td", {}, note && badge("note", note)))))));
}

function drawAccounts(node, accounts) {
  redraw(node, accounts, () => [h("h2", {}, "Accounts"), h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, ["name", "address", "balance", "passphrase"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, accounts.slice(0, 200).map((account) => h("tr", {},
      h("th", { scope: "row" }, account.name ?? "–"), h("td", {}, copyable(account.address)),
      h("td", { class: "number" }, adm(account.balance)), h("td", {}, copyable(account.passphrase ?? "–"))))))),
  accounts.length > 200 && h("p", { class: "muted" }, `200 of ${accounts.length}`)]);
}
