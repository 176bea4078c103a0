// A list of any length: pages come from the server as they are scrolled to, and only what is in sight is in the page.

import { get } from "./api.js";
import { button, emptyState, h, redraw, replace, setText, textScale } from "./dom.js";
import { count } from "./format.js";

const PAGE = 100;
/** Most rows held; beyond that the list says so and a search has to narrow it. */
const MOST = 20_000;
/** How many calls that find nothing follow one another before one is asked whether to go on. */
const TRIES = 40;

/**
 * A searchable list of the newest first with one selected row.
 *
 * `path` and `name` tell where its rows come from; `parameters()` what narrows it; `row(item)` the cells of a row;
 * `key(item)` what a row is known by; `columns` its headings, each `[title, class]`; `empty` what to show without any.
 */
export class ServerList {
  constructor({ path, name, parameters, row, key, columns, label, empty, onSelect, isRelated = () => false, rowHeight = 34 }) {
    Object.assign(this, { path, name, parameters, row, key, onSelect, isRelated, empty, label });
    this.rowHeight = Math.round(rowHeight * textScale());
    this.items = [];
    this.rows = new Map();
    this.selected = null;
    this.more = true;
    this.fresh = 0;
    this.taken = 0;
    this.space = h("div", { class: "list-space" });
    this.body = h("div", {
      class: "list-body", role: "listbox", tabindex: "0", "aria-label": label,
      onscroll: () => this.draw(), onkeydown: (event) => this.onKey(event), onfocus: () => this.draw(),
    }, this.space);
    this.note = h("div", { class: "list-note", role: "status" });
    this.pill = h("button", { type: "button", class: "pill", hidden: true, onclick: () => this.toTop() });
    this.head = h("div", { class: "list-head", "aria-hidden": "true" },
      columns.map(([title, name]) => h("span", { class: name }, title)));
    this.node = h("div", { class: "list" }, this.head, this.pill, this.body, this.note);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.body);
  }

  /** Begins anew, for one after another search. */
  async load() {
    this.abort?.abort();
    this.abort = new AbortController();
    const { signal } = this.abort;
    this.say("Loading…");
    try {
      const page = await this.fetch(undefined, signal);
      this.items = page.rows;
      this.next = page.next;
      this.more = page.more;
      this.fresh = 0;
      this.isPaused = false;
      this.body.scrollTop = 0;
      this.redraw();
      if (this.more && !this.items.length) await this.loadMore();
    } catch (error) {
      if (error.name === "AbortError") return;
      this.items = [];
      this.redraw();
      this.say(error.message);
    }
  }

  async fetch(before, signal) {
    const page = await get(this.path, { order: "newest", limit: PAGE, before, ...this.parameters() }, signal);
    return { rows: page[this.name], next: page.next, more: page.more };
  }

  /** Goes on where the last page ended; a search that finds little looks on for a while, and then waits to be told. */
  async loadMore() {
    if (this.isLoading || this.isPaused || !this.more || this.items.length >= MOST) return;
    this.isLoading = true;
    const { signal } = this.abort;
    try {
      let isFound = false;
      for (let tries = 0; this.more && !isFound && tries < TRIES; tries += 1) {
        const page = await this.fetch(this.next, signal);
        this.next = page.next;
        this.more = page.more;
        this.items.push(...page.rows);
        isFound = page.rows.length > 0;
        if (!isFound) this.say(`${this.items.length} found; searching further back, at number ${count(this.next)}…`);
      }
      this.isPaused = !isFound && this.more;
    } catch (error) {
      if (error.name !== "AbortError") this.say(error.message);
      return;
    } finally {
      this.isLoading = false;
    }
    this.draw();
  }

  /** Tells below the list how far it reaches. */
  say(text) {
    this.note.shown = null;
    setText(this.note, text);
  }

  /** Takes in what is new at the top, and how its rows have changed; soon, but the less often the longer it takes. */
  refresh() {
    if (this.isWaiting) {
      this.isStale = true;
      return;
    }
    this.isWaiting = true;
    setTimeout(async () => {
      this.isStale = false;
      const begun = performance.now();
      await this.takeNewest().catch(() => {});
      this.taken = performance.now() - begun;
      this.isWaiting = false;
      if (this.isStale) this.refresh();
    }, Math.max(150, 4 * this.taken));
  }

  async takeNewest() {
    if (!this.abort) return;
    const { signal } = this.abort;
    const page = await this.fetch(undefined, signal);
    if (signal.aborted) return;
    const places = new Map(this.items.slice(0, 1000).map((item, index) => [this.key(item), index]));
    const fresh = page.rows.filter((item) => !places.has(this.key(item)));
    for (const item of page.rows) {
      const place = places.get(this.key(item));
      if (place !== undefined) this.items[place] = item;
    }
    // A search that finds nothing new goes on where it is.
    if (!page.rows.length && page.more) return;
    const isGap = fresh.length === PAGE && page.more && this.items.length > 0;
    if (isGap || !page.rows.length || (!this.items.length && !this.more)) {
      if (this.body.scrollTop > 0) {
        this.fresh += fresh.length;
      } else {
        Object.assign(this, { items: page.rows, next: page.next, more: page.more });
      }
    } else {
      this.items.unshift(...fresh);
      if (this.body.scrollTop > 0) {
        this.body.scrollTop += fresh.length * this.rowHeight;
        this.fresh += fresh.length;
      }
    }
    this.redraw();
  }

  toTop() {
    this.body.scrollTop = 0;
    this.load();
  }

  /** Shows a row as selected, whether or not it is in sight. */
  select(key) {
    this.selected = key;
    this.redraw();
  }

  redraw() {
    for (const node of this.rows.values()) node.remove();
    this.rows.clear();
    this.draw();
  }

  draw() {
    const { scrollTop, clientHeight } = this.body;
    const first = Math.max(0, Math.floor(scrollTop / this.rowHeight) - 6);
    const last = Math.min(this.items.length, Math.ceil((scrollTop + clientHeight) / this.rowHeight) + 6);
    this.space.style.height = `${this.items.length * this.rowHeight}px`;
    for (const [index, node] of this.rows) {
      if (index >= first && index < last) continue;
      node.remove();
      this.rows.delete(index);
    }
    for (let index = first; index < last; index += 1) {
      if (!this.rows.has(index)) this.place(index);
    }
    const active = this.items.findIndex((item) => this.key(item) === this.selected);
    const row = this.rows.get(active);
    if (row) this.body.setAttribute("aria-activedescendant", row.id);
    else this.body.removeAttribute("aria-activedescendant");
    this.tell(scrollTop);
    if (last >= this.items.length - 20 && this.items.length) this.loadMore();
  }

  tell(scrollTop) {
    if (scrollTop === 0) this.fresh = 0;
    this.pill.hidden = this.fresh === 0;
    setText(this.pill, `${this.fresh} new – to the top`);
    const isEmpty = !this.items.length && !this.more;
    this.node.classList.toggle("is-empty", isEmpty);
    if (isEmpty) {
      const shown = this.empty();
      replace(this.note, shown instanceof Node ? shown : emptyState(...shown));
    } else if (this.items.length >= MOST) {
      this.say(`The newest ${count(MOST)} are shown. Narrow the search to see older ones.`);
    } else if (this.isPaused) {
      const go = button("Search further", () => {
        this.isPaused = false;
        this.loadMore();
      });
      redraw(this.note, [this.items.length, this.next], () => [`${this.items.length} found down to number ${count(this.next)}. `, go]);
    } else {
      this.say(`${this.items.length}${this.more ? "+" : ""} shown, the newest first`);
    }
  }

  place(index) {
    const item = this.items[index];
    const key = this.key(item);
    const node = h("div", {
      class: `list-row${this.isRelated(item) ? " related" : ""}`, role: "option", id: `row-${this.name}-${index}`,
      "aria-selected": String(key === this.selected), "aria-posinset": index + 1,
      "aria-setsize": this.more ? -1 : this.items.length,
      onclick: () => this.choose(index),
    }, this.row(item));
    node.style.height = `${this.rowHeight}px`;
    node.style.transform = `translateY(${index * this.rowHeight}px)`;
    this.rows.set(index, node);
    this.space.append(node);
  }

  choose(index) {
    const item = this.items[index];
    if (!item) return;
    this.select(this.key(item));
    this.onSelect(item);
  }

  onKey(event) {
    const current = this.items.findIndex((item) => this.key(item) === this.selected);
    const page = Math.max(1, Math.floor(this.body.clientHeight / this.rowHeight) - 1);
    const moves = {
      ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + page, PageUp: current - page,
      Home: 0, End: this.items.length - 1,
    };
    if (!(event.key in moves) || !this.items.length) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(this.items.length - 1, moves[event.key]));
    const top = index * this.rowHeight;
    if (top < this.body.scrollTop) this.body.scrollTop = top;
    const low = top + this.rowHeight - this.body.clientHeight;
    if (low > this.body.scrollTop) this.body.scrollTop = low;
    this.choose(index);
  }

  stop() {
    this.abort?.abort();
    this.observer.disconnect();
  }
}

/**
 * What a search asks of the server: words that are whole values of what can be looked up become parameters, which is quick
 * at any length, and all others the `q` that is looked for in every element.
 *
 * `rules` are `[pattern, name of the parameter]`; the pattern's first group is its value. What `chosen` sets already is not set again.
 */
export function lookUp(query, rules, chosen) {
  const parameters = { ...chosen };
  const words = (query.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []).filter((word) => {
    const [pattern, name] = rules.find(([known, key]) => known.test(word) && !(key in parameters)) ?? [];
    if (name) parameters[name] = pattern.exec(word)[1];
    return !name;
  });
  return { q: words.join(" "), ...parameters };
}

/** A search field; `/` goes to it, Escape empties it. */
export function searchField({ label, value, placeholder, onSearch }) {
  let timer;
  const input = h("input", {
    type: "search", class: "search", "aria-label": label, placeholder, value: value ?? "", spellcheck: "false",
    autocomplete: "off", "data-search": true,
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => onSearch(input.value.trim()), 200);
    },
    onkeydown: (event) => {
      if (event.key === "Escape" && input.value) {
        event.stopPropagation();
        input.value = "";
        onSearch("");
      }
    },
  });
  return h("div", { class: "search-box" }, input, h("kbd", { "aria-hidden": "true" }, "/"));
}

/** A list on the left and what is selected of it on the right; on a narrow screen one at a time. */
export function masterDetail(listNode, { onClose }) {
  const detail = h("section", { class: "detail", "aria-label": "What is selected", tabindex: "-1" });
  const node = h("div", { class: "split" }, h("div", { class: "master" }, listNode), detail);
  return {
    node, detail,
    show(...content) {
      replace(detail, h("button", { type: "button", class: "back quiet", onclick: onClose }, "← Back to the list"), content);
      node.classList.add("has-detail");
    },
    clear(...content) {
      replace(detail, content);
      node.classList.remove("has-detail");
    },
  };
}

/** Buttons of which one is pressed, the first to begin with: `filters` are `[value, text]`. */
export function filterChips(filters, onChoose) {
  const node = h("div", { class: "chips", role: "group", "aria-label": "Show" }, filters.map(([value, text], index) => h("button", {
    type: "button", "aria-pressed": String(index === 0), onclick: (event) => {
      for (const chip of node.children) chip.setAttribute("aria-pressed", String(chip === event.currentTarget));
      onChoose(value);
    },
  }, text)));
  return node;
}
