// graph.js: the bond graph, its strokes in a mode, and in a run the power on its bonds.

const graph = (() => {
  const { svg, el, by } = view;
  let model, bonds, elements, picture, scale = null, fitted = true;
  let greatest = 0, mostEnergy = 0;

  // ---- drawing ----------------------------------------------------------------------------------

  const line = (kind, s) => svg("line", { class: kind, x1: s[0], y1: s[1], x2: s[2], y2: s[3] });

  function path(points) {
    let d = "";
    for (let i = 0; i < points.length; i += 2)
      d += `${i ? "L" : "M"}${points[i]} ${points[i + 1]}`;
    return d;
  }

  function drawBond(b, i) {
    const d = path(b.points);
    const node = {
      power: svg("path", { class: "power", d }),
      tail: line("stroke", b.at_tail),
      head: line("stroke", b.at_head),
      title: svg("title", null, `bond ${b.name}`),
    };
    const label = b.label && svg("text", { class: "label", x: (b.label[0] + b.label[2]) / 2,
      y: b.label[3] - 3 }, b.said);
    node.group = svg("g", { class: "bond", "data-bond": i }, node.title, svg("path", { class: "near", d }),
      node.power, svg("path", { class: "wire", d }), line("barb", b.barb), node.tail, node.head,
      label || null);
    return node;
  }

  function drawElement(e, i) {
    const [left, top, right, bottom] = e.box;
    const middle = (left + right) / 2;
    const isSwitch = e.switch !== undefined;
    const node = {
      kind: svg("text", { class: "kind", x: middle, y: top + 12.8 }),
      below: svg("text", { class: "below", x: middle, y: top + 25.8 }),
      energy: svg("rect", { class: "energy", x: left, y: bottom + 2, height: 4, width: 0, rx: 1 }),
    };
    node.group = svg("g", { class: isSwitch ? "element switch" : "element", "data-element": i },
      svg("rect", { class: "field", x: left - 3, y: top - 2, width: right - left + 6,
        height: bottom - top + 4, rx: 5 }), node.kind, node.below, node.energy);
    if (isSwitch) {
      node.group.setAttribute("role", "switch");
      node.group.setAttribute("tabindex", "0");
      node.group.setAttribute("aria-label", e.name);
    } else {
      node.kind.textContent = ["0", "1"].includes(e.kind) ? e.kind
        : `${e.shown} : ${e.field || e.name}`;
      node.below.textContent = e.below || "";
    }
    return node;
  }

  // The ports of a field stand in one box, that of the first of them.
  const boxOf = i => model.elements[i].in ?? i;
  const sameBox = i => model.elements.flatMap((e, k) => boxOf(k) === boxOf(i) ? [k] : []);

  function build(data, turn) {
    model = data;
    bonds = model.bonds.map(drawBond);
    const drawn = model.elements.map((e, i) => e.in === undefined ? drawElement(e, i) : null);
    elements = model.elements.map((e, i) => drawn[boxOf(i)]);
    const [width, height] = model.size;
    picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group",
      "aria-label": `Bond graph of ${model.model}: ${model.elements.length} elements, ` +
        `${model.bonds.length} bonds. The tab "In words" has it as text.` },
      ...bonds.map(b => b.group), ...drawn.flatMap(e => e ? [e.group] : []));
    by("picture").append(picture);
    picture.addEventListener("click", event => turnAt(event, turn));
    picture.addEventListener("keydown", event => {
      if (event.key === "Enter" || event.key === " ")
        turnAt(event, turn);
    });
    by("fit").addEventListener("click", () => zoom(null));
    by("larger").addEventListener("click", () => zoom(1.25));
    by("smaller").addEventListener("click", () => zoom(0.8));
    window.addEventListener("resize", () => fitted && zoom(null));
    zoom(null);
  }

  function turnAt(event, turn) {
    const target = event.target.closest(".switch");
    if (!target)
      return;
    event.preventDefault();
    turn(model.elements[target.dataset.element].switch);
  }

  // Null: as wide as there is room, but no larger than is pleasant and never too small to be read.
  function zoom(factor) {
    const room = by("picture").clientWidth - 2;
    const fit = Math.max(0.55, Math.min(1.7, room / model.size[0]));
    fitted = !factor;
    scale = factor ? Math.min(5, Math.max(0.15, scale * factor)) : fit;
    picture.setAttribute("width", model.size[0] * scale);
    picture.setAttribute("height", model.size[1] * scale);
  }

  // ---- one mode ---------------------------------------------------------------------------------

  function showSwitch(i, on) {
    const e = model.elements[i], node = elements[i];
    const null_source = e.kind === "X1" ? "Sf : 0" : e.kind === "X0" ? "Se : 0" : e.kind;
    node.kind.textContent = on ? e.kind : null_source;
    node.below.textContent = `λ ${e.name} = ${on ? 1 : 0}`;
    node.group.setAttribute("aria-checked", on ? "true" : "false");
    node.group.classList.toggle("off", !on);
    return !on;
  }

  function show(mode, holds, forbidden) {
    const off = model.elements.map((e, i) => e.switch !== undefined && showSwitch(i, mode[e.switch]));
    model.bonds.forEach((b, i) => {
      const open = !forbidden && holds[b.open];
      const tail = !forbidden && !open && holds[b.effort[1]];
      const head = !forbidden && !open && holds[b.effort[0]];
      bonds[i].tail.classList.toggle("gone", !tail);
      bonds[i].head.classList.toggle("gone", !head);
      bonds[i].group.classList.toggle("open", Boolean(open));
      bonds[i].group.classList.toggle("off", off[b.tail] || off[b.head]);
    });
    picture.classList.toggle("forbidden", forbidden);
  }

  // ---- one instant of a run ---------------------------------------------------------------------

  const most = list => list.reduce((a, x) => Number.isFinite(x) ? Math.max(a, Math.abs(x)) : a, 0);

  function scaleTo(power, energy) {
    greatest = most(power);
    mostEnergy = most(energy);
    return greatest;
  }

  function showPower(power, unit) {
    bonds.forEach((node, i) => {
      const p = power ? power[i] : 0;
      const share = greatest > 0 && Number.isFinite(p) ? Math.sqrt(Math.abs(p) / greatest) : 0;
      node.power.style.strokeWidth = (11 * share).toFixed(2);
      node.power.setAttribute("class", p < 0 ? "power back" : "power");
      node.title.textContent = `bond ${model.bonds[i].name}` +
        (power ? `: ${view.number(p, unit)} along the arrow` : "");
    });
  }

  function showEnergy(energy) {
    const stored = model.elements.map(() => 0);
    model.storages.forEach((i, k) => stored[boxOf(i)] += energy ? energy[k] : 0);
    for (const i of new Set(model.storages.map(boxOf))) {
      const [left, , right] = model.elements[i].box;
      const share = mostEnergy > 0 && stored[i] > 0 ? Math.sqrt(Math.min(1, stored[i] / mostEnergy)) : 0;
      elements[i].energy.setAttribute("width", ((right - left) * share).toFixed(1));
    }
  }

  // ---- lighting up ------------------------------------------------------------------------------

  function light(element) {
    for (const node of picture.querySelectorAll(".lit"))
      node.classList.remove("lit");
    if (element === null)
      return;
    elements[element].group.classList.add("lit");
    model.bonds.forEach((b, i) => {
      if (sameBox(element).some(i => b.tail === i || b.head === i))
        bonds[i].group.classList.add("lit");
    });
  }

  // ---- in words ---------------------------------------------------------------------------------

  function describe(holds, forbidden) {
    const of = i => `${model.elements[i].kind} ${model.elements[i].name}`;
    const said = b => forbidden ? "has no causality: the mode is forbidden"
      : holds[b.open] ? "is left open by a redundant loop"
      : `has its effort from ${model.elements[holds[b.effort[0]] ? b.tail : b.head].name}`;
    return el("ul", null, ...model.bonds.map(b =>
      el("li", null, `${b.name}: from ${of(b.tail)} to ${of(b.head)}; ${said(b)}`)));
  }

  return { build, show, scaleTo, showPower, showEnergy, light, sameBox, describe, zoom };
})();

