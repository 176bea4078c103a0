// Fault rules: how one is shown, and how one is made.

import { get, patch, post, remove } from "./api.js";
import { badge, button, dialog, h } from "./dom.js";
import { plural } from "./format.js";
import { attempt, choice, field } from "./send.js";

/** A rule with what it matched and how often it fired. */
export function ruleView(rule, changed) {
  const { id, name, target, match = {}, effect, matched, fired, spent } = rule;
  const rest = Object.entries(effect).filter(([key]) => key !== "kind").map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(", ");
  const conditions = Object.entries(match).map(([key, value]) => h("li", {}, h("b", {}, key), ` ${typeof value === "string" ? value : JSON.stringify(value)}`));
  const bounds = [rule.skip ? `after ${rule.skip}` : "", rule.limit ? `at most ${rule.limit}` : "", rule.probability !== undefined && rule.probability !== 1 ? `${Math.round(rule.probability * 100)} %` : ""].filter(Boolean).join(", ");
  return h("article", { class: `panel rule${spent ? " spent" : ""}`, "aria-label": `Fault rule ${id}` },
    h("header", {}, h("h3", {}, name ?? id), badge("note", target), spent ? badge("note", "spent") : badge(fired ? "warn" : "wait", plural(fired ?? 0, "time") + " fired")),
    h("p", {}, h("b", {}, effect.kind), rest ? ` (${rest})` : "", bounds ? `, ${bounds}` : ""),
    h("ul", { class: "conditions" }, conditions.length ? conditions : h("li", {}, "whatever comes")),
    h("div", { class: "meter-line" }, h("meter", { min: 0, max: Math.max(1, matched ?? 0), value: fired ?? 0, "aria-label": `${fired} of ${matched} matches fired` }), h("span", { class: "muted" }, `${matched} matched, ${fired} fired`)),
    h("div", { class: "actions" },
      button("Edit", () => editRule(rule, changed), { "aria-label": `Edit ${name ?? id}` }),
      button("Remove", async () => { await attempt(() => remove(`faults/${id}`), "The rule is removed"); changed(); }, { class: "danger", "aria-label": `Remove ${name ?? id}` })));
}

function editor(value) {
  return h("textarea", { rows: "14", class: "mono", spellcheck: "false", value: JSON.stringify(value, null, 2) });
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${error.message}`);
  }
}

function editRule(rule, changed) {
  const { id, matched, fired, spent, ...members } = rule;
  const text = editor(members);
  const node = dialog(`Rule ${rule.name ?? id}`, h("form", { class: "form", onsubmit: async (event) => {
    event.preventDefault();
    const saved = await attempt(() => {
      const wanted = parse(text.value);
      for (const key of Object.keys(members)) if (!(key in wanted)) wanted[key] = null;
      return patch(`faults/${id}`, wanted);
    }, "The rule is changed");
    if (saved) node.close();
    changed();
  } }, field("The rule; its counters go on", text), button("Save", null, { type: "submit", class: "primary" })));
}

const TEMPLATES = [
  ["lose a message before the node has it", { name: "lost before", target: "node", match: { method: "POST", path: "/api/chats/process" }, limit: 1, effect: { kind: "reset", when: "before" } }],
  ["lose the answer, not the message", { name: "lost answer", target: "node", match: { method: "POST", path: "/api/chats/process" }, limit: 1, effect: { kind: "reset", when: "after" } }],
  ["hold the removal of a registration back", { name: "hold the removal", target: "node", match: { chatType: 3, signalAction: "remove" }, effect: { kind: "hold" } }],
  ["answer polls as of five blocks ago", { name: "stale polls", target: "node", match: { method: "GET", path: "/api/**" }, effect: { kind: "stale", blocks: 5 } }],
  ["one call in three is answered 503", { name: "unavailable", target: "node", match: { path: "/api/**" }, probability: 0.33, effect: { kind: "status", status: 503 } }],
  ["the next push is refused as unregistered", { name: "gone", target: "apns", limit: 1, effect: { kind: "reject", status: 410, reason: "Unregistered", timestampAgeSeconds: 0 } }],
  ["pushes are answered two seconds later", { name: "slow APNs", target: "apns", effect: { kind: "delay", milliseconds: 2000 } }],
];

/** Asks for a rule, by preset, template or its JSON, and adds it. */
export async function addRule(changed) {
  const presets = await attempt(() => get("faults/presets"));
  if (!presets) return;
  const start = choice([["", "— choose —"], ...TEMPLATES.map(([title], index) => [`t${index}`, title])]);
  const text = editor(TEMPLATES[0][1]);
  start.addEventListener("change", () => {
    const template = TEMPLATES[Number(start.value.slice(1))];
    if (template) text.value = JSON.stringify(template[1], null, 2);
  });
  const preset = choice([["", "— choose —"], ...presets.presets.map(({ name, symptom }) => [name, `${name}: ${symptom}`])]);
  const done = (result) => {
    if (result) node.close();
    changed();
  };
  const node = dialog("Add a fault rule",
    h("form", { class: "form", onsubmit: async (event) => {
      event.preventDefault();
      done(await attempt(() => post("faults", parse(text.value)), (rule) => `Rule ${rule.name ?? rule.id} is in force`));
    } }, field("Begin with", start), field("The rule", text, "members and effects: Docs/faults.md"), button("Add the rule", null, { type: "submit", class: "primary" })),
    h("form", { class: "form", onsubmit: async (event) => {
      event.preventDefault();
      if (!preset.value) return;
      done(await attempt(() => post("faults", { preset: preset.value }), ({ faults }) => `${plural(faults.length, "rule")} in force`));
    } }, field("Or a preset that reproduces a reported bug", preset), button("Add the preset", null, { type: "submit" })));
}
