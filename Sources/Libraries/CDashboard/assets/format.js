// How things are written: amounts, times, ids.

import { h } from "./dom.js";

/** An amount in units of 1e-8 ADM as ADM, exactly. */
export function adm(units) {
  if (units === null || units === undefined) return "–";
  const value = BigInt(units);
  const sign = value < 0n ? "−" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(9, "0");
  const whole = digits.slice(0, -8).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const part = digits.slice(-8).replace(/0+$/, "");
  return `${sign}${whole}${part ? "." + part : ""} ADM`;
}

/** A count with thin spaces. */
export function count(number) {
  return String(number ?? 0).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** The time of day of a moment, in UTC as the control API tells it. */
export function time(at) {
  return at ? at.slice(11, 23) : "–";
}

/** A moment in full, in UTC. */
export function moment(at) {
  return at ? `${at.slice(0, 10)} ${at.slice(11, 23)}` : "–";
}

/** A time element that shows the time of day and tells the whole on request. */
export function timeOf(at) {
  return at ? h("time", { datetime: at, title: moment(at) + " UTC" }, at.slice(11, 19), h("span", { class: "ms" }, at.slice(19, 23))) : "–";
}

/** A length of time in words. */
export function duration(milliseconds) {
  const ms = Math.round(milliseconds);
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round(ms % 60_000 / 1000)} s`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}

/** The beginning of a long id, whole on request. */
export function short(text, length = 8) {
  if (!text) return "–";
  return text.length <= length + 1 ? text : h("span", { class: "mono", title: text }, text.slice(0, length) + "…");
}

/** A text in the type of code. */
export function mono(text) {
  return h("span", { class: "mono" }, text ?? "–");
}

/** One for a word, the other for its plural. */
export function plural(number, one, many = one + "s") {
  return `${count(number)} ${number === 1 ? one : many}`;
}
