// The frame: where one is, the world's state above, keys, light and dark.

import { setToken, takeToken, whenUnauthorized } from "./api.js";
import { badge, button, dialog, h, icon, iconButton, replace, setText, toast } from "./dom.js";
import { count } from "./format.js";
import { follow, live, watch, worldNow } from "./live.js";
import { sendDialog } from "./send.js";
import * as audit from "./audit.js";
import * as chain from "./chain.js";
import * as devices from "./devices.js";
import * as nodes from "./nodes.js";
import * as overview from "./overview.js";
import * as pushes from "./pushes.js";
import * as registry from "./registry.js";
import * as requests from "./requests.js";
import * as timeline from "./timeline.js";

const VIEWS = [
  ["overview", "Overview", overview], ["timeline", "Timeline", timeline], ["pushes", "Pushes", pushes],
  ["chain", "Chain", chain], ["devices", "Devices", devices], ["nodes", "Nodes & faults", nodes],
  ["requests", "Requests", requests], ["audit", "Audit", audit], ["registry", "Registry", registry],
];

const main = document.getElementById("main");
let current = null;

/** Where one is: the view, what of it is open, and what it is narrowed to. */
function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/");
  return { name: name || "overview", id: rest.map(decodeURIComponent).join("/"), query: new URLSearchParams(query ?? "") };
}

function show() {
  const where = place();
  const found = VIEWS.find(([name]) => name === where.name) ?? VIEWS[0];
  if (current?.name === found[0] && current.view.move) {
    current.view.move(where);
    return;
  }
  current?.view.stop?.();
  current?.unwatch();
  document.title = `${found[1]} – mocknet`;
  replace(main);
  main.className = `view view-${found[0]}`;
  main.scrollTop = 0;
  const view = found[2].open(main, where);
  current = { name: found[0], view, unwatch: watch((batch) => view.update?.(batch)) };
  for (const link of document.querySelectorAll("#nav a")) {
    if (link.dataset.view === found[0]) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function drawNavigation() {
  replace(document.getElementById("nav"), h("ul", {}, VIEWS.map(([name, title], index) =>
    h("li", {}, h("a", { href: `#/${name}`, "data-view": name, title: `${title} (${index + 1})` },
      icon(name), h("span", {}, title))))));
}

const LINKS = {
  connecting: ["wait", "Connecting"], live: ["ok", "Live"], lost: ["bad", "Disconnected, trying again"],
  unauthorized: ["bad", "Token needed"],
};

function drawStatus() {
  const parts = {
    link: h("span", { id: "link", role: "status" }), height: h("span", { class: "mono", id: "height" }),
    clock: h("time", { class: "mono", id: "clock", title: "The world's clock, UTC" }),
    seed: h("span", { class: "mono seed" }),
  };
  replace(document.getElementById("status"), parts.link,
    h("span", { class: "stat" }, h("small", {}, "height"), parts.height),
    h("span", { class: "stat" }, h("small", {}, "world's clock"), parts.clock),
    h("span", { class: "stat wide" }, h("small", {}, "seed"), parts.seed));
  let shown = null;
  const update = () => {
    if (shown !== live.link) replace(parts.link, badge(...LINKS[live.link]));
    shown = live.link;
    document.body.dataset.link = live.link;
    if (!live.world) return;
    setText(parts.height, count(live.chain.height));
    setText(parts.seed, String(live.world.seed));
    tick();
  };
  const tick = () => {
    const now = worldNow();
    setText(parts.clock, now ? now.slice(11, 19) + (live.clock.frozen ? " ❚❚" : "") : "–");
  };
  watch(update);
  setInterval(tick, 1000);
  update();
}

const THEMES = ["auto", "light", "dark"];

function theme() {
  const kept = localStorage.getItem("mocknet-theme");
  return THEMES.includes(kept) ? kept : "auto";
}

function applyTheme() {
  const wanted = theme();
  const isDark = wanted === "dark" || (wanted === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  const name = { auto: "as the system", light: "light", dark: "dark" }[wanted];
  const node = iconButton(isDark ? "moon" : "sun", `Colours: ${name}`, () => {
    localStorage.setItem("mocknet-theme", THEMES[(THEMES.indexOf(wanted) + 1) % THEMES.length]);
    applyTheme();
    toast(`Colours: ${{ auto: "as the system", light: "light", dark: "dark" }[theme()]}`);
  }, { id: "theme" });
  const hadFocus = document.activeElement?.id === "theme";
  replace(document.getElementById("tools"),
    h("button", { type: "button", class: "primary", id: "send", onclick: () => sendDialog() }, icon("send", 15), h("span", {}, "Send")),
    node, iconButton("help", "Keys and search (?)", help, { id: "help" }));
  if (hadFocus) document.getElementById("theme").focus();
}

function help() {
  const keys = [
    ["1 – 9", "the views in their order"], ["/", "to the search field"], ["↑ ↓", "through a list"],
    ["Enter", "into what is selected"], ["Esc", "back, close, empty the search"], ["n", "send a message"],
    ["t", "light, dark, as the system"], ["?", "this page"],
  ];
  const words = [
    ["bob", "anything that holds the word"], ["status:410", "a field of that value"],
    ["reason:unregistered", "upper and lower case are the same"], ["-state:delivered", "all but these"],
    ["\"no push\"", "words together"],
  ];
  const table = (rows) => h("dl", { class: "keys" }, rows.map(([key, text]) =>
    h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, text))));
  dialog("Keys and search", h("h3", {}, "Keys"), table(keys), h("h3", {}, "Search"), table(words),
    h("p", {}, "Everything here goes through the control API; ",
      h("a", { href: "docs" }, "its reference"), " is part of this program."));
}

function askForToken() {
  if (document.querySelector("#token-form")) return;
  const input = h("input", { type: "password", id: "token", autocomplete: "off", required: true });
  const form = h("form", { id: "token-form", class: "form", onsubmit: (event) => {
    event.preventDefault();
    setToken(input.value.trim());
    location.reload();
  } }, h("label", { for: "token" }, "Control token"), input, button("Use it", null, { type: "submit", class: "primary" }));
  dialog("This world needs its token", h("p", {}, "mocknet printed it when it started, and a link that carries it."), form);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === "Escape") {
    if (isTyping) event.target.blur();
    else current?.view.escape?.();
    return;
  }
  if (isTyping) return;
  const action = {
    "/": () => document.querySelector("[data-search]")?.focus(), "?": help, n: () => sendDialog(),
    t: () => document.getElementById("theme").click(),
  }[event.key] ?? (VIEWS[event.key - 1] && (() => { location.hash = `#/${VIEWS[event.key - 1][0]}`; }));
  if (!action) {
    current?.view.key?.(event);
    return;
  }
  event.preventDefault();
  action();
}

takeToken();
whenUnauthorized(askForToken);
applyTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
drawNavigation();
drawStatus();
addEventListener("hashchange", show);
addEventListener("keydown", onKey);
show();
follow((before, after) => {
  toast(before.seed === after.seed ? "The world has started again" : `Another world has started, seed ${after.seed}`, "note");
  current?.view.stop?.();
  current?.unwatch();
  current = null;
  show();
});
