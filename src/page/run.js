// run.js: the run of the model: its plots, events and energies, and the player that moves through it.

const player = (() => {
  const { el, by } = view;
  let model, run, show, frame = -1, time = null, playing = 0, unit;

  // ---- reading ----------------------------------------------------------------------------------

  function read() {
    run.t = view.floats(run.t, Float64Array);
    for (const trace of run.traces)
      trace.value = view.floats(trace.value, Float32Array);
    run.instants = view.floats(run.instants, Float64Array);
    run.power = view.floats(run.power, Float32Array);
    run.energy = view.floats(run.energy, Float32Array);
    run.names = model.switches.map(i => model.elements[i].name);
    if (run.turned)
      readChanges();
    else if (run.duty)
      readDuty();
    else
      run.on = () => [];
  }

  // Per switch the times at which it turns; it begins off and turns at once if it is on.
  function readChanges() {
    const times = view.floats(run.changeTimes, Float64Array);
    const turns = run.names.map(() => []);
    const end = run.t.length ? run.t[run.t.length - 1] : run.to; // it may have stopped early
    run.turned.forEach((list, i) => list.forEach(s => turns[s].push(times[i])));
    run.on = (s, left, right) => {
      const list = turns[s], spans = [];
      let i = plots.find(left, list);
      i -= i % 2 ? 1 : 0;
      for (; i < list.length && list[i] <= right; i += 2)
        spans.push([list[i], i + 1 < list.length ? list[i + 1] : end]);
      return spans;
    };
  }

  function readDuty() {
    const duty = view.floats(run.duty, Float32Array), n = run.columns;
    const width = (run.to - run.from) / n;
    run.on = () => Array.from({ length: n }, (_, c) => [run.from + c * width, run.from + (c + 1) * width]);
    run.weight = (s, from) => duty[s * n + Math.round((from - run.from) / width)];
  }

  // ---- plots ------------------------------------------------------------------------------------

  function addPlots() {
    const axes = new Map();
    run.traces.forEach((trace, i) => {
      const key = `${trace.axes} ${trace.unit || ""}`;
      axes.set(key, [...(axes.get(key) || []), i]);
    });
    let first = 0;
    for (const list of axes.values()) {
      const traces = list.map(i => run.traces[i]);
      plots.add(by("plots"), { t: run.t, values: traces.map(x => x.value), names: traces.map(x => x.name),
        units: traces.map(x => x.unit), unit: traces[0].unit, first,
        label: `Plot of ${traces.map(x => x.name).join(", ")} over time` });
      first += list.length;
    }
  }

  // What storages held at the start; where that is not known, as much as they gave in the run.
  function heldAtStart() {
    const held = run.energy.subarray(0, model.storages.length).reduce((sum, x) => sum + x, 0);
    return Number.isFinite(held) ? held : run.ledger.reduce((most, [, stored]) => Math.max(most, -stored), 0);
  }

  // One above the other: what is stored, what was dissipated, what jumps lost. Together they are what
  // was there at the start and what was supplied since.
  function addLedger() {
    const start = heldAtStart();
    const column = f => Float64Array.from(run.ledger, f);
    const told = [column(([, stored]) => start + stored), column(([, , gone]) => gone),
      column(([, , , lost]) => lost), column(([supplied]) => supplied)];
    const sum = n => told[0].map((_, i) => told.slice(0, n).reduce((total, list) => total + list[i], 0));
    plots.add(by("ledger"), { t: run.instants, unit, units: [unit, unit, unit, unit], first: 0,
      colours: ["--stored", "--dissipated", "--lost", "--accent"], filled: 3,
      names: ["stored", "dissipated", "lost in jumps", "supplied"], told,
      values: [sum(1), sum(2), sum(3), told[3].map(x => start + x)],
      label: "Energy stored, dissipated and lost in jumps, one above the other, and what was supplied" });
    by("ledger-note").textContent = start > 0
      ? `One above the other. The line is what was supplied, above the ${view.number(start, unit)} stored at the start.`
      : "One above the other. The line is what was supplied.";
  }

  // ---- events -----------------------------------------------------------------------------------

  function via(event) {
    return event.via.map(([mode, pinnacle, forbidden]) => el("li", null,
      el("code", null, shortMode(mode)), pinnacle ? " pinnacle: its jump counts"
        : forbidden ? " mythical and forbidden: its sources disagree" : " mythical: left as it came up"));
  }

  const shortMode = text => text.length <= 24 ? text : modes.shortText(Array.from(text, Number));

  function eventRow(event) {
    const span = run.to - run.from;
    return el("tr", null,
      el("td", null, el("button", { type: "button", class: "link",
        onclick: () => { stop(); go(event.t); plots.reveal(event.t); } }, view.time(event.t, span))),
      el("td", null, event.kind),
      el("td", null, el("code", null, event.from === null ? "" : shortMode(event.from)), " → ",
        el("code", null, shortMode(event.to)),
        event.via.length ? el("ol", { class: "via" }, ...via(event)) : null),
      el("td", null, event.cause),
      el("td", null, event.lost ? view.number(event.lost, unit) : ""));
  }

  function addEvents() {
    const more = run.events - run.list.length;
    by("events-note").textContent = run.list.length === 0 ? "Nothing switches."
      : more > 0 ? `The first ${run.list.length} of ${run.events}.` : "";
    if (run.list.length === 0)
      by("events-frame").hidden = true;
    by("events-frame").append(el("table", { class: run.list.length > 40 ? "events long" : "events" },
      el("thead", null, el("tr", null, ...["time", "kind", "mode", "cause", "energy lost"].map(x =>
        el("th", { scope: "col" }, x)))), el("tbody", null, ...run.list.map(eventRow))));
  }

  // ---- moving through it ------------------------------------------------------------------------

  // The last instant not after t.
  function instantAt(t) {
    let i = plots.find(t, run.instants);
    while (i < run.instants.length && run.instants[i] <= t)
      i++;
    return Math.max(0, i - 1);
  }

  function go(t) {
    time = Math.max(run.from, Math.min(run.to, t));
    by("slider").value = 1000 * (time - run.from) / (run.to - run.from);
    by("time").textContent = `t = ${view.time(time, run.to - run.from)}`;
    plots.mark(time);
    const now = instantAt(time);
    if (now === frame)
      return;
    frame = now;
    const bonds = model.bonds.length, storages = model.storages.length;
    graph.showPower(run.power.subarray(now * bonds, (now + 1) * bonds), model.powerUnit);
    graph.showEnergy(run.energy.subarray(now * storages, (now + 1) * storages));
    show(Uint8Array.from(run.modes[now], Number));
  }

  // The graph no longer shows the run.
  function leave() {
    stop();
    frame = -1;
    graph.showPower(null);
    graph.showEnergy(null);
  }

  function toEvent(step) {
    stop();
    const times = run.list.map(event => event.t);
    const now = time === null ? run.from - 1 : time;
    const next = step > 0 ? times.find(t => t > now) : times.reverse().find(t => t < now);
    if (next !== undefined) {
      go(next);
      plots.reveal(next);
    }
  }

  // The window of the plots is played, in the time chosen.
  function play() {
    const [left, right] = plots.window();
    const start = time !== null && time >= left && time < right ? time : left;
    const seconds = Number(by("speed").value), began = performance.now();
    const step = now => {
      const t = start + (now - began) / 1000 / seconds * (right - left);
      go(Math.min(t, right));
      if (t < right && playing)
        playing = requestAnimationFrame(step);
      else
        stop();
    };
    playing = requestAnimationFrame(step);
    by("play").setAttribute("aria-pressed", "true");
    by("play").textContent = "pause";
  }

  function stop() {
    cancelAnimationFrame(playing);
    playing = 0;
    by("play").setAttribute("aria-pressed", "false");
    by("play").textContent = "play";
  }

  // ---- building ---------------------------------------------------------------------------------

  function summary() {
    const kept = run.t.length < run.rows
      ? ` The page keeps ${run.t.length} of its ${run.rows} rows, no peak left out.` : "";
    const how = run.linear ? "followed exactly" : "integrated";
    const end = run.t.length ? `, at t = ${view.number(run.t[run.t.length - 1], "s", 6)}` : "";
    const stopped = run.stopped ? ` It stopped early${end}: ${run.stopped}.` : "";
    return `${run.events} event${run.events === 1 ? "" : "s"}, ${run.visited} ` +
      `mode${run.visited === 1 ? "" : "s"}, ${how}.${kept}${stopped}`;
  }

  function keyOfPower(most) {
    const widest = most > 0 ? `; the widest is ${view.number(most, model.powerUnit)}` : "";
    return "Bonds show power: wide where it is large, blue along the arrow, orange against it" +
      `${widest}. Bars below storages show their energy.`;
  }

  function build(data, onMode) {
    model = data;
    run = data.run;
    show = onMode;
    unit = model.energyUnit;
    read();
    plots.build(run);
    by("player").hidden = false;
    by("run-summary").textContent = summary();
    by("power-key").textContent = keyOfPower(graph.scaleTo(run.power, run.energy));
    by("band-note").textContent = run.names.length === 0 ? "There are no switches."
      : run.duty ? "Too many changes to keep each: the shade is the share of time in which a switch is on."
        : "Filled where a switch is on; where it turns faster than a pixel, the shade is the share of time.";
    by("band").setAttribute("aria-label", "Switches over time; the list of events has it as text");
    addPlots();
    addLedger();
    addEvents();
    by("slider").addEventListener("input", () => {
      stop();
      go(run.from + by("slider").value / 1000 * (run.to - run.from));
    });
    by("play").addEventListener("click", () => playing ? stop() : play());
    by("back").addEventListener("click", () => toEvent(-1));
    by("forth").addEventListener("click", () => toEvent(1));
    by("time").textContent = `t = ${view.time(run.from, run.to - run.from)}`;
  }

  return { build, leave, draw: () => plots.draw(), go };
})();

