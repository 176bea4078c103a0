// The reference of the control API, drawn from its OpenAPI document; its words are Markdown of a few forms.

import { h, replace } from "./dom.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const kept = localStorage.getItem("mocknet-theme");
document.documentElement.dataset.theme = kept === "dark" || (kept !== "light" && dark.matches) ? "dark" : "light";

/** Text with `code`, **strong** words and [links](to elsewhere in the program's documents), whose targets are not followed. */
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return h("b", {}, part.slice(2, -2));
    if (part.startsWith("[")) return part.slice(1, part.indexOf("]"));
    return part;
  });
}

function table(lines) {
  const cells = (line) => line.replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
  const [head, , ...rows] = lines.map(cells);
  return h("table", {}, head.some(Boolean) && h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, inline(cell))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, inline(cell)))))));
}

/** Paragraphs, lists, tables and blocks of code. */
function markdown(text) {
  const blocks = [];
  for (const part of text.split(/(```[^]*?```)/)) {
    if (part.startsWith("```")) {
      blocks.push(h("pre", { class: "json", tabindex: "0" }, part.replace(/^```\w*\n|\n?```$/g, "")));
      continue;
    }
    for (const block of part.split(/\n\s*\n/).map((piece) => piece.trim()).filter(Boolean)) {
      const lines = block.split("\n");
      if (lines[0].startsWith("|")) blocks.push(table(lines));
      else if (lines[0].startsWith("- ")) blocks.push(h("ul", {}, block.slice(2).split(/\n- /).map((item) => h("li", {}, inline(item.replace(/\n\s*/g, " "))))));
      else blocks.push(h("p", {}, inline(lines.join(" "))));
    }
  }
  return blocks;
}

const typeOf = (schema) => schema.type === undefined ? "any" : Array.isArray(schema.type) ? schema.type.join(" or ") : schema.type === "array" ? `list of ${typeOf(schema.items ?? {})}` : schema.type;

function tree(schema) {
  const members = schema.properties ?? schema.items?.properties;
  if (!members) return null;
  return h("ul", {}, Object.entries(members).map(([name, member]) => h("li", {}, name, " ", h("span", { class: "muted" }, typeOf(member)), tree(member))));
}

function call(method, path, operation) {
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const body = operation.requestBody?.content["application/json"]?.schema;
  const [status, answer] = Object.entries(operation.responses)[0];
  const schema = answer.content?.["application/json"]?.schema;
  return h("article", { id: operation.operationId }, h("h3", {}, h("span", { class: "method" }, method.toUpperCase()), path), markdown(operation.description),
    query.length > 0 && [h("h4", {}, "Query"), h("p", {}, query.flatMap(({ name, schema: { type } }) => [h("code", {}, name), ` ${type}  `]))],
    body?.properties && [h("h4", {}, "Body"), h("div", { class: "tree" }, tree(body))],
    schema?.properties && h("details", {}, h("summary", {}, `Form of the answer, ${status}`), h("div", { class: "tree" }, tree(schema))));
}

async function draw() {
  const document_ = await (await fetch("openapi.json", { credentials: "omit" })).json();
  const tags = new Map();
  for (const [path, methods] of Object.entries(document_.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag] = operation.tags;
      tags.set(tag, [...(tags.get(tag) ?? []), [method, path, operation]]);
    }
  }
  replace(document.getElementById("contents"), h("a", { href: "." }, "← Dashboard"), [...tags].map(([tag, calls]) => [h("h2", {}, tag), calls.map(([method, path, operation]) =>
    h("a", { href: `#${operation.operationId}` }, h("span", { class: "method" }, method.toUpperCase()), path.replace("/v1", "")))]));
  replace(document.getElementById("calls"), h("h1", {}, document_.info.title), markdown(document_.info.description), h("p", {}, h("a", { href: "openapi.json" }, "openapi.json")),
    [...tags].map(([tag, calls]) => h("section", {}, h("h2", {}, tag), calls.map((item) => call(...item)))));
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

draw();
