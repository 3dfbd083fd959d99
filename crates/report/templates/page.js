
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { implementations, outcomes, causes, acting, texts, cases } = data;
  const EXPECTED = "expected", ROWS = 50;
  const at = id => document.getElementById(id);

  // A case has one letter for each implementation: the index of the outcome, or a dash if there is no finding.
  const letters = test => outcomes.map((it, i) => test(it) ? String.fromCharCode(97 + i) : "").join("");
  const outcome = letter => outcomes[letter.charCodeAt(0) - 97];
  const PASS = letters(it => it.name === "pass"), UNCLAIMED = letters(it => it.name === "unsupported");
  const QUIET = letters(it => it.conforms) + "-";

  /** An element. Strings are appended as text nodes: there is no innerHTML in this file, so that no text can become markup. */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "click") element.addEventListener("click", value);
      else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat().filter(child => child !== undefined && child !== null && child !== ""));
    return element;
  }
  const drawn = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

  // ---- State. All of it is in the URL fragment, so that a view can be sent as a link. ----

  const blank = () => ({ q: "", o: "", on: "", cause: "", case: "" });
  let state = blank();
  const opened = new Map();
  let expanded = true;
  const unlimited = new Set();
  let origin = { scroll: 0, link: null };

  function read() {
    const fragment = location.hash.slice(1);
    // Without an equals sign it is the anchor of a section, and the filters stay as they are.
    if (fragment && !fragment.includes("=")) return false;
    const given = new URLSearchParams(fragment);
    state = blank();
    for (const name of Object.keys(state)) state[name] = given.get(name) || "";
    return true;
  }
  function fragment(changes) {
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...state, ...changes })) if (value) given.set(name, value);
    return "#" + given.toString().replaceAll("%2F", "/");
  }
  function go(changes) {
    state = { ...state, ...changes };
    // Replaced, not pushed: every key typed into the search would otherwise be a step of the Back button.
    history.replaceState(null, "", fragment({}) === "#" ? location.pathname + location.search : fragment({}));
    matrix();
  }

  // ---- The matrix. ----

  /** The causes that act in a finding, and the nearest candidate. */
  const named = d => [...causes[d.w].acting || [], ...d.y ? [d.y[0]] : []].map(place => acting[place]);
  const ids = new Map(cases.map((row, index) => [row.i, index]));
  // Built once: the search reads all cases again at every key.
  const searchText = cases.map(row => {
    const ids = [...row.c, ...(row.e || []), ...(row.f || []), ...(row.r || []), row.p];
    const messages = (row.d || []).flatMap(d => [d.m, d.r].filter(t => t !== undefined).map(t => texts[t])
      .concat(d.w === undefined ? [] : [causes[d.w].group, ...named(d).map(it => it.name)]));
    return [row.i, row.l, ...ids.map(t => texts[t]), ...messages].join("\n").toLowerCase();
  });

  /** The cases that the state selects. */
  function selected() {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = state.o ? state.o.split(",") : [];
    const asked = letters(it => wanted.includes(it.name));
    const on = implementations.findIndex(it => it.id === state.on);
    return cases.filter((row, index) => {
      if (words.some(word => !searchText[index].includes(word))) return false;
      const found = on < 0 ? row.o : row.o[on];
      const known = wanted.includes(EXPECTED) && (row.d || []).some(d => d.k !== undefined && (on < 0 || d.b === on));
      if (wanted.length && !known && ![...found].some(letter => asked.includes(letter))) return false;
      if (!state.cause) return true;
      return (row.d || []).some(d => d.w !== undefined && causes[d.w].group === state.cause && (on < 0 || d.b === on));
    });
  }

  const filtered = () => Boolean(state.q || state.o || state.on || state.cause);

  function matrix() {
    const rows = selected();
    // The state is trimmed. Writing it back would take away a space that is being typed between two words.
    at("search").value = at("search").value.trim() === state.q ? at("search").value : state.q;
    at("on").value = state.on;
    for (const chip of at("chips").children) {
      chip.setAttribute("aria-pressed", String(state.o.split(",").includes(chip.dataset.word)));
    }
    const shown = at("shown");
    shown.replaceChildren(rows.length === cases.length ? plural(cases.length, "case") : `${rows.length.toLocaleString("en")} of ${plural(cases.length, "case")}`);
    if (state.cause) shown.append(` · cause ${state.cause}`);
    if (filtered()) shown.append(" · ", make("button", { type: "button", class: "chip", click: () => go(blank()) }, "Clear filters"));

    const columns = implementations.map((it, b) => ({ ...it, b })).filter(it => !state.on || it.id === state.on);
    const grid = at("grid");
    grid.replaceChildren(make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Case"),
      columns.map(it => make("th", { scope: "col" }, it.id)))));
    const groups = new Map();
    for (const row of rows) {
      const name = row.i.slice(0, row.g);
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(row);
    }
    // Show all failures if they are few. Of many, show the groups first, which fit a screen.
    expanded = rows.filter(row => !quiet(row, columns)).length <= ROWS;
    for (const [name, all] of groups) grid.append(group(name, all, columns));
    fold();
    if (!rows.length) grid.append(make("caption", { class: "empty" }, "No case matches."));
  }

  /** The button that closes all groups, or opens all if every one is closed. */
  function fold() {
    const any = [...at("grid").querySelectorAll(".group button")].some(button => button.getAttribute("aria-expanded") === "true");
    at("fold").textContent = any ? "Collapse all" : "Expand all";
    at("fold").onclick = () => {
      for (const button of at("grid").querySelectorAll(".group button")) opened.set(button.dataset.group, !any);
      matrix();
    };
  }

  const quiet = (row, columns) => columns.every(it => QUIET.includes(row.o[it.b]));

  function group(name, all, columns) {
    const failing = all.filter(row => !quiet(row, columns));
    const others = all.filter(row => quiet(row, columns));
    const open = opened.has(name) ? opened.get(name) : expanded && (failing.length > 0 || filtered());
    const body = make("tbody", {});
    const turn = () => {
      opened.set(name, !open);
      body.replaceWith(group(name, all, columns));
      fold();
      // The button with the focus is gone. Without this, the next Tab would start at the top of the page.
      const again = [...at("grid").querySelectorAll(".group button")].find(button => button.dataset.group === name);
      if (again) again.focus();
    };
    const found = all.flatMap(row => columns.map(it => row.o[it.b]));
    const counts = `${plural(all.length, "case")}, ` + (failing.length ? `${failing.length.toLocaleString("en")} failing`
      : found.every(letter => letter === PASS) ? "all pass" : found.includes(PASS) ? "all that is claimed passes" : "not claimed");
    body.append(make("tr", { class: "group" },
      make("th", { scope: "rowgroup" }, make("button", { type: "button", "aria-expanded": String(open), "data-group": name, click: turn },
        (open ? "▾ " : "▸ ") + name), make("small", {}, counts)),
      columns.map(it => {
        const passed = all.filter(row => row.o[it.b] === PASS).length;
        const fails = all.some(row => !QUIET.includes(row.o[it.b]));
        const claimed = all.filter(row => row.o[it.b] !== UNCLAIMED && row.o[it.b] !== "-").length;
        return make("td", { class: "number " + (fails ? "" : "dim") }, claimed ? `${passed}/${claimed}` : "–");
      })));
    if (!open) return body;
    const folded = failing.length && !filtered() && !unlimited.has(name) ? others : [];
    const listed = folded.length ? failing : all;
    const limit = unlimited.has(name) ? listed.length : ROWS;
    for (const row of listed.slice(0, limit)) body.append(line(row, columns));
    const left = listed.length - Math.min(limit, listed.length) + folded.length;
    if (left) {
      const words = folded.length === left ? `${left.toLocaleString("en")} more that do not fail` : `${left.toLocaleString("en")} more`;
      const more = () => { unlimited.add(name); opened.set(name, true); body.replaceWith(group(name, all, columns)); };
      body.append(make("tr", { class: "more" }, make("th", { scope: "row" }, make("button", { type: "button", click: more }, "Show " + words)),
        make("td", { colspan: columns.length })));
    }
    return body;
  }

  /** The reason why a failure is expected; undefined if it is not. */
  function reason(row, b) {
    const detail = (row.d || []).find(d => d.b === b);
    return detail && detail.k !== undefined ? texts[detail.k] : undefined;
  }

  function line(row, columns) {
    return make("tr", {},
      make("th", { scope: "row" }, make("a", { href: fragment({ case: row.i }), title: row.i }, row.i.slice(row.g + 1) || row.i)),
      columns.map(it => {
        const letter = row.o[it.b];
        if (letter === "-") return make("td", { class: "dim" }, "");
        const { glyph, name: word, tone, means } = outcome(letter);
        const text = letter === UNCLAIMED ? glyph : `${glyph} ${word}`;
        const known = reason(row, it.b);
        return make("td", known === undefined ? { class: tone, title: means } : { class: "known", title: `Expected: ${known}` },
          letter === PASS ? text : make("a", { href: fragment({ case: row.i }) + "&at=" + it.b }, text), known === undefined ? "" : make("small", {}, " expected"));
      }));
  }

  // ---- A case. ----

  const layouts = { f16: [1, 5, 10], bf16: [1, 8, 7], f32: [1, 8, 23], f64: [1, 11, 52] };

  /** The digits of one field, with marks on those that differ from the other field. */
  function digits(mine, other) {
    const out = [];
    for (let i = 0; i < mine.length;) {
      const same = mine[i] === other[i];
      let end = i;
      while (end < mine.length && (mine[end] === other[end]) === same) end += 1;
      out.push(same ? mine.slice(i, end) : make("mark", {}, mine.slice(i, end)));
      i = end;
    }
    return out;
  }

  function bits(first) {
    const layout = layouts[first.dtype];
    const body = [["expected", first.expected, first.actual], ["actual", first.actual, first.expected]].map(([name, [mine, decimal], [other]]) => {
      const cells = [make("th", { scope: "row" }, name), make("td", { "data-is": layout ? "bits" : undefined }, mine)];
      if (layout) {
        cells.push(make("td", { "data-is": "decimal" }, decimal));
        // BigInt, because a number has 53 bits and an f64 has 64.
        const binary = text => BigInt("0x" + text).toString(2).padStart(layout[0] + layout[1] + layout[2], "0");
        let from = 0;
        for (const [field, width] of [["sign", layout[0]], ["exponent", layout[1]], ["mantissa", layout[2]]]) {
          cells.push(make("td", { "data-is": field }, digits(binary(mine).slice(from, from + width), binary(other).slice(from, from + width))));
          from += width;
        }
      }
      return make("tr", {}, cells);
    });
    const heads = layout ? ["", "bits", "decimal", "sign", "exponent", "mantissa"] : ["", "value"];
    return make("div", { class: "wide" }, make("table", { class: "bits" },
      make("thead", {}, make("tr", {}, heads.map(head => head ? make("th", { scope: "col" }, head) : make("td", {})))), make("tbody", {}, body)));
  }

  /** The map of places that differ. Its cells stand for nearly equal runs: the first ones are one longer, as in Rust's strip_cell. */
  function strip({ total, noun, cells: digits }) {
    const columns = 32, size = 14, cells = [...digits].map(Number);
    const whole = Math.floor(total / cells.length), rest = total % cells.length;
    const from = i => i * whole + Math.min(i, rest);
    const says = i => {
      const first = from(i), last = from(i + 1) - 1;
      return first === last ? `${noun} ${first} ${cells[i] ? "differs" : "is equal"}`
        : `${noun}s ${first} to ${last}: ${cells[i]} of ${last - first + 1} differ`;
    };
    const differing = cells.map((n, i) => n ? i : -1).filter(i => i >= 0);
    const some = differing.slice(0, 16).join(", ") + (differing.length > 16 ? ", …" : "");
    const rows = Math.ceil(cells.length / columns);
    const svg = drawn("svg", { class: "strip", role: "img", viewBox: `0 0 ${columns * size} ${rows * size}`, "aria-label": `cells that differ: ${some}` });
    cells.forEach((n, i) => {
      const x = (i % columns) * size + 1, y = Math.floor(i / columns) * size + 1, side = size - 3;
      // At least two ninths of a cell are filled if anything in it differs: one of a million would not be seen.
      const part = n / (from(i + 1) - from(i)), full = n ? side * Math.max(part, 2 / 9) : 0;
      if (full > 0) svg.append(drawn("rect", { class: "fill", x, y: y + side - full, width: side, height: full }));
      svg.append(drawn("rect", { class: "box", x, y, width: side, height: side, "data-cell": i }));
    });
    const cell = whole + (rest ? 1 : 0);
    const plain = `A cell is ${cell > 1 ? "about " + plural(cell, noun) : "one " + noun}, 32 cells a row.`;
    const under = make("p", { class: "about under" }, plain);
    svg.addEventListener("pointerover", event => { under.textContent = event.target.dataset.cell === undefined ? plain : says(Number(event.target.dataset.cell)); });
    svg.addEventListener("pointerleave", () => { under.textContent = plain; });
    return [svg, under];
  }

  /** An integer as it is, or a float as a decimal with enough digits to distinguish it from its neighbours. */
  function decimal(dtype, literal) {
    if (!layouts[dtype]) return literal;
    const view = new DataView(new ArrayBuffer(8)), n = parseInt(literal, 16);
    let value;
    if (dtype === "f64") {
      view.setBigUint64(0, BigInt("0x" + literal));
      value = view.getFloat64(0);
    } else if (dtype === "f16") {
      const exponent = n >> 10 & 31, mantissa = n & 1023;
      value = exponent === 31 ? (mantissa ? NaN : Infinity) : exponent ? 2 ** (exponent - 15) * (1 + mantissa / 1024) : mantissa * 2 ** -24;
      if (n >> 15) value = -value;
    } else {
      // A bf16 is the upper half of an f32.
      view.setUint32(0, dtype === "bf16" ? n * 65536 : n);
      value = view.getFloat32(0);
    }
    return Object.is(value, -0) ? "-0" : String(Number.isFinite(value) ? Number(value.toPrecision(dtype === "f64" ? 17 : 9)) : value);
  }

  /** The first elements that differ, with the places of the actual ones in the expected stream. */
  function elements({ dtype, shape, i: indices, e: expected, a: actual, s: stages, f: found, n: searched, b: blocks }) {
    const names = { w: "words", u: "unit interval", s: "scale" };
    const coordinates = index => {
      const out = [];
      for (const extent of [...shape].reverse()) {
        out.unshift(index % extent);
        index = Math.floor(index / extent);
      }
      return `[${out.join(",")}]`;
    };
    const place = index => {
      if (!blocks) return String(index);
      const per = Math.floor(blocks[1] / blocks[0]);
      return `${index} (block ${Math.floor(index / per)}, word ${index % per * blocks[0]})`;
    };
    const stands = places => !places.length ? "nowhere" : places.length === 1 ? place(places[0]) : places.join(", ") + (places.length === 4 ? ", …" : "");
    const float = Boolean(layouts[dtype]);
    const both = (mine, other) => float ? [make("td", {}, digits(mine, other)), make("td", { class: "dim" }, decimal(dtype, mine))] : [make("td", {}, mine)];
    const heads = ["element", shape && "at", "expected", float && "", "actual", float && "", stages && "stage", found && "actual stands at"].filter(head => head !== undefined && head !== false);
    const rows = indices.map((index, row) => make("tr", {}, make("th", { scope: "row" }, String(index)),
      shape ? make("td", {}, coordinates(index)) : "", both(expected[row], actual[row]), both(actual[row], expected[row]),
      stages ? make("td", {}, names[stages[row]] || "") : "", found ? make("td", { class: found[row].length ? "" : "dim" }, stands(found[row])) : ""));
    return [make("div", { class: "wide tall", tabindex: "0", role: "region", "aria-label": "Elements that differ" }, make("table", { class: "bits elements" },
      make("thead", {}, make("tr", {}, heads.map(head => make("th", { scope: "col" }, head)))), make("tbody", {}, rows))),
      found ? make("p", { class: "about" }, `Stands at: where the actual value is in the expected stream, of which the first ${plural(searched, "element")} were searched.`) : ""];
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Browsers have no clipboard for pages from plain http, and a reader may forbid its use.
      const field = make("textarea", { class: "unseen" });
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    at("said").textContent = "Copied.";
  }

  /** The stages of the first differing element. */
  function stages(rows) {
    const names = { w: "words", u: "unit interval", s: "scaled" };
    const verdicts = { "=": ["good", "✓ equal"], "!": ["bad", "✗ differs"], "": ["dim", "not known"] };
    return make("div", { class: "wide" }, make("table", { class: "bits stages" },
      make("thead", {}, make("tr", {}, ["stage", "all elements", "expected there", "actual"].map(head => make("th", { scope: "col" }, head)))),
      make("tbody", {}, rows.map(([stage, verdict, expected, actual]) => make("tr", { class: verdict === "!" ? "bad" : undefined },
        make("th", { scope: "row" }, names[stage]), make("td", { class: verdicts[verdict][0] }, verdicts[verdict][1]),
        make("td", { "data-is": "expected" }, expected || "–"), make("td", { "data-is": "actual" }, actual || "–"))))));
  }

  function found(row, b) {
    const detail = (row.d || []).find(d => d.b === b) || { b };
    const { glyph, name: word, tone, means } = outcome(row.o[b]);
    const part = make("section", { class: "found " + tone, id: "at-" + b, "aria-label": implementations[b].id },
      make("h2", {}, make("span", {}, implementations[b].id), make("span", { class: tone, title: means }, `${glyph} ${word}`)));
    const known = reason(row, b);
    if (known !== undefined) part.append(make("p", { class: "known" }, make("b", {}, "Expected: "), known));
    if (detail.r !== undefined) part.append(make("p", {}, "Right under ", make("b", {}, texts[detail.r]), "."));
    const differs = detail.t;
    if (differs) {
      part.append(make("p", {}, differs.says));
      if (differs.first) {
        const { at: place, far } = differs.first;
        part.append(make("h3", {}, `First at ${place}${far ? ": " + far : ""}`), bits(differs.first));
      }
      if (differs.pairs) {
        part.append(make("div", { class: "wide" }, make("table", { class: "bits" }, make("tbody", {},
          differs.pairs.map(([name, value]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, value)))))));
      }
      if (differs.stages) part.append(make("h3", {}, "Stages"), stages(differs.stages));
      if (differs.strip) part.append(make("h3", {}, "Where it differs"), ...strip(differs.strip));
      if (differs.table && differs.table.i.length > 1) {
        part.append(make("h3", {}, differs.table.i.length < differs.differing ? `The first ${differs.table.i.length} elements that differ` : "The elements that differ"), ...elements(differs.table));
      }
    } else if (detail.m !== undefined) {
      part.append(make("p", {}, texts[detail.m]));
    } else {
      part.append(make("p", {}, means));
    }
    if (detail.w !== undefined) part.append(why(causes[detail.w], detail.y));
    if (detail.s !== undefined) part.append(make("h3", {}, "Standard error"), make("pre", { tabindex: "0" }, texts[detail.s]));
    const { rerun } = implementations[b];
    if (rerun) {
      const command = `${rerun} ${row.i}`;
      part.append(make("h3", {}, "Rerun"), make("div", { class: "rerun" }, make("pre", {}, command),
        make("button", { type: "button", class: "copy", click: () => copy(command) }, "Copy")));
    }
    return part;
  }

  /** The id of a clause or erratum as a link to its row, its text, and its document. */
  function reference(sort, id) {
    const it = data[sort === "clause" ? "clauses" : "errata"][id];
    if (!it) return [make("code", {}, id)];
    const source = !it.source ? "" : [" (", it.url ? make("a", { href: it.url }, it.source) : it.source, ")"];
    return [make("a", { href: `#${sort}.${id}` }, make("code", {}, id)), " " + it.says, ...source];
  }

  /** A cause: what it does, how to fix it, and the clause or erratum from which it departs. */
  function described(it) {
    const about = (name, sort, id) => id ? make("p", { class: "about" }, name + " ", ...reference(sort, id)) : "";
    return [make("p", {}, make("b", { class: "mono" }, it.name), ": " + it.says), it.fix ? make("p", {}, "Fix: " + it.fix) : "",
      about("Clause", "clause", it.clause), about("Erratum", "erratum", it.erratum)];
  }

  function why(cause, near) {
    if (!cause.evidence) return "";
    const known = cause.acting || [];
    const heading = known.length ? (cause.rivals ? "Explained as well by several" : "Explained by") : "No known cause";
    return make("div", {}, make("h3", {}, heading), make("div", { class: "why" },
      ...known.flatMap(place => described(acting[place])),
      make("p", { class: "about" }, cause.evidence),
      cause.rivals ? make("p", { class: "about" }, "As good: " + cause.rivals) : "",
      ...near ? [make("p", {}, `Nearest, with ${texts[near[1]]}:`), ...described(acting[near[0]])] : [],
      make("p", {}, make("a", { href: fragment({ ...blank(), on: implementations[cause.b].id, cause: cause.group }) }, known.length ? "All cases with this cause" : "All cases without a known cause"))));
  }

  function page(row) {
    const name = (list, sort) => list && list.length ? list.map(t => make("p", {}, ...sort ? reference(sort, texts[t]) : [make("code", {}, texts[t])])) : undefined;
    const rows = selected();
    const index = rows.indexOf(row);
    const step = (to, words) => to ? make("a", { href: fragment({ case: to.i }) }, words) : "";
    const heading = make("h1", { tabindex: "-1" }, row.i);
    const facts = [
      ...row.u.map(([input, value]) => [texts[input], [make("code", {}, texts[value])]]),
      ["Expects", [texts[row.x]]], ["Provenance", [texts[row.p]]], ["Also known for", name(row.r)],
      ["Catches", name(row.f)], ["Errata", name(row.e, "erratum")], ["Clauses", name(row.c, "clause")],
    ].filter(([, value]) => value);
    const passed = implementations.filter((_, b) => row.o[b] === PASS).map(it => it.id);
    at("case").replaceChildren(
      make("p", { class: "crumbs" }, make("a", { href: fragment({ case: "" }), id: "back" }, "← Matrix"),
        step(rows[index - 1], "‹ Previous"), index >= 0 ? step(rows[index + 1], "Next ›") : ""),
      heading, make("p", { class: "line" }, row.l), row.n === undefined ? "" : make("p", { class: "note" }, texts[row.n]),
      ...implementations.map((_, b) => row.o[b] === PASS || row.o[b] === "-" ? "" : found(row, b)),
      passed.length ? make("p", { class: "found good" }, make("b", { class: "good" }, "✓ pass"), " on " + passed.join(", ")) : "",
      ...implementations.flatMap((it, b) => (row.d || []).filter(d => d.b === b && d.a !== undefined)
        .map(d => make("p", { class: "note" }, make("b", {}, it.id), ": " + texts[d.a]))),
      make("h2", {}, "The case"),
      make("dl", { class: "facts" }, facts.flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)])));
    return heading;
  }

  // ---- The matrix or a case is shown. ----

  const title = document.title;
  let searchNext = false;
  function show() {
    const inCase = !at("case").hidden;
    if (!read()) {
      if (inCase) leave();
      const part = at(decodeURIComponent(location.hash.slice(1)));
      if (part && part.querySelector("details")) part.querySelector("details").open = true;
      if (part && part.id !== "keys") part.scrollIntoView();
      return;
    }
    const index = ids.get(state.case);
    if (index === undefined) {
      matrix();
      if (inCase) leave();
      else if (filtered()) at("matrix").scrollIntoView();
      return;
    }
    // Back in the matrix, the reader is at the same place again, with the focus on the same link.
    if (!inCase) origin = { scroll: scrollY, link: location.hash };
    const heading = page(cases[index]);
    at("overview").hidden = true;
    at("case").hidden = false;
    document.title = `${cases[index].i} · ${title}`;
    const part = at("at-" + new URLSearchParams(location.hash.slice(1)).get("at"));
    scrollTo({ top: 0, behavior: "instant" });
    heading.focus({ preventScroll: true });
    if (part && part.previousElementSibling && part.previousElementSibling.classList.contains("found")) part.scrollIntoView({ behavior: "instant" });
  }
  function leave() {
    at("case").hidden = true;
    at("overview").hidden = false;
    document.title = title;
    if (!at("grid").tHead) matrix();
    scrollTo({ top: origin.scroll, behavior: "instant" });
    const link = [...at("grid").querySelectorAll("a")].find(a => a.getAttribute("href") === origin.link);
    if (searchNext) at("search").focus();
    else if (link) link.focus({ preventScroll: true });
    searchNext = false;
  }

  at("on").append(make("option", { value: "" }, "All implementations"), ...implementations.map(it => make("option", { value: it.id }, it.id)));
  const legend = outcomes.map(it => [it.name, `${it.glyph} ${it.name}`, it.tone, it.means, it.count]);
  const expected = cases.reduce((n, row) => n + (row.d || []).filter(d => d.k !== undefined).length, 0);
  if (expected) legend.push([EXPECTED, "expected", "odd", "fails, and an expectation file says why it may", expected]);
  for (const [word, shown, tone, means, count] of legend) {
    at("legend").append(make("dt", { class: tone }, shown), make("dd", {}, means));
    if (!count) continue;
    const turn = () => {
      const wanted = new Set(state.o.split(",").filter(Boolean));
      if (!wanted.delete(word)) wanted.add(word);
      go({ o: [...wanted].join(",") });
    };
    at("chips").append(make("button", { type: "button", class: "chip " + tone, "aria-pressed": "false", "data-word": word, title: means, click: turn },
      `${shown} ${count.toLocaleString("en")}`));
  }
  // One search per frame, however fast keys come in.
  let waiting = 0;
  at("search").addEventListener("input", event => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => go({ q: event.target.value.trim() }));
  });
  at("on").addEventListener("change", event => go({ on: event.target.value }));
  at("filters").addEventListener("submit", event => event.preventDefault());
  addEventListener("hashchange", show);
  /** Goes to the next or previous failing case of the selection. */
  function leap(by) {
    const columns = implementations.map((it, b) => ({ b })).filter(({ b }) => !state.on || implementations[b].id === state.on);
    const failing = selected().filter(row => row.i === state.case || !quiet(row, columns));
    const to = failing[failing.findIndex(row => row.i === state.case) + by] || (state.case ? undefined : failing[failing.length - 1]);
    if (to) location.hash = fragment({ case: to.i });
  }
  const keys = {
    j: () => leap(1), k: () => leap(-1), "?": () => at("keys").showModal(),
    "/": () => {
      if (at("case").hidden) at("search").focus();
      else {
        searchNext = true;
        location.hash = fragment({ case: "" });
      }
    },
    Escape: () => { location.hash = fragment({ case: "" }); },
  };
  addEventListener("keydown", event => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName) && event.key !== "Escape";
    if (typing || event.ctrlKey || event.metaKey || event.altKey || at("keys").open || !keys[event.key]) return;
    if (event.key === "Escape" && at("case").hidden) return;
    event.preventDefault();
    keys[event.key]();
  });
  at("show-keys").addEventListener("click", event => { event.preventDefault(); at("keys").showModal(); });
  matrix();
  show();
})();
