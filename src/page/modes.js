// modes.js: the switches, whether their mode is allowed, and causality in it.

const modes = (() => {
  const { el, by } = view;
  let model, buttons;

  function build(data, turn) {
    model = data;
    buttons = model.switches.map((i, s) => el("button", { type: "button", role: "switch",
      "data-element": i, onclick: () => turn(s) }, el("span", { class: "lamp" }),
      model.elements[i].name));
    by("switches").append(...buttons);
    by("switches").hidden = buttons.length === 0;
  }

  function reason(holds) {
    const found = model.reasons.find(([guard]) => holds[guard]);
    return found ? found[1] : null;
  }

  const singular = holds => model.singular.find(([guard]) => holds[guard]);

  function differences(from, to) {
    return model.switches.flatMap((i, s) => from[s] === to[s] ? []
      : [`${model.elements[i].name} ${to[s] ? "on" : "off"}`]).join(", ");
  }

  function nearby(mode, choose) {
    const found = guards.nearest(model.allowed, mode, 6);
    if (!found.length)
      return el("p", null, "No mode of this model is allowed.");
    return el("div", { id: "nearest" }, el("p", null, "The nearest modes that are allowed:"),
      ...found.map(other => el("button", { type: "button", onclick: () => choose(other) },
        `turn ${differences(mode, other)}`)));
  }

  function status(mode, holds, choose) {
    if (holds[model.forbidden])
      return [el("p", { class: "bad" }, el("strong", null, "This mode is forbidden. "),
        "It needs ", el("span", { id: "reason" }, reason(holds) || "what its sources do not give"), "."),
        nearby(mode, choose)];
    const loop = singular(holds);
    if (loop)
      return [el("p", { class: "bad" }, el("strong", null, "This mode has no unique solution: "),
        `the loop through ${model.elements[loop[1]].name} has none.`)];
    return [];
  }

  function causality(holds) {
    const rows = (list, of, yes, no) => list.map((i, k) => {
      const is = holds[of[k]];
      return el("tr", { "data-element": i, class: of[k] > 1 ? "dynamic" : "" },
        el("th", { scope: "row" }, model.elements[i].name), el("td", null, is ? yes : no),
        el("td", { class: "quiet" }, of[k] > 1 ? "changes with the mode" : ""));
    });
    return el("table", { class: "plain" },
      ...rows(model.storages, model.integral, "integral", "derivative"),
      ...rows(model.resistors, model.resistance, "resistance", "conductance"));
  }

  const text = mode => Array.from(mode).join("");

  // "101", or of very many switches how many are on.
  const shortText = mode => mode.length <= 24 ? text(mode)
    : `${mode.reduce((n, x) => n + x, 0)} of ${mode.length} on`;

  function show(mode, holds, choose) {
    const forbidden = Boolean(holds[model.forbidden]);
    buttons.forEach((b, s) => b.setAttribute("aria-checked", mode[s] ? "true" : "false"));
    by("mode-shown").textContent = model.switches.length === 0 ? ""
      : `mode ${shortText(mode)}${forbidden ? ", forbidden" : ""}`;
    by("mode-shown").classList.toggle("bad", forbidden);
    by("status").replaceChildren(...status(mode, holds, choose));
    by("causality").replaceChildren(forbidden ? el("p", { class: "quiet" }, "This mode has none.")
      : causality(holds));
    return !forbidden && !singular(holds);
  }

  return { build, show, text, shortText };
})();

