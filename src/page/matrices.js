// matrices.js: Λ, S, E, A and B under their guards, and what is left of them in one mode.

const matrices = (() => {
  const { el, by } = view;
  const WIDE = 12;   // columns that are shown as a matrix; of more, a list of what is not zero
  let model, names;
  let live = [];     // [guard, node] of what is shown under guards
  let rows = [];     // the equations as they are shown, by storage: what they say, and their node

  function read(data) {
    model = data;
    names = model.switches.map(i => model.elements[i].name);
    for (const key of ["E", "A", "B"])
      model[key + "rows"] = byRow(model[key], model.x.length);
    model.row_of = { state: [], pseudo: [] };
    model.x.forEach(([element, form], i) => model.row_of[form][element] = i);
  }

  function byRow(entries, n) {
    const list = Array.from({ length: n }, () => []);
    for (const entry of entries)
      list[entry[0]].push(entry);
    return list;
  }

  // ---- variables --------------------------------------------------------------------------------

  const letter = i => model.elements[i].kind === "I" ? "p" : "q";
  const conjugate = i => model.elements[i].kind === "I" ? "f" : "e";
  const state = (i, dot) => mathml.symbol(letter(i), model.elements[i].name, dot);

  function output([i, form]) {
    const name = model.elements[i].name;
    switch (form) {
    case "state": return mathml.symbol(letter(i), name, true);
    case "pseudo": return mathml.symbol(conjugate(i), name, false, true);
    default: return mathml.symbol(form === "flow-in" ? "f" : "e", name);
    }
  }

  function input([i, form]) {
    const name = model.elements[i].name;
    switch (form) {
    case "state": return mathml.symbol(conjugate(i), name);
    case "pseudo": return mathml.symbol(letter(i), name, true, true);
    case "input": return mathml.name(name);
    default: return mathml.symbol(form === "flow-in" ? "e" : "f", name);
    }
  }

  const state_of = dot => ([i, form]) =>
    mathml.symbol(letter(i), model.elements[i].name, dot, form === "pseudo");

  // ---- one mode ---------------------------------------------------------------------------------

  // The value of an entry's cases in the mode, as text; null for zero.
  function valueOf(entry, holds) {
    for (let k = 2; k < entry.length; k += 2)
      if (holds[entry[k]])
        return model.values[entry[k + 1]];
    return null;
  }

  // Rows and variables that are not active drop out: [row storage, column, value] of each matrix.
  function inMode(holds) {
    const integral = model.integral.map(g => holds[g]);
    const number = new Map(model.storages.map((i, k) => [i, k]));
    const result = { E: [], A: [], B: [] };
    model.storages.forEach((element, k) => {
      const row = model.row_of[integral[k] ? "state" : "pseudo"][element];
      for (const key of ["E", "A", "B"])
        for (const entry of model[key + "rows"][row]) {
          const [of, form] = key === "B" ? [] : model.x[entry[1]];
          const column = key === "B" ? entry[1] : number.get(of);
          if (key !== "B" && (form === "state") !== Boolean(integral[column]))
            continue;
          const value = valueOf(entry, holds);
          if (value !== null)
            result[key].push([k, column, value]);
        }
    });
    return result;
  }

  // ---- equations --------------------------------------------------------------------------------

  // value·variable as a term of a sum.
  function term(key, [row, column, value], first) {
    const negative = value.startsWith("-");
    const size = negative ? value.slice(1) : value;
    const variable = key === "B" ? mathml.name(model.elements[model.sources[column]].name)
      : state(model.storages[column], key === "E");
    const sign = negative ? "−" : first ? "" : "+";
    const sum = / [-+] /.test(size) && !size.includes("/");
    return view.math("mrow", { "data-matrix": key, "data-row": row, "data-col": column,
      "data-value": value }, sign ? view.math("mo", { form: first ? "prefix" : "infix" }, sign) : null,
      ...(size === "1" ? [] : sum ? [mathml.text("mo", "("), mathml.value(size), mathml.text("mo", ")")]
        : [mathml.value(size)]),
      size === "1" ? null : mathml.times(), variable);
  }

  const side = terms => terms.length ? terms : [mathml.text("mn", "0")];

  function equation(k, parts) {
    const of = key => parts[key].map((entry, i) => [key, entry, i]);
    const left = of("E").map(([key, entry, i]) => term(key, entry, i === 0));
    const right = [...of("A"), ...of("B")].map(([key, entry], i) => term(key, entry, i === 0));
    return el("div", { class: "equation", "data-element": model.storages[k] },
      mathml.whole(...side(left), mathml.text("mo", "="), ...side(right)));
  }

  // A row is made anew only when it says something else: most switches change a few of many.
  function showEquations(found) {
    const parts = model.storages.map(() => ({ E: [], A: [], B: [] }));
    for (const key of ["E", "A", "B"])
      for (const entry of found[key])
        parts[entry[0]][key].push(entry);
    parts.forEach((part, k) => {
      const says = JSON.stringify(part);
      if (rows[k] && rows[k].says === says)
        return;
      const node = equation(k, part);
      if (rows[k])
        rows[k].node.replaceWith(node);
      else
        by("equations").append(node);
      rows[k] = { says, node };
    });
  }

  function dense(key, entries, columns) {
    const cells = new Map(entries.map(([i, j, value]) => [`${i} ${j}`, value]));
    const head = el("tr", null, el("td"), ...columns.map(c => el("th", { "data-element": c.element,
      scope: "col" }, mathml.whole(c.symbol()))));
    const body = model.storages.map((element, i) => el("tr", { "data-element": element },
      el("th", { scope: "row" }, model.elements[element].name),
      ...columns.map((c, j) => {
        const value = cells.get(`${i} ${j}`);
        return el("td", { class: value ? "" : "zero", "data-element": c.element,
          "data-entry": `${key} ${i} ${j}` }, value ? mathml.whole(mathml.value(value)) : "0");
      })));
    return el("figure", { class: "matrix" }, el("figcaption", null, key),
      el("div", { class: "scroll" }, el("table", null, head, ...body)));
  }

  function showMode(holds, allowed) {
    by("view-mode").classList.toggle("none", !allowed);
    by("dense").replaceChildren();
    if (!allowed) {
      by("equations").replaceChildren(el("p", { class: "quiet" }, "This mode has none."));
      rows = [];
      return;
    }
    if (!rows.length)
      by("equations").replaceChildren();
    const found = inMode(holds);
    showEquations(found);
    if (model.storages.length > WIDE || model.storages.length === 0)
      return;
    const states = dot => model.storages.map(i => ({ element: i, symbol: () => state(i, dot) }));
    by("dense").append(dense("E", found.E, states(true)), dense("A", found.A, states(false)));
    if (model.sources.length)
      by("dense").append(dense("B", found.B, model.sources.map(i =>
        ({ element: i, symbol: () => mathml.name(model.elements[i].name) }))));
  }

  // ---- under guards -----------------------------------------------------------------------------

  // Very long formulas are left out of the page: they are only counted.
  function guardNode(guard) {
    const f = model.formulas[guard];
    if (f.length && !Array.isArray(f) && typeof f !== "string")
      return el("span", { class: "guard" }, `[a formula of ${f.length} switches]`);
    return el("span", { class: "guard" }, mathml.whole(mathml.formula(f, names)));
  }

  function caseNode(guard, value) {
    const node = el("span", { class: "case" },
      value === null ? null : mathml.whole(mathml.value(model.values[value])),
      guard === 1 ? null : guardNode(guard));
    live.push([guard, node]);
    return node;
  }

  function cases(entry) {
    const list = [];
    for (let k = 2; k < entry.length; k += 2)
      list.push(caseNode(entry[k], entry[k + 1]));
    return list;
  }

  function table(key, entries, rows, cols, rowSymbol, colSymbol) {
    const cells = new Map(entries.map(entry => [`${entry[0]} ${entry[1]}`, entry]));
    const used = rows.map((_, i) => i);
    const head = el("tr", null, el("td"), ...cols.map(c =>
      el("th", { scope: "col", "data-element": c[0] }, mathml.whole(colSymbol(c)))));
    return el("table", { class: "guarded" }, head, ...used.map(i => el("tr", { "data-element": rows[i][0] },
      el("th", { scope: "row" }, mathml.whole(rowSymbol(rows[i]))),
      ...cols.map((c, j) => {
        const entry = cells.get(`${i} ${j}`);
        return el("td", { class: entry ? "" : "zero", "data-element": c[0] },
          ...(entry ? cases(entry) : ["0"]));
      }))));
  }

  // For many columns: row by row what is not zero.
  function list(entries, rows, cols, rowSymbol, colSymbol) {
    return el("table", { class: "guarded list" }, ...rows.map((row, i) => {
      const mine = entries.filter(entry => entry[0] === i);
      return mine.length === 0 ? null : el("tr", { "data-element": row[0] },
        el("th", { scope: "row" }, mathml.whole(rowSymbol(row))),
        el("td", null, ...mine.map(entry => el("span", { class: "entry",
          "data-element": cols[entry[1]][0] }, mathml.whole(colSymbol(cols[entry[1]])), ": ",
          ...cases(entry)))));
    }));
  }

  function block(key, title, entries, rows, cols, rowSymbol, colSymbol) {
    const wide = cols.length > WIDE;
    return el("details", { open: !wide, class: "matrix" }, el("summary", null, title),
      el("div", { class: "scroll" },
        (wide ? list : table.bind(null, key))(entries, rows, cols, rowSymbol, colSymbol)));
  }

  function lambda() {
    return el("details", { open: true, class: "matrix" }, el("summary", null, "Λ(λ), its diagonal"),
      el("div", { class: "scroll" }, el("table", { class: "guarded list" }, ...model.rows.map((row, i) => {
        const guard = model.Lambda[i];
        const node = el("span", { class: "case alone" }, guard < 2 ? String(guard) : guardNode(guard));
        live.push([guard, node]);
        return el("tr", { "data-element": row[0] }, el("th", { scope: "row" },
          mathml.whole(output(row))), el("td", null, node));
      }))));
  }

  function lets() {
    return model.lets.length === 0 ? null : el("details", { class: "matrix" },
      el("summary", null, `${model.lets.length} named parts of guards`),
      el("div", { class: "scroll" }, ...model.lets.map((f, i) =>
        el("div", null, mathml.whole(mathml.text("mi", `g${i + 1}`), mathml.text("mo", "="),
          mathml.formula(f, names))))));
  }

  // Made when it is first looked at.
  function buildGuarded() {
    const inputs = model.sources.map(i => [i, "input"]);
    const of = state_of(false), dot = state_of(true);
    by("guarded").append(lambda(),
      block("S", "S(λ)", model.S, model.rows, model.cols, output, input),
      block("E", "E(λ)", model.E, model.x, model.x, dot, dot),
      block("A", "A(λ)", model.A, model.x, model.x, dot, of),
      inputs.length ? block("B", "B(λ)", model.B, model.x, inputs, dot, input) : "",
      lets() || "");
  }

  function showGuarded(holds) {
    if (!by("guarded").firstChild)
      buildGuarded();
    for (const [guard, node] of live)
      node.classList.toggle("live", Boolean(holds[guard]));
  }

  return { read, inMode, showMode, showGuarded };
})();

