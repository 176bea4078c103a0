// What is known of the world right now, kept so by its events.

import { events, get } from "./api.js";
import { Statistics } from "./statistics.js";

const RECENT = 2000;
const listeners = new Set();
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** The world as last heard of; replaced, never changed in place, but for `recent` and `statistics`. */
export const live = {
  /** connecting, live, lost or unauthorized */
  link: "connecting",
  world: null,
  chain: null,
  clock: null,
  clockReadAt: 0,
  names: new Map(),
  devices: new Map(),
  last: 0,
  /** The newest events, oldest first. */
  recent: [],
  statistics: new Statistics(),
};

/** Calls `action` with the events that came since, after each batch and change of the link; answers how to stop. */
export function watch(action) {
  listeners.add(action);
  return () => listeners.delete(action);
}

function tell(batch = []) {
  for (const listener of [...listeners]) listener(batch);
}

/** The name of an account, where it has one. */
export function nameOf(address) {
  return live.names.get(address) ?? address ?? "–";
}

/** The name of a device of an id. */
export function deviceName(id) {
  return live.devices.get(id) ?? id ?? "–";
}

/** The world's time now, as far as it can be told without asking. */
export function worldNow() {
  if (!live.clock) return null;
  const read = Date.parse(live.clock.now);
  return new Date(live.clock.frozen ? read : read + (performance.now() - live.clockReadAt)).toISOString();
}

/** Reads again what has no events of its own: accounts, forging, clock. */
export async function refreshWorld() {
  const [world, chain, clock] = await Promise.all([get("world"), get("chain"), get("clock"), readDevices()]);
  live.world = world;
  live.chain = chain;
  live.clock = clock;
  live.clockReadAt = performance.now();
  live.names = new Map(world.accounts.filter((account) => account.name)
    .map((account) => [account.address, account.name]));
  live.names.set(world.ans.address, "ANS");
}

/** Reads the names of the devices that came since the last time; a name never changes. */
async function readDevices() {
  const known = live.devices;
  const { devices } = await get("devices", { after: known.size, limit: 1000, shown: 0 });
  for (const device of devices) known.set(device.id, device.name ?? device.id);
}

function take(batch) {
  for (const event of batch) {
    live.last = Math.max(live.last, event.seq);
    if (event.kind === "block.forged" && live.chain) live.chain = { ...live.chain, height: event.data.height };
    if (event.kind === "world.reset") {
      live.recent = [];
      live.statistics = new Statistics();
      live.devices = new Map();
    }
    live.recent.push(event);
    live.statistics.add(event);
  }
  if (live.recent.length > RECENT * 1.5) live.recent = live.recent.slice(-RECENT);
}

const REREAD = ["world.reset", "clock.changed", "block.reverted", "snapshot.reverted"];

/** Begins with the newest events and follows what comes, for good; `onRestart` is told of a world that began anew. */
export async function follow(onRestart) {
  let wait = 250;
  for (;;) {
    try {
      const known = live.world;
      await refreshWorld();
      const newest = await get("events", { order: "newest", limit: RECENT });
      const isOther = known && (known.startedAt !== live.world.startedAt || newest.last < live.last);
      if (!known || isOther) {
        live.recent = [];
        live.statistics = new Statistics();
        live.last = 0;
        if (isOther) {
          live.devices = new Map();
          await readDevices();
        }
        take(newest.events.reverse());
        live.last = Math.max(live.last, newest.last);
        if (isOther) onRestart(known, live.world);
      }
      live.link = "live";
      wait = 250;
      tell(live.recent);
      await listen();
    } catch (error) {
      if (error.name === "AbortError") {
        await becomingVisible();
        continue;
      }
      live.link = error.status === 401 ? "unauthorized" : "lost";
      tell();
      await pause(wait);
      wait = Math.min(wait * 2, 4000);
      continue;
    }
    live.link = "lost";
    tell();
    await pause(wait);
  }
}

/** How long a page that nobody sees goes on listening: a browser gives an origin few connections, over all its tabs. */
const HIDDEN = 10_000;

function becomingVisible() {
  return new Promise((done) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      done();
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}

/** Takes events until the connection ends, or the page is out of sight for a while, which is an `AbortError`. */
async function listen() {
  const abort = new AbortController();
  let timer;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => abort.abort(), HIDDEN);
  };
  document.addEventListener("visibilitychange", look);
  look();
  try {
    await receive(abort.signal);
  } finally {
    document.removeEventListener("visibilitychange", look);
    clearTimeout(timer);
  }
}

async function receive(signal) {
  let pending = [];
  let isScheduled = false;
  const flush = async () => {
    isScheduled = false;
    const batch = pending;
    pending = [];
    take(batch);
    if (batch.some((event) => REREAD.includes(event.kind))) await refreshWorld().catch(() => {});
    else if (batch.some(({ data }) => data.device && !live.devices.has(data.device))) await readDevices().catch(() => {});
    tell(batch);
  };
  for await (const batch of events("events/stream", live.last, signal)) {
    pending.push(...batch);
    if (isScheduled || !pending.length) continue;
    isScheduled = true;
    // As often as the eye follows, however fast they come; hidden pages are not given frames.
    setTimeout(flush, 100);
  }
}
