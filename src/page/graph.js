// graph.js: the bond graph, its strokes in a mode, and in a run the power on its bonds.

const graph = (() => {
  const { svg, el, by } = view;
  let model, bonds, elements, picture, scale = null, fitted = true;
  let greatest = 0, mostEnergy = 0;
  let elementPlace, bondPlace, chosen = [], pickers = [];   // of parts that are drawn once
  const now = {};                                           // what is shown

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
    } else
      label(e, node);
    return node;
  }

  // ---- which boxes and lines show what ----------------------------------------------------------

  // The ports of a field stand in one box, that of the first of them. Of parts that repeat each other
  // the first is drawn, and shows the one that is chosen.
  const boxOf = i => model.elements[i].in ?? i;
  const sameBox = i => model.elements.flatMap((e, k) => boxOf(k) === boxOf(i) ? [k] : []);

  // Per element and bond of a fold: which fold, which part, and what is drawn for it.
  function findParts(list) {
    const place = [];
    model.folds.forEach((fold, n) => fold[list].forEach((part, k) =>
      part.forEach((i, s) => place[i] = { fold: n, part: k, as: fold[list][0][s] })));
    return place;
  }

  const shownAs = (place, i) => !place[i] ? i : chosen[place[i].fold] === place[i].part ? place[i].as : null;
  function boxNode(i) {
    const as = shownAs(elementPlace, i);
    return as === null ? null : elements[boxOf(as)];
  }
  function lineNode(i) {
    const as = shownAs(bondPlace, i);
    return as === null ? null : bonds[as];
  }

  function label(e, node) {
    const junction = ["0", "1"].includes(e.kind);
    node.kind.textContent = junction ? e.kind : `${e.shown} : ${e.field || e.name}`;
    node.below.textContent = junction ? e.name : e.below || "";
  }

  // The boxes and lines of a fold get the names and numbers of the part that is chosen.
  function choose(n, part) {
    const fold = model.folds[n];
    chosen[n] = part;
    fold.elements[part].forEach((i, s) => {
      const node = elements[boxOf(fold.elements[0][s])];
      if (boxOf(i) !== i)
        return;
      node.group.setAttribute("data-element", i);
      if (model.elements[i].switch === undefined)
        label(model.elements[i], node);
      else
        node.group.setAttribute("aria-label", model.elements[i].name);
    });
    fold.bonds[part].forEach((i, s) => bonds[fold.bonds[0][s]].group.setAttribute("data-bond", i));
    pickers[n].value = part + 1;
    if (now.mode)
      show(now.mode, now.holds, now.forbidden);
    showPower(now.power, now.unit);
    showEnergy(now.energy);
  }

  function drawFold(fold) {
    const [left, top, right, bottom] = fold.box;
    return svg("g", { class: "fold" }, svg("rect", { x: left, y: top, width: right - left,
      height: bottom - top, rx: 6 }), svg("text", { x: left + 4, y: top + 10 }, `${fold.count} ×`));
  }

  function addPicker(fold, n) {
    pickers[n] = el("input", { type: "number", min: 1, max: fold.count, value: 1,
      "aria-label": `Which of ${fold.count} like parts is shown` });
    pickers[n].addEventListener("input", () => {
      const part = Number(pickers[n].value) - 1;
      if (Number.isInteger(part) && part >= 0 && part < fold.count)
        choose(n, part);
    });
    by("parts").append(el("label", null, "part ", pickers[n], ` of ${fold.count}`));
  }

  function build(data, turn) {
    model = data;
    bonds = model.bonds.map((b, i) => b.points ? drawBond(b, i) : null);
    elements = model.elements.map((e, i) => e.box ? drawElement(e, i) : null);
    elementPlace = findParts("elements");
    bondPlace = findParts("bonds");
    chosen = model.folds.map(() => 0);
    model.folds.forEach(addPicker);
    const [width, height] = model.size;
    picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group",
      "aria-label": `Bond graph of ${model.model}: ${model.elements.length} elements, ` +
        `${model.bonds.length} bonds. The tab "In words" has it as text.` },
      ...model.folds.map(drawFold), ...[...bonds, ...elements].flatMap(x => x ? [x.group] : []));
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
    const fit = Math.max(0.8, Math.min(1.7, room / model.size[0]));
    fitted = !factor;
    scale = factor ? Math.min(5, Math.max(0.15, scale * factor)) : fit;
    picture.setAttribute("width", model.size[0] * scale);
    picture.setAttribute("height", model.size[1] * scale);
  }

  // ---- one mode ---------------------------------------------------------------------------------

  function showSwitch(i, on) {
    const e = model.elements[i], node = boxNode(i);
    if (!node)
      return !on;
    const null_source = e.kind === "X1" ? "Sf : 0" : e.kind === "X0" ? "Se : 0" : e.kind;
    node.kind.textContent = on ? e.kind : null_source;
    node.below.textContent = `λ ${e.name} = ${on ? 1 : 0}`;
    node.group.setAttribute("aria-checked", on ? "true" : "false");
    node.group.classList.toggle("off", !on);
    return !on;
  }

  function show(mode, holds, forbidden) {
    Object.assign(now, { mode, holds, forbidden });
    const off = model.elements.map((e, i) => e.switch !== undefined && showSwitch(i, mode[e.switch]));
    model.bonds.forEach((b, i) => {
      const node = lineNode(i);
      if (!node)
        return;
      const open = !forbidden && holds[b.open];
      const tail = !forbidden && !open && holds[b.effort[1]];
      const head = !forbidden && !open && holds[b.effort[0]];
      node.tail.classList.toggle("gone", !tail);
      node.head.classList.toggle("gone", !head);
      node.group.classList.toggle("open", Boolean(open));
      node.group.classList.toggle("off", off[b.tail] || off[b.head]);
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
    Object.assign(now, { power, unit });
    model.bonds.forEach((b, i) => {
      const node = lineNode(i);
      if (!node)
        return;
      const p = power ? power[i] : 0;
      const share = greatest > 0 && Number.isFinite(p) ? Math.sqrt(Math.abs(p) / greatest) : 0;
      node.power.style.strokeWidth = (11 * share).toFixed(2);
      node.power.setAttribute("class", p < 0 ? "power back" : "power");
      node.title.textContent = `bond ${b.name}` +
        (power ? `: ${view.number(p, unit)} along the arrow` : "");
    });
  }

  function showEnergy(energy) {
    now.energy = energy;
    const stored = model.elements.map(() => 0);
    model.storages.forEach((i, k) => stored[boxOf(i)] += energy ? energy[k] : 0);
    for (const i of new Set(model.storages.map(boxOf))) {
      const node = boxNode(i);
      if (!node)
        continue;
      const [left, , right] = model.elements[shownAs(elementPlace, i)].box;
      const share = mostEnergy > 0 && stored[i] > 0 ? Math.sqrt(Math.min(1, stored[i] / mostEnergy)) : 0;
      node.energy.setAttribute("width", ((right - left) * share).toFixed(1));
    }
  }

  // ---- lighting up ------------------------------------------------------------------------------

  function light(element) {
    for (const node of picture.querySelectorAll(".lit"))
      node.classList.remove("lit");
    if (element === null)
      return;
    const place = elementPlace[element], same = sameBox(element);
    if (place && chosen[place.fold] !== place.part)
      choose(place.fold, place.part);
    boxNode(boxOf(element)).group.classList.add("lit");
    model.bonds.forEach((b, i) => {
      if (lineNode(i) && (same.includes(b.tail) || same.includes(b.head)))
        lineNode(i).group.classList.add("lit");
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

