// Elements are made from text alone: nothing that came over the wire is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.setAttribute("class", value);
    else if (name === "value") node.value = value;
    else if (name === "checked" || name === "disabled" || name === "open") node[name] = Boolean(value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** An element of HTML with properties (`on…` are listeners) and children, which are nodes or text. */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same of SVG. */
export function s(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

/** Puts children in the place of all that an element has. */
export function replace(node, ...children) {
  const fragment = document.createDocumentFragment();
  append(fragment, children);
  node.replaceChildren(fragment);
  return node;
}

/** Draws an element's children anew where what they show has changed; the focus stays at the button or link that has it. */
export function redraw(node, shown, draw) {
  const text = JSON.stringify(shown);
  if (node.shown === text) return;
  node.shown = text;
  const active = node.contains(document.activeElement) ? document.activeElement : null;
  const buttons = () => [...node.querySelectorAll("button, a")];
  const name = (button) => button.getAttribute("aria-label") ?? button.textContent;
  const before = active && [name(active), buttons().indexOf(active)];
  replace(node, draw());
  if (!before) return;
  const found = buttons();
  (found.find((button) => name(button) === before[0]) ?? found[before[1]] ?? found[0] ?? document.getElementById("main")).focus();
}

/** How much larger than usual text is on this screen, for what is placed by pixels. */
export const textScale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 14;

/** Sets a text only where it differs, so that nothing is laid out or read aloud again for nothing. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const ICONS = {
  overview: "M3 13h7V3H3zm0 8h7v-6H3zm11 0h7V11h-7zm0-18v6h7V3z",
  timeline: "M4 6h9M11 12h9M6 18h9M15 4v4M9 10v4M17 16v4",
  pushes: "M18 9a6 6 0 1 0-12 0c0 6-2.5 7-2.5 7h17S18 15 18 9M10 20a2.2 2.2 0 0 0 4 0",
  chain: "M9.5 14.5l5-5M11 6.5l1.5-1.5a4.6 4.6 0 0 1 6.5 6.5L17.5 13M13 17.500L11.5 19A4.6 4.6 0 0 1 5 12.500L6.5 11",
  devices: "M8 2.500h8a1.5 1.5 0 0 1 1.5 1.500v16a1.5 1.5 0 0 1-1.5 1.500H8A1.5 1.5 0 0 1 6.5 20V4A1.5 1.5 0 0 1 8 2.500M11 18.500h2",
  nodes: "M4 5h16v5H4zM4 14h16v5H4zM7.5 7.500h.01M7.5 16.500h.01",
  requests: "M4 8h14l-3.5-3.500M20 16H6l3.5 3.5",
  audit: "M12 3l7.5 3v5.500c0 4.5-3 8-7.5 9.5-4.5-1.5-7.5-5-7.5-9.500V6zM9 12l2.2 2.200L15.5 10",
  registry: "M5 4h14v16H5zM8.5 8.500h7M8.5 12h7M8.5 15.500h4",
  sun: "M12 4V2M12 22v-2M4 12H2M22 12h-2M6.3 6.300L5 5M19 19l-1.3-1.300M17.7 6.300L19 5M5 19l1.3-1.300M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0",
  moon: "M20 14.500A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5",
  help: "M9.2 9a2.8 2.8 0 1 1 4 2.600c-.9.5-1.2 1-1.2 2M12 17h.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0",
  send: "M21 3L10 14M21 3l-7 18-4-7-7-4z",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  ok: "M5 12.500l4.5 4.500L19 7.5",
  bad: "M7 7l10 10M17 7L7 17",
  warn: "M12 4l9 16H3zM12 10v4M12 17h.01",
  wait: "M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0",
  note: "M12 11v6M12 7.500h.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0",
};

/** A small drawing beside a text that says the same. */
export function icon(name, size = 18) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true" },
    s("path", { d: ICONS[name] ?? ICONS.note }));
}

/** A word with a mark, so that no meaning hangs on a colour; `kind` is ok, bad, warn, wait or note. */
export function badge(kind, text, title) {
  return h("span", { class: `badge ${kind}`, title }, icon(kind, 13), h("span", {}, text));
}

/** A button. */
export function button(text, action, properties = {}) {
  return h("button", { type: "button", onclick: action, ...properties }, text);
}

/** A button of a drawing alone, named for screen readers. */
export function iconButton(name, label, action, properties = {}) {
  return h("button", { type: "button", class: "quiet", title: label, "aria-label": label, onclick: action, ...properties },
    icon(name));
}

/** What is to be seen where there is nothing yet, and what to do about it. */
export function emptyState(title, text, ...commands) {
  return h("div", { class: "empty" },
    h("h2", {}, title), h("p", {}, text),
    commands.map((command) => typeof command === "string" ? commandLine(command) : command));
}

/** A command for the shell that can be copied. */
export function commandLine(command) {
  const copy = iconButton("copy", `Copy: ${command}`, async () => {
    try {
      await navigator.clipboard.writeText(command);
      toast("Copied");
    } catch {
      toast("The browser does not allow copying here", "warn");
    }
  });
  return h("div", { class: "command" }, h("code", {}, command), copy);
}

/** Pairs of names and values; those without a value are left out. */
export function facts(pairs, name = "facts") {
  return h("dl", { class: name }, pairs.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([term, value]) => h("div", {}, h("dt", {}, term), h("dd", {}, value))));
}

/** Says for a moment what was done, or why not. */
export function toast(text, kind = "ok") {
  const box = document.getElementById("toasts");
  const node = h("div", { class: `toast ${kind}` }, icon(kind, 15), h("span", {}, text));
  box.append(node);
  while (box.children.length > 4) box.firstElementChild.remove();
  setTimeout(() => node.remove(), kind === "ok" ? 3000 : 8000);
}

/** A dialog that Escape and its button close; the focus goes back to where it was. */
export function dialog(title, ...content) {
  const before = document.activeElement;
  const node = h("dialog", { class: "dialog", "aria-label": title },
    h("div", { class: "dialog-head" }, h("h2", {}, title),
      iconButton("close", "Close", () => node.close())),
    h("div", { class: "dialog-body" }, content));
  node.addEventListener("close", () => {
    node.remove();
    before?.focus?.();
  });
  node.addEventListener("click", (event) => { if (event.target === node) node.close(); });
  document.body.append(node);
  node.showModal();
  return node;
}
