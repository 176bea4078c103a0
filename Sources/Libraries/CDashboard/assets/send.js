// Sending a message, transfer or signal for an account of this world.

import { post } from "./api.js";
import { button, dialog, h, toast } from "./dom.js";
import { live } from "./live.js";

/** A field of a form with its label. */
export function field(label, input, hint) {
  const id = input.id || (input.id = `f-${label.toLowerCase().replace(/[^a-z]+/g, "-")}-${Math.random().toString(36).slice(2, 7)}`);
  return h("div", { class: "field" }, h("label", { for: id }, label), input, hint && h("small", {}, hint));
}

/** A choice among words, each a text or `[value, text]`. */
export function choice(options, value, properties = {}) {
  const node = h("select", properties, options.map((option) => {
    const [worth, text] = Array.isArray(option) ? option : [option, option];
    return h("option", { value: worth }, text);
  }));
  if (value !== undefined && value !== null) node.value = value;
  return node;
}

/** Shows why a call was refused, at the field at fault where it names one. */
export async function attempt(action, done) {
  try {
    const result = await action();
    if (done) toast(typeof done === "function" ? done(result) : done);
    return result;
  } catch (error) {
    toast(error.field ? `${error.field}: ${error.message}` : error.message, "bad");
    return undefined;
  }
}

/** Asks what to send, and sends it. */
export function sendDialog({ to } = {}) {
  const accounts = (live.world?.accounts ?? []).map((account) => [account.address, account.name ?? account.address]);
  const from = choice(accounts, accounts.find(([address]) => address !== to)?.[0]);
  const recipient = choice(accounts, to ?? accounts[1]?.[0]);
  const kind = choice(["message", "transfer"], "message");
  const text = h("input", { type: "text", value: "Hello from the dashboard", maxlength: "1000" });
  const amount = h("input", { type: "text", inputmode: "decimal", value: "1.5" });
  const textField = field("Text", text);
  const amountField = field("Amount in ADM", amount);
  const adapt = () => {
    textField.hidden = kind.value !== "message";
    amountField.hidden = kind.value !== "transfer";
  };
  kind.addEventListener("change", adapt);
  adapt();
  const node = dialog("Send", h("form", { class: "form", onsubmit: async (event) => {
    event.preventDefault();
    const body = { from: from.value, to: recipient.value, kind: kind.value };
    if (kind.value === "message") body.message = text.value;
    else body.amount = units(amount.value);
    const sent = await attempt(() => post("transactions", body), "A node has accepted it");
    if (!sent) return;
    node.close();
    location.hash = `#/timeline/${sent.transactionId}`;
  } }, field("From", from), field("To", recipient), field("Kind", kind), textField, amountField,
  button("Send", null, { type: "submit", class: "primary" })));
}

/** ADM as typed in units of 1e-8; what is no amount is left for the API to refuse. */
function units(text) {
  const found = /^(\d+)(?:[.,](\d{1,8}))?$/.exec(text.trim());
  return found ? (BigInt(found[1]) * 100000000n + BigInt((found[2] ?? "").padEnd(8, "0"))).toString() : text;
}
