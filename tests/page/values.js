// values.js: reads the formulas on a page back into numbers, for the tests: what MathML shows must be
// worth what the text behind it is. Parameters get numbers made from their names.
(() => {
  const number = name => {
    let h = 7;
    for (const c of name)
      h = (h * 31 + c.charCodeAt(0)) % 9973;
    return 1 + h / 997;
  };
  const text = s => {
    const list = s.match(/\d+|[A-Za-z_][\w.\[\]]*|[-+*\/^()]/g);
    let at = 0;
    const sum = () => {
      let x = 0;
      do {
        const sign = list[at] === "-" ? -1 : 1;
        at += list[at] === "-" || list[at] === "+" ? 1 : 0;
        x += sign * product();
      } while (list[at] === "+" || list[at] === "-");
      return x;
    };
    const product = () => {
      let x = power();
      while (list[at] === "*" || list[at] === "/")
        x = list[at++] === "*" ? x * power() : x / power();
      return x;
    };
    const power = () => {
      const x = atom();
      return list[at] === "^" ? (at++, x ** atom()) : x;
    };
    const atom = () => {
      const token = list[at++];
      if (token !== "(")
        return /^\d/.test(token) ? Number(token) : number(token);
      const x = sum();
      at++;
      return x;
    };
    return sum();
  };
  // Flat: numbers and signs; then products before sums.
  const flat = node => {
    switch (node.localName) {
    case "mn": return [Number(node.textContent)];
    case "mi": return [number(node.textContent)];
    case "mo": return [node.textContent];
    case "msub": {
      const [base, index] = node.children;
      const plain = base.textContent + index.textContent;
      const known = window.parameterNames.has(plain) ? plain : `${base.textContent}_${index.textContent}`;
      return [number(known)];
    }
    case "msup": return [value(node.children[0]) ** value(node.children[1])];
    case "mfrac": return [value(node.children[0]) / value(node.children[1])];
    default: return [...node.children].flatMap(flat);
    }
  };
  const value = node => {
    const list = flat(node);
    let at = 0;
    const sum = () => {
      let x = 0;
      do {
        const sign = list[at] === "−" ? -1 : 1;
        at += list[at] === "−" || list[at] === "+" ? 1 : 0;
        x += sign * product();
      } while (list[at] === "−" || list[at] === "+");
      return x;
    };
    const product = () => {
      let x = atom();
      while (list[at] === "\u2062") {
        at++;
        x *= atom();
      }
      return x;
    };
    const atom = () => {
      if (list[at] !== "(")
        return list[at++];
      at++;
      const x = sum();
      at++;
      return x;
    };
    return sum();
  };
  const model = JSON.parse(document.getElementById("data").textContent);
  window.parameterNames = new Set(model.values.flatMap(s => s.match(/[A-Za-z_][\w.\[\]]*/g) || []));
  const wrong = [...document.querySelectorAll("#dense td[data-entry]")].filter(cell => {
    const [key, row, col] = cell.dataset.entry.split(" ");
    const term = document.querySelector(`#equations [data-matrix="${key}"][data-row="${row}"][data-col="${col}"]`);
    const shown = cell.querySelector("math") ? value(cell.querySelector("math")) : Number(cell.textContent);
    const meant = term ? text(term.dataset.value) : 0;
    return !(Math.abs(shown - meant) <= 1e-9 * (1 + Math.abs(meant)));
  });
  return wrong.map(cell => `${cell.dataset.entry}: ${cell.textContent}`);
})()
