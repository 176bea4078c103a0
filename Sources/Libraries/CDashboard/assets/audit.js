// What the run has shown to be broken of the promises, and what each party could have learned.

import { find } from "./api.js";
import { badge, emptyState, h, replace } from "./dom.js";
import { moment, plural, short } from "./format.js";
import { nameOf } from "./live.js";

const RULES = [
  ["no-content", "No content", "A push holds nothing of the message, and not the sender's address."],
  ["no-callback", "No callback", "No device ever talks to the notification service."],
  ["sealed-signals", "Signals are sealed", "Only the service can read a registration."],
  ["right-owner", "Right owner", "A push goes to a token that is registered for its recipient."],
  ["nobody-forgotten", "Nobody forgotten", "Every message to a registered address leads to a push in time."],
  ["no-duplicates", "No duplicates", "One transaction leads to one push for each token."],
  ["dead-tokens-dropped", "Dead tokens are dropped", "After a 410 the token is not pushed to again."],
  ["no-heartbeat", "Registration is no heartbeat", "Nobody registers the same token again without need."],
  ["no-orphans", "No orphans", "No token stays registered that nothing reaches any more."],
];
/** How many findings of one rule are listed. */
const SHOWN = 50;

export function open(main) {
  const body = h("div", { class: "audit" });
  const summary = h("span", { class: "muted", role: "status" });
  main.append(h("div", { class: "bar" }, h("h1", {}, "Audit"), summary), body);
  let timer = null;
  const read = async () => {
    timer = null;
    const [audit, parties] = await Promise.all([find("audit", { limit: 1000 }), find("audit/parties")]).catch(() => [undefined]);
    if (audit === undefined) return;
    draw(body, summary, audit, parties);
  };
  read();
  return {
    update(batch) { if (batch.length && !timer) timer = setTimeout(read, 1000); },
    stop: () => clearTimeout(timer),
  };
}

function draw(body, summary, audit, parties) {
  if (!audit) {
    summary.textContent = "";
    replace(body, emptyState("No audit here", "This world does not check its promises; a later version of mocknet does.", "mocknet audit"));
    return;
  }
  const all = Object.values(audit.counts ?? {}).reduce((sum, count) => sum + count, 0);
  summary.textContent = (all ? plural(all, "finding") : "Nothing is broken") + (audit.unseen ? `, ${audit.unseen} events were not looked at` : "");
  const opened = new Set([...body.querySelectorAll("details[open]")].map((node) => node.dataset.rule));
  replace(body, h("div", { class: "promises" }, [...RULES].sort(([one], [other]) => (audit.counts?.[other] > 0) - (audit.counts?.[one] > 0)).map(([rule, title, text]) => {
    const findings = audit.findings.filter((finding) => finding.rule === rule);
    if (!findings.length) return h("div", { class: "panel promise" }, h("header", {}, h("h2", {}, title), badge("ok", "kept")), h("p", {}, text));
    return h("details", { class: "panel promise broken", "data-rule": rule, open: opened.has(rule) || findings.length < 4 },
      h("summary", {}, h("h2", {}, title), badge("bad", plural(audit.counts?.[rule] ?? findings.length, "finding")), h("p", {}, text)),
      h("ol", { class: "findings" }, findings.slice(-SHOWN).reverse().map(finding)),
      findings.length > SHOWN && h("p", { class: "muted" }, `${SHOWN} of ${findings.length} are shown`));
  })), parties?.parties && h("section", { class: "panel wide" }, h("h2", {}, "What each party could have learned"), h("div", { class: "parties" }, parties.parties.map(partyView))));
}

function finding(item) {
  return h("li", {}, h("p", {}, h("b", {}, item.evidence ?? "")), h("p", {}, item.consequence ?? ""), h("p", { class: "muted" },
    item.at ? moment(item.at) : "", item.certainty === "length" ? " · by its length alone" : "", item.address ? ` · ${nameOf(item.address)}` : "", item.token ? [" · token ", short(item.token)] : "",
    item.transactionId && [" · ", h("a", { href: `#/timeline/${item.transactionId}` }, "its way")], item.pushId && [" · ", h("a", { href: `#/pushes/${item.pushId}` }, "the push")]));
}

const PARTIES = { apple: "Apple", "node-operator": "Who runs a node", ans: "The notification service", network: "Who sees the network" };

function partyView({ party, learned, promises }) {
  return h("article", {}, h("h3", {}, PARTIES[party] ?? party),
    h("ul", { class: "promised" }, promises.map(({ promise, kept, findings }) => h("li", {}, badge(kept ? "ok" : "bad", kept ? "kept" : plural(findings, "finding")), ` ${promise}`))),
    h("ul", { class: "learned" }, learned.map(({ what, count, how, examples }) => h("li", {}, h("b", {}, what), h("span", { class: "muted" }, ` ×${count}`),
      h("p", { class: "muted" }, how), examples.length > 0 && h("p", { class: "examples" }, examples.slice(0, 3).map((example) => h("code", {}, example)))))));
}
