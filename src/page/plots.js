// plots.js: plots over time by dygraphs, all with one window; the band of modes below them.
//
// A window of many rows is thinned to what its pixels can show: of each column and trace the first,
// the last, the least and the greatest. Zooming in thins anew, down to the rows themselves.

const plots = (() => {
  const { el, by } = view;
  const COLUMNS = 900, ALL = 5000, LABELS = 64;
  let run, charts = [], window_ = null, marked = null, busy = false, pending = 0;

  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const palette = () => Array.from({ length: 8 }, (_, i) => colour(`--trace-${i + 1}`));

  // ---- rows -------------------------------------------------------------------------------------

  function find(t, list) {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] < t)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  // The rows to be drawn of lists of numbers over t, from one index to another.
  function thin(t, values, from, to) {
    if (to - from <= ALL)
      return Array.from({ length: to - from }, (_, i) => from + i);
    const keep = new Set([from, to - 1]);
    const width = (t[to - 1] - t[from]) / COLUMNS;
    for (let i = from; i < to;) {
      const end = Math.max(i + 1, Math.min(to, find(t[i] + width, t)));
      keep.add(i).add(end - 1);
      for (const list of values) {
        let least = i, most = i;
        for (let k = i; k < end; k++) {
          if (list[k] < list[least])
            least = k;
          if (list[k] > list[most])
            most = k;
        }
        keep.add(least).add(most);
      }
      i = end;
    }
    return Array.from(keep).sort((a, b) => a - b);
  }

  // Somewhat more than the window, so that a pan has something to show before it is thinned anew.
  function rowsOf(chart) {
    const [left, right] = window_;
    const more = right - left;
    const from = Math.max(0, find(left - more, chart.t) - 1);
    const to = Math.min(chart.t.length, find(right + more, chart.t) + 2);
    return thin(chart.t, chart.values, from, to).map(i => [chart.t[i], ...chart.values.map(v => v[i])]);
  }

  // ---- charts -----------------------------------------------------------------------------------

  const tick = unit => x => view.number(x, unit, 4);

  function options(chart) {
    const shades = chart.colours ? chart.colours.map(colour) : palette();
    return {
      labels: ["t", ...chart.values.map((_, i) => String(i))],
      colors: chart.values.map((_, i) => shades[(chart.first + i) % shades.length]),
      dateWindow: window_.slice(), legend: "never", strokeWidth: 1.4, highlightCircleSize: 3,
      axisLineColor: colour("--line"), gridLineColor: colour("--grid"), axisLabelFontSize: 12,
      xAxisHeight: 26, underlayCallback: pen => { pen.lineJoin = "round"; }, // mitred, a peak is a needle
      fillAlpha: 1, includeZero: Boolean(chart.filled),
      series: Object.fromEntries(chart.values.map((_, i) => [String(i), { fillGraph: i < (chart.filled || 0) }])),
      axes: {
        x: { axisLabelFormatter: x => view.number(x, "s", 5), pixelsPerLabel: 75 },
        y: { axisLabelFormatter: tick(chart.unit), axisLabelWidth: LABELS, pixelsPerLabel: 34 },
      },
      highlightCallback: (event, x) => point(x),
      unhighlightCallback: () => point(marked),
      drawCallback: (g, first) => { if (!first && !busy) follow(g.xAxisRange()); },
    };
  }

  // What the traces are at a time: the last row not after it.
  function point(t) {
    for (const chart of charts) {
      const i = t === null ? -1 : Math.min(chart.t.length, find(t * (1 + 1e-15) + 1e-300, chart.t) || 1) - 1;
      chart.shown.forEach((node, k) =>
        node.textContent = i < 0 ? "" : view.number((chart.told || chart.values)[k][i], chart.units[k]));
    }
  }

  function add(parent, chart) {
    const box = el("div", { class: "chart", tabindex: "0", role: "img", "aria-label": chart.label });
    chart.shown = chart.names.map(() => el("output"));
    const key = el("p", { class: "key" }, ...chart.names.map((name, i) => {
      const swatch = el("span", { class: "swatch" });
      swatch.dataset.colour = chart.colours ? chart.colours[i] : `--trace-${(chart.first + i) % 8 + 1}`;
      return el("span", { class: "trace" }, swatch, name, " ", chart.shown[i]);
    }));
    chart.cursor = el("div", { class: "cursor" });
    const frame = el("div", { class: "chart-frame" }, box, chart.cursor);
    parent.append(el("figure", null, el("figcaption", null, key), frame));
    chart.box = box;
    charts.push(chart);
    box.addEventListener("keydown", onKey);
  }

  // Only what is visible has a size to be drawn in.
  function draw() {
    paint();
    for (const chart of charts) {
      chart.graph = chart.graph || new Dygraph(chart.box, rowsOf(chart), options(chart));
      chart.graph.resize();
    }
    drawBand();
    mark(marked);
  }

  function paint() {
    for (const swatch of document.querySelectorAll(".swatch"))
      swatch.style.backgroundColor = colour(swatch.dataset.colour);
  }

  function recolour() {
    paint();
    for (const chart of charts)
      if (chart.graph)
        chart.graph.updateOptions(options(chart));
    drawBand();
  }

  // ---- the window -------------------------------------------------------------------------------

  function follow(range) {
    if (range[0] === window_[0] && range[1] === window_[1])
      return;
    window_ = range.slice();
    busy = true;
    for (const chart of charts)
      if (chart.graph)
        chart.graph.updateOptions({ dateWindow: window_.slice() });
    busy = false;
    drawBand();
    mark(marked);
    clearTimeout(pending);
    pending = setTimeout(refine, 120);
  }

  function refine() {
    busy = true;
    for (const chart of charts)
      if (chart.graph)
        chart.graph.updateOptions({ file: rowsOf(chart), dateWindow: window_.slice() });
    busy = false;
    mark(marked);
  }

  function look(left, right) {
    const span = Math.max(right - left, (run.to - run.from) * 1e-9);
    const from = Math.max(run.from, Math.min(left, run.to - span));
    follow([from, Math.min(run.to, from + span)]);
  }

  function onKey(event) {
    const [left, right] = window_, span = right - left, middle = (left + right) / 2;
    const moves = {
      ArrowLeft: () => look(left - span / 5, right - span / 5),
      ArrowRight: () => look(left + span / 5, right + span / 5),
      "+": () => look(middle - span / 4, middle + span / 4),
      "-": () => look(middle - span, middle + span),
      0: () => look(run.from, run.to),
    };
    if (!moves[event.key] || event.ctrlKey || event.metaKey)
      return;
    event.preventDefault();
    moves[event.key]();
  }

  // ---- the cursor -------------------------------------------------------------------------------

  function mark(t) {
    marked = t;
    for (const chart of charts) {
      const inside = t !== null && chart.graph && t >= window_[0] && t <= window_[1];
      chart.cursor.hidden = !inside;
      if (inside)
        chart.cursor.style.left = `${chart.graph.toDomXCoord(t)}px`;
    }
    point(t);
  }

  // Brings a time into the window, if it is not there.
  function reveal(t) {
    const [left, right] = window_;
    if (t < left || t > right)
      look(t - (right - left) / 2, t + (right - left) / 2);
  }

  // ---- the band ---------------------------------------------------------------------------------

  const ROW = 15, GAP = 3, AXIS = 4;

  function drawBand() {
    const canvas = by("band"), n = run.names.length;
    const width = canvas.parentNode.clientWidth;
    if (!width || !n)
      return;
    const dots = window.devicePixelRatio || 1;
    canvas.width = width * dots;
    canvas.height = n * ROW * dots;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${n * ROW}px`;
    const pen = canvas.getContext("2d");
    pen.scale(dots, dots);
    pen.font = "11px system-ui, sans-serif";
    const left = LABELS + AXIS, columns = Math.max(1, Math.floor(width - left));
    for (let s = 0; s < n; s++) {
      pen.fillStyle = colour("--text");
      pen.fillText(run.names[s], 0, s * ROW + 11, LABELS);
      pen.fillStyle = colour("--grid");
      pen.fillRect(left, s * ROW, columns, ROW - GAP);
      pen.fillStyle = colour("--on");
      const share = shares(s, columns);
      for (let c = 0; c < columns; c++)
        if (share[c] > 0) {
          pen.globalAlpha = Math.min(1, share[c]);
          pen.fillRect(left + c, s * ROW, 1, ROW - GAP);
        }
      pen.globalAlpha = 1;
    }
  }

  // Of each column of pixels the part in which a switch is on.
  function shares(s, columns) {
    const [left, right] = window_, width = (right - left) / columns;
    const share = new Float64Array(columns);
    for (const [from, to] of run.on(s, left, right)) {
      const a = (Math.max(from, left) - left) / width, b = (Math.min(to, right) - left) / width;
      for (let c = Math.floor(a); c < columns && c < b; c++)
        share[c] += (Math.min(c + 1, b) - Math.max(c, a)) * (run.weight ? run.weight(s, from) : 1);
    }
    return share;
  }

  // Legends are ours, made of text; those of dygraphs are markup.
  function build(data) {
    Dygraph.PLUGINS = Dygraph.PLUGINS.filter(plugin => plugin !== Dygraph.Plugins.Legend);
    run = data;
    window_ = [run.from, run.to];
    by("whole").addEventListener("click", () => look(run.from, run.to));
    window.addEventListener("resize", () => charts.some(c => c.graph) && draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
    matchMedia("print").addEventListener("change", recolour);
  }

  return { build, add, draw, mark, reveal, look, find, window: () => window_ };
})();

