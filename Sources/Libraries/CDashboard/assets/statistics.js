// Figures for the overview, counted from events as they come.

const SLOTS = 60;

/** How a push ended, as far as its event tells. */
export function outcome(data) {
  if (data.status === null || data.status === undefined) return "unanswered";
  return data.status === 200 ? "accepted" : "refused";
}

/** Counters by kind in slots of equal length, so that a chart of any span has so many bars. */
class Series {
  constructor(names) {
    this.names = names;
    this.length = 1000;
    this.slots = new Map();
  }

  add(at, name, amount = 1) {
    const time = Date.parse(at);
    if (!Number.isFinite(time)) return;
    this.newest = Math.max(this.newest ?? time, time);
    this.oldest = Math.min(this.oldest ?? time, time);
    while ((this.newest - this.oldest) / this.length >= SLOTS && this.length < 60_000) this.join();
    const key = Math.floor(time / this.length);
    const slot = this.slots.get(key) ?? {};
    slot[name] = (slot[name] ?? 0) + amount;
    this.slots.set(key, slot);
    if (this.slots.size > SLOTS * 4) this.trim();
  }

  join() {
    const length = this.length < 10_000 ? this.length * 2 : this.length * 3;
    const joined = new Map();
    for (const [key, slot] of this.slots) {
      const other = Math.floor(key * this.length / length);
      const sum = joined.get(other) ?? {};
      for (const [name, amount] of Object.entries(slot)) sum[name] = (sum[name] ?? 0) + amount;
      joined.set(other, sum);
    }
    this.length = length;
    this.slots = joined;
  }

  trim() {
    const first = Math.floor(this.newest / this.length) - SLOTS + 1;
    for (const key of [...this.slots.keys()]) if (key < first) this.slots.delete(key);
    this.oldest = Math.max(this.oldest, first * this.length);
  }

  /** The slots to draw, the oldest first: `{at, values}` with a value for each name. */
  bars() {
    if (this.newest === undefined) return [];
    const last = Math.floor(this.newest / this.length);
    const first = Math.max(Math.floor(this.oldest / this.length), last - SLOTS + 1);
    const bars = [];
    for (let key = first; key <= last; key += 1) {
      const slot = this.slots.get(key) ?? {};
      bars.push({ at: key * this.length, values: this.names.map((name) => slot[name] ?? 0) });
    }
    return bars;
  }
}

/** All that the overview shows of events. */
export class Statistics {
  constructor() {
    this.pushes = new Series(["accepted", "refused", "unanswered"]);
    this.faults = new Series(["fired"]);
    this.transactions = new Series(["message", "transfer", "signal", "other"]);
    this.totals = {};
    this.reasons = new Map();
    this.rules = new Map();
    /** Milliseconds from a node's acceptance to the banner, the newest last. */
    this.latencies = [];
    this.accepted = new Map();
  }

  add({ kind, at, transactionId, faultId, data }) {
    this.totals[kind] = (this.totals[kind] ?? 0) + 1;
    switch (kind) {
      case "push.received":
        this.pushes.add(at, outcome(data));
        if (data.reason) this.reasons.set(data.reason, (this.reasons.get(data.reason) ?? 0) + 1);
        break;
      case "fault.fired":
        this.faults.add(at, "fired");
        this.rules.set(data.name ?? faultId, (this.rules.get(data.name ?? faultId) ?? 0) + 1);
        break;
      case "transaction.accepted":
        this.accept(transactionId, at, data);
        break;
      case "device.banner-shown":
        this.show(transactionId, at, data);
        break;
    }
  }

  accept(id, at, { kind }) {
    if (this.accepted.has(id)) return;
    this.accepted.set(id, Date.parse(at));
    if (this.accepted.size > 20_000) this.accepted.delete(this.accepted.keys().next().value);
    this.transactions.add(at, ["message", "transfer", "signal"].includes(kind) ? kind : "other");
  }

  show(id, at, { fallback }) {
    const since = this.accepted.get(id);
    if (since === undefined) return;
    this.latencies.push({ at, milliseconds: Math.max(0, Date.parse(at) - since), fallback: Boolean(fallback) });
    if (this.latencies.length > 500) this.latencies.shift();
  }
}
