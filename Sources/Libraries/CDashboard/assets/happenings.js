// Events in words, and on whose lane they lie.

import { deviceName, nameOf } from "./live.js";

/** The parties in the order in which a message passes them: name, title, short title. */
export const LANES = [
  ["sender", "Sender's device", "From"], ["node", "Node", "Node"], ["ledger", "Ledger", "Chain"],
  ["ans", "Notification service", "ANS"], ["apns", "APNs", "APNs"], ["device", "Receiver's device", "To"],
];

const SENDING = ["device.signal-accepted", "device.signal-failed", "device.signal-queued", "device.signed-in", "device.signed-out"];

/** Where an event belongs. */
export function laneOf({ kind }) {
  if (SENDING.includes(kind)) return "sender";
  if (kind.startsWith("device.")) return "device";
  if (kind.startsWith("ans.")) return "ans";
  if (kind.startsWith("push")) return "apns";
  if (/^(block|snapshot|clock|world|chain)\./.test(kind) || /^transaction\.(forged|reverted|returned)$/.test(kind)) return "ledger";
  return "node";
}

const beginning = (text, length = 8) => text ? String(text).slice(0, length) + (String(text).length > length ? "…" : "") : "";

const SENTENCES = {
  "transaction.accepted": ({ data, node }) => `${node ?? "a node"} takes a ${data.kind} from ${nameOf(data.sender)} to ${nameOf(data.recipient)}`,
  "transaction.refused": ({ data, node }) => `${node ?? "a node"} refuses: ${data.error ?? "no reason"}`,
  "transaction.held": ({ node, faultId }) => `held at ${node} by fault ${faultId}`,
  "transaction.released": ({ node }) => `released at ${node}`,
  "transaction.forged": ({ data }) => `in the block at height ${data.height}`,
  "transaction.dropped": ({ data, node }) => `dropped at ${node ?? "a node"}: ${data.reason ?? ""}`,
  "transaction.reverted": ({ data }) => `its block at height ${data.height} was rolled back`,
  "transaction.returned": ({ node }) => `waits at ${node} again`,
  "block.forged": ({ data }) => `block ${data.height}, ${data.transactions} ${data.transactions === 1 ? "transaction" : "transactions"}`,
  "block.reverted": ({ data }) => `block ${data.height} rolled back`,
  "fault.fired": ({ data, faultId }) => `fault ${data.name ?? faultId ?? ""}: ${data.effect ?? ""} ${data.path ?? ""}`,
  "push.received": ({ data }) => `push for ${nameOf(data.recipient)}: ${data.status ?? "no answer"}${data.reason ? " " + data.reason : ""}`,
  "push.delivered": ({ data }) => `delivered to ${deviceName(data.device)}`,
  "push.expired": ({ data }) => `a push expired${data.why ? ": " + data.why : ""}`,
  "push.replaced": ({ data }) => `a later push took its place${data.why ? ": " + data.why : ""}`,
  "push.discarded": ({ data }) => `a push was discarded: ${data.why ?? ""}`,
  "ans.started": () => "the service starts", "ans.stopped": () => "the service stops",
  "ans.polled": ({ data, node }) => `${data.poller} polls ${node ?? "a node"} from height ${data.fromHeight}: ${data.count}`,
  "ans.registered": ({ data }) => `notes token ${beginning(data.token)} for ${nameOf(data.address)}`,
  "ans.removed": ({ data }) => `forgets token ${beginning(data.token)} of ${nameOf(data.address)}`,
  "ans.pushed": ({ data }) => `pushes to ${beginning(data.token)}: ${data.answer ?? ""}`,
  "device.launched": ({ data }) => `${deviceName(data.device)} starts the app`,
  "device.signed-in": ({ data }) => `${deviceName(data.device)} signs in as ${nameOf(data.address)}`,
  "device.signed-out": ({ data }) => `${deviceName(data.device)} signs out`,
  "device.signal-accepted": ({ data, node }) => `${deviceName(data.device)} posts its ${data.action} signal to ${node}`,
  "device.push-received": ({ data }) => `${deviceName(data.device)} gets the push`,
  "device.transaction-fetched": ({ data, node }) => `${deviceName(data.device)} fetches it from ${node}`,
  "device.banner-shown": ({ data }) => `${deviceName(data.device)} shows “${data.title ? nameOf(data.title) + ": " : ""}${data.body ?? ""}”`,
  "clock.changed": ({ data }) => data.text ?? "the clock was changed",
  "world.reset": () => "the world begins anew",
  "audit.found": ({ data }) => `audit: ${data.rule ?? ""} ${data.evidence ?? ""}`,
};

const BAD = /refused|dropped|reverted|expired|discarded|failed|evicted|fell-back|audit\.found/;
const GOOD = /accepted|delivered|shown|registered|fetched|forged|pushed/;

/** What happened, in words, and whether that is good. */
export function describe(event) {
  const sentence = SENTENCES[event.kind];
  let text = sentence ? sentence(event) : null;
  if (text === null) {
    const known = Object.entries(event.data ?? {}).filter(([, value]) => ["string", "number"].includes(typeof value)).slice(0, 3)
      .map(([name, value]) => `${name} ${name === "device" ? deviceName(value) : beginning(value, 24)}`);
    text = `${event.kind.replace(".", " ").replaceAll("-", " ")}${known.length ? ": " + known.join(", ") : ""}`;
  }
  let tone = "note";
  if (event.kind === "fault.fired" || event.kind === "transaction.held") tone = "warn";
  else if (event.kind === "push.received") tone = event.data.status === 200 ? "ok" : "bad";
  else if (BAD.test(event.kind)) tone = "bad";
  else if (GOOD.test(event.kind)) tone = "ok";
  return { text, tone };
}
