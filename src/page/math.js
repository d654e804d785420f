// math.js: values, guards and variables as MathML.

const mathml = (() => {
  const m = (...parts) => view.math(...parts);
  const text = (tag, s) => m(tag, null, s);

  // L1 is L with an index, R_load too; anything else, c[3].C, stands as it was written.
  function name(s) {
    const parts = /^([A-Za-z]+)(?:_([A-Za-z0-9]+)|([0-9]+))$/.exec(s);
    if (!parts)
      return text("mi", s);
    return m("msub", null, text("mi", parts[1]), text(parts[3] ? "mn" : "mi", parts[2] || parts[3]));
  }

  const times = () => m("mo", { lspace: "0.12em", rspace: "0.12em" }, "\u2062");

  // ---- values: sums, products, quotients and powers of parameters -------------------------------

  const tokens = s => s.match(/\d+|[A-Za-z_][\w.]*(?:\[\d+\][\w.]*)*|[-+*\/^()]/g) || [];

  function parse(s) {
    const list = tokens(s);
    let at = 0;
    const sum = () => {
      const parts = [];
      do {
        const sign = "+-".includes(list[at] || " ") ? list[at++] : "";
        if (sign && (parts.length || sign === "-"))
          parts.push(text("mo", sign === "-" ? "−" : "+"));
        parts.push(quotient());
      } while (list[at] === "+" || list[at] === "-");
      return parts.length === 1 ? parts[0] : m("mrow", null, ...parts);
    };
    const quotient = () => {
      let above = product();
      while (list[at] === "/") {
        at++;
        above = m("mfrac", null, row(above, true), row([power()], true));
      }
      return Array.isArray(above) ? row(above, false) : above;
    };
    const product = () => {
      const parts = [power()];
      while (list[at] === "*") {
        at++;
        parts.push(times(), power());
      }
      return parts;
    };
    const power = () => {
      const base = atom();
      if (list[at] !== "^")
        return base;
      at++;
      return m("msup", null, base, atom());
    };
    const atom = () => {
      const token = list[at++];
      if (token !== "(")
        return /^\d/.test(token) ? text("mn", token) : name(token);
      const inner = sum();
      at++;
      inner.bracketed = true;
      return inner;
    };
    return row([sum()], true);
  }

  // A sum in brackets keeps them, except where a fraction's line does their work.
  function row(parts, alone) {
    const list = Array.isArray(parts) ? parts : [parts];
    const shown = list.flatMap(part => part.bracketed && !(alone && list.length === 1)
      ? [text("mo", "("), part, text("mo", ")")] : [part]);
    return shown.length === 1 ? shown[0] : m("mrow", null, ...shown);
  }

  const cache = new Map();
  function value(s) {
    if (!cache.has(s))
      cache.set(s, parse(s));
    return cache.get(s).cloneNode(true);
  }

  // ---- guards -----------------------------------------------------------------------------------

  const signs = { "&": "∧", "|": "∨", "^": "⊕" };

  function formula(f, names) {
    if (typeof f === "boolean")
      return text("mn", f ? "1" : "0");
    if (typeof f === "number")
      return m("msub", null, text("mi", "λ"), text("mi", names[f]));
    if (typeof f === "string")
      return text("mi", f.replace("_", "g"));
    const parts = f[0] === "!" ? [m("mo", { rspace: "0" }, "¬")] : [];
    for (const part of f.slice(1)) {
      if (f[0] !== "!" && parts.length)
        parts.push(text("mo", signs[f[0]]));
      const inner = formula(part, names);
      const nested = Array.isArray(part) && part[0] !== "!";
      parts.push(...(nested ? [text("mo", "("), inner, text("mo", ")")] : [inner]));
    }
    return m("mrow", null, ...parts);
  }

  // ---- variables --------------------------------------------------------------------------------

  // ṗ of L1; a pseudo-state has a d above it. The letter counts as higher than it is, else the dot touches it.
  function symbol(letter, element, dot, pseudo) {
    let base = text("mi", letter);
    if (dot)
      base = m("mover", { accent: "true" }, m("mpadded", { height: "0.58em" }, base), text("mo", "˙"));
    const index = text("mi", element);
    return pseudo ? m("msubsup", null, base, index, text("mi", "d")) : m("msub", null, base, index);
  }

  const whole = (...parts) => m("math", { displaystyle: "true" }, ...parts);

  return { value, formula, symbol, name, text, times, whole };
})();

