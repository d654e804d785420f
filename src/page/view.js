// view.js: making elements and writing numbers. Text is only ever set as text.

const view = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const MATH = "http://www.w3.org/1998/Math/MathML";

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {}))
      if (name === "class")
        node.setAttribute("class", value);
      else if (name.startsWith("on"))
        node.addEventListener(name.slice(2), value);
      else if (value !== undefined && value !== null && value !== false)
        node.setAttribute(name, value === true ? "" : value);
    node.append(...children.filter(c => c !== null && c !== undefined));
    return node;
  }
  const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS(SVG, tag), attributes, children);
  const math = (tag, attributes, ...children) =>
    fill(document.createElementNS(MATH, tag), attributes, children);
  const by = id => document.getElementById(id);

  const prefixes = ["f", "p", "n", "µ", "m", "", "k", "M", "G", "T"];

  // 0.0012, "A" is "1.2 mA"; beyond the prefixes, or without a unit, powers of ten.
  function number(x, unit, digits = 4) {
    if (!Number.isFinite(x))
      return "undetermined";
    const size = Math.abs(x);
    const power = size > 0 ? Math.floor(Math.log10(size) / 3 + 1e-9) : 0;
    if (unit && power >= -5 && power <= 4)
      return `${plain(x / 10 ** (3 * power), digits)} ${prefixes[power + 5]}${unit}`;
    const bare = size !== 0 && (size < 1e-3 || size >= 1e6)
      ? x.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e") : plain(x, digits);
    return unit ? `${bare} ${unit}` : bare;
  }

  const plain = (x, digits) => String(Number(x.toPrecision(digits))).replace("-", "−");

  // A time needs as many digits as tell its neighbours in the run apart.
  function time(t, span) {
    const digits = Math.max(4, Math.min(12, 3 + Math.ceil(Math.log10(Math.max(1, t / span * 1000)))));
    return number(t, "s", digits);
  }

  const bytesOf = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));

  // Whole numbers, seven bits a byte, the lowest first; the last byte of each has no eighth.
  function numbers(text) {
    const list = [];
    let number = 0, shift = 0;
    for (const byte of bytesOf(text)) {
      number += (byte & 127) * 2 ** shift;
      shift += 7;
      if (byte < 128) {
        list.push(number);
        number = shift = 0;
      }
    }
    return list;
  }

  function floats(text, kind) {
    const bytes = bytesOf(text);
    const view = new DataView(bytes.buffer);
    const size = kind.BYTES_PER_ELEMENT;
    const list = new kind(bytes.length / size);
    for (let i = 0; i < list.length; i++)
      list[i] = size === 8 ? view.getFloat64(8 * i, true) : view.getFloat32(4 * i, true);
    return list;
  }

  return { el, svg, math, by, number, time, numbers, floats };
})();

