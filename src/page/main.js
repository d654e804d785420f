// main.js: the page: which mode is shown, which view, and what the keys do.

(() => {
  const { by, el } = view;
  const model = JSON.parse(by("data").textContent);
  const tabs = ["mode", "run", "all", "words"];
  let mode, holds, allowed, tab = "mode";

  function show(next) {
    mode = next;
    holds = guards.evaluate(mode);
    allowed = modes.show(mode, holds, choose);
    graph.show(mode, holds, Boolean(holds[model.forbidden]));
    showTab();
  }

  // What is behind another tab is made when that is looked at.
  function showTab() {
    if (tab === "mode")
      matrices.showMode(holds, allowed);
    if (tab === "all")
      matrices.showGuarded(holds);
    if (tab === "words")
      by("words").replaceChildren(graph.describe(holds, Boolean(holds[model.forbidden])));
  }

  // The user's own choice, no longer the run's.
  function choose(next) {
    if (model.run)
      player.leave();
    show(next);
  }

  function turn(s) {
    const next = Uint8Array.from(mode);
    next[s] = next[s] ? 0 : 1;
    choose(next);
  }

  function open(name) {
    tab = name;
    for (const each of tabs) {
      by(`view-${each}`).hidden = each !== name;
      by(`tab-${each}`).setAttribute("aria-selected", each === name ? "true" : "false");
      by(`tab-${each}`).tabIndex = each === name ? 0 : -1;
    }
    showTab();
    if (name === "run" && model.run)
      player.draw();
  }

  function onTabKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
    if (!step)
      return;
    const next = tabs[(tabs.indexOf(tab) + step) % tabs.length];
    open(next);
    by(`tab-${next}`).focus();
  }

  // An element under the pointer or the focus lights up wherever it is: rows, columns, bonds.
  function light(event) {
    const target = event.target.closest ? event.target.closest("[data-element]") : null;
    const element = target ? Number(target.dataset.element) : null;
    for (const node of document.querySelectorAll("#views .lit, #switches .lit"))
      node.classList.remove("lit");
    graph.light(element);
    for (const i of element === null ? [] : graph.sameBox(element))
      for (const node of document.querySelectorAll(`#views [data-element="${i}"], ` +
          `#switches [data-element="${i}"]`))
        node.classList.add("lit");
  }

  function count(n, word) {
    return `${n} ${word}${String(n) === "1" ? "" : "s"}`;
  }

  function introduce() {
    const title = model.title || model.model;
    document.title = title;
    by("title").textContent = title;
    const many = model.switches.length > 64 ? `2^${model.switches.length} modes`
      : `${count(model.allowedCount, "allowed mode")}, ${model.forbiddenCount} forbidden`;
    by("summary").textContent = [count(model.elements.filter(e => e.in === undefined).length, "element"), count(model.bonds.length, "bond"),
      count(model.storages.length, "storage"), count(model.switches.length, "switch").replace("switchs",
        "switches"), many].join(" · ");
    by("text").textContent = model.text || "";
  }

  guards.read(model.nodes);
  matrices.read(model);
  introduce();
  graph.build(model, turn);
  modes.build(model, turn);
  if (model.run)
    player.build(model, show);
  else {
    by("run-parts").hidden = true;
    by("run-summary").textContent = model.notRun ? `There is no run: ${model.notRun}.` : "There is no run.";
  }
  for (const name of tabs)
    by(`tab-${name}`).addEventListener("click", () => open(name));
  by("tabs").addEventListener("keydown", onTabKey);
  document.addEventListener("pointerover", light);
  document.addEventListener("focusin", light);
  show(Uint8Array.from(model.reference, Number));
  open("mode");
})();
