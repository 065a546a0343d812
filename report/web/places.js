/* Vertices at their positions, such as the cells of a tissue: all of them, or the surroundings of one row. */
'use strict';

const places = {
  canvas: null, at: null, found: null, other: null,
  view: {x: 0, y: 0, scale: 1}, /* the point in the middle, and pixels a unit of the map */
  row: -1, drawn: 'all',        /* the chosen row; whether the view is "all" or "one" */
  wanted: 'one',                /* what the reader wants to see of a row */
};

const hasPlaces = () => Boolean(data.places && data.network);

/* ---- the data --------------------------------------------------------------------------------- */

function readPlaces() {
  const p = data.places;
  const vertex = decode(p.vertex);
  places.found = {count: vertex.length, vertex, x: decode(p.x), y: decode(p.y)};
  places.other = {count: 0, x: decode(p.other_x), y: decode(p.other_y), color: p.other_color ? decode(p.other_color) : null};
  places.other.count = places.other.x.length;
  places.at = new Map();
  vertex.forEach((v, i) => places.at.set(v, i));
}

/* Gives each vertex found the colour of its role in the first row that has it, and each other vertex the pale colour of
 * the role that its own colour has. */
function colorPlaces() {
  const legend = chooseColors(), role = new Map();
  for (const [v, row] of rowOfVertex)
    describeRow(row, (w, itsRole) => { if (w === v) role.set(v, itsRole); });
  places.legend = legend;
  places.role = role;
  const groups = new Map();
  for (let i = 0; i < places.other.count; i++) {
    const id = places.other.color ? Number(places.other.color[i]) : 0;
    const name = id ? strings[id - 1] : '';
    const key = legend.has(name) ? name : '';
    if (!groups.has(key))
      groups.set(key, []);
    groups.get(key).push(i);
  }
  places.groups = [...groups].sort((a, b) => a[0] < b[0] ? -1 : 1).map(([name, list]) => ({name, list: Uint32Array.from(list)}));
}

/* ---- the view ---------------------------------------------------------------------------------- */

function placesSize() {
  return {w: places.canvas.clientWidth || 600, h: places.canvas.clientHeight || 400};
}

function viewAll() {
  const {w, h} = placesSize(), p = data.places;
  places.view = {x: p.width / 2, y: p.height / 2, scale: Math.min(w / p.width, h / p.height)};
}

/* Shows the row with as much around it as there is of it, and at least some ten vertices to each side. */
function viewRow(row) {
  const own = verticesOf(row).map(v => places.at.get(v)).filter(i => i !== undefined);
  if (!own.length)
    return false;
  const {w, h} = placesSize(), f = places.found;
  const xs = own.map(i => f.x[i]), ys = own.map(i => f.y[i]);
  const low = [Math.min(...xs), Math.min(...ys)], high = [Math.max(...xs), Math.max(...ys)];
  const least = 24 * data.places.dot;
  const wide = Math.max(3 * (high[0] - low[0]), least), tall = Math.max(3 * (high[1] - low[1]), least);
  places.view = {x: (low[0] + high[0]) / 2, y: (low[1] + high[1]) / 2, scale: Math.min(w / wide, h / tall)};
  return true;
}

/* ---- drawing ------------------------------------------------------------------------------------ */

/* Fills one path of all dots in sight. */
function drawDots(pen, view, size, dots, list, radius, fill) {
  const left = view.x - size.w / view.scale / 2, top = view.y - size.h / view.scale / 2;
  pen.fillStyle = fill;
  const square = radius < 1.3, count = list ? list.length : dots.count;
  pen.beginPath();
  for (let k = 0; k < count; k++) {
    const i = list ? list[k] : k;
    const x = (dots.x[i] - left) * view.scale, y = (dots.y[i] - top) * view.scale;
    if (x < -radius || y < -radius || x > size.w + radius || y > size.h + radius)
      continue;
    if (square) {
      pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    } else {
      pen.moveTo(x + radius, y);
      pen.arc(x, y, radius, 0, 2 * Math.PI);
    }
  }
  pen.fill();
}

/* Returns where a vertex found lies on the canvas. */
function placeOf(view, size, i) {
  return {x: (places.found.x[i] - view.x) * view.scale + size.w / 2, y: (places.found.y[i] - view.y) * view.scale + size.h / 2};
}

function drawEdges(pen, view, size, edges, color, width) {
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.beginPath();
  for (const edge of edges) {
    const from = places.at.get(network.from[edge]), to = places.at.get(network.to[edge]);
    if (from === undefined || to === undefined)
      continue;
    const a = placeOf(view, size, from), b = placeOf(view, size, to);
    if (Math.max(a.x, b.x) < 0 || Math.max(a.y, b.y) < 0 || Math.min(a.x, b.x) > size.w || Math.min(a.y, b.y) > size.h)
      continue;
    pen.moveTo(a.x, a.y);
    pen.lineTo(b.x, b.y);
  }
  pen.stroke();
}

/* Returns a length of 1, 2 or 5 times a power of ten, in units of the positions, that is at most a quarter of the width. */
function scaleLength(view, size) {
  const most = size.w / view.scale / data.places.scale / 4, power = Math.pow(10, Math.floor(Math.log10(most)));
  return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
}

function drawScale(pen, view, size) {
  if (!(data.places.scale > 0))
    return;
  const length = scaleLength(view, size), pixels = length * data.places.scale * view.scale;
  pen.fillStyle = cssColor('--ink');
  pen.fillRect(12, size.h - 14, pixels, 3);
  drawText(pen, number(length), 12, size.h - 20, 'left');
}

/* Writes a text with an edge around it that keeps it legible on dots. */
function drawText(pen, text, x, y, align) {
  pen.textAlign = align;
  pen.lineWidth = 3;
  pen.strokeStyle = cssColor('--paper');
  pen.strokeText(text, x, y);
  pen.fillStyle = cssColor('--ink');
  pen.fillText(text, x, y);
}

function shorten(text) {
  return text.length > 40 ? text.slice(0, 38) + '…' : text;
}

/* Writes the names of the vertices below or above them, and those for which there is no room not at all. */
function drawNames(pen, view, size, radius, name) {
  const boxes = [];
  for (const [v, text] of name) {
    if (!places.at.has(v))
      continue;
    const at = placeOf(view, size, places.at.get(v)), width = pen.measureText(shorten(text)).width;
    const free = y => boxes.every(box => Math.abs(box.x - at.x) > (box.width + width) / 2 + 4 || Math.abs(box.y - y) > 14);
    const y = [at.y + radius + 13, at.y - radius - 5].find(free);
    if (y === undefined)
      continue;
    boxes.push({x: at.x, y, width});
    drawText(pen, shorten(text), at.x, y, 'center');
  }
}

/* Draws the chosen row: its edges, and its vertices with rings and, if there is room, their names. */
function drawRow(pen, view, size, radius) {
  if (places.row < 0)
    return;
  const own = verticesOf(places.row), accent = cssColor('--accent'), name = new Map(), role = new Map();
  describeRow(places.row, (v, itsRole, itsName) => { name.set(v, itsName); role.set(v, itsRole); });
  drawEdges(pen, view, size, edgesAmong(own), accent, Math.max(2, radius / 3));
  const large = Math.max(radius * 1.15, 4);
  for (const v of name.keys()) {
    const i = places.at.get(v);
    if (i === undefined)
      continue;
    const at = placeOf(view, size, i);
    pen.beginPath();
    pen.arc(at.x, at.y, large, 0, 2 * Math.PI);
    pen.fillStyle = places.legend.get(role.get(v)) || cssColor('--null');
    pen.fill();
    pen.lineWidth = Math.max(2, radius / 4);
    pen.strokeStyle = accent;
    pen.stroke();
  }
  if (places.drawn === 'one' && name.size <= 12)
    drawNames(pen, view, size, large, name);
}

/* Draws the view in pixels of CSS. */
function drawPlaces(pen) {
  const size = placesSize(), view = places.view;
  pen.fillStyle = cssColor('--paper');
  pen.fillRect(0, 0, size.w, size.h);
  const radius = Math.max(data.places.dot * view.scale / 2, 0.6);
  pen.globalAlpha = 0.45;
  for (const {name, list} of places.groups)
    drawDots(pen, view, size, places.other, list, radius * 0.8, name ? places.legend.get(name) : cssColor('--edge'));
  pen.globalAlpha = places.row >= 0 && places.drawn === 'one' ? 0.75 : 1;
  if (radius > 2.5)
    drawEdges(pen, view, size, network.from.keys(), cssColor('--edge'), 1);
  for (const {name, list} of places.foundGroups)
    drawDots(pen, view, size, places.found, list, radius, places.legend.get(name) || cssColor('--null'));
  pen.globalAlpha = 1;
  drawRow(pen, view, size, radius);
  for (const slide of data.places.slides)
    drawText(pen, shorten(slide.name), (slide.x - view.x) * view.scale + size.w / 2, (slide.y - view.y) * view.scale + size.h / 2 - 5, 'left');
  drawScale(pen, view, size);
}

let placesWaiting = false;

/* Draws before the next picture of the page, once however often it is called. */
function paintPlaces() {
  if (placesWaiting)
    return;
  placesWaiting = true;
  requestAnimationFrame(() => {
    placesWaiting = false;
    drawPlaces(prepare(places.canvas, placesSize().w, placesSize().h));
  });
}

/* ---- what is shown -------------------------------------------------------------------------------- */

function placesNote(alone, missing) {
  const p = data.places;
  const unit = p.scale > 0 ? ' The bar is in the unit of the positions.' : '';
  const left = (p.unplaced ? ' ' + plural(p.unplaced, 'vertex has', 'vertices have') + ' no position and are not drawn.' : '') +
    (p.every > 1 ? ' Of the vertices in no row, 1 of ' + p.every + ' is drawn.' : '') +
    (p.space ? ' The third coordinate is left out.' : '');
  const row = alone ? 'This row, with its edges, among the vertices around it.'
    : 'All ' + number(p.placed) + ' vertices with a position; those in a row have a full colour, all others a pale one.';
  return row + (missing ? ' ' + plural(missing, 'vertex', 'vertices') + ' of this row ' + (missing === 1 ? 'has' : 'have') + ' no position.' : '') + left + unit;
}

/* Shows all vertices with the row highlighted, or the surroundings of the row.  `view`: "all" or "one". */
function showPlaces(row, view) {
  const own = row >= 0 ? verticesOf(row) : [];
  const idle = row >= 0 && flagged && !flagged.values[row];
  const missing = idle ? 0 : own.filter(v => !places.at.has(v)).length;
  places.row = row;
  const alone = view === 'one' && row >= 0 && viewRow(row);
  if (!alone && places.drawn !== 'all')
    viewAll();
  places.drawn = alone ? 'one' : 'all';
  let note = (idle ? 'This vertex is in no match. ' : '') + placesNote(alone, missing);
  if (row >= data.network.rows)
    note += ' The edges of this row are not in the report: --max-edges puts more of them into it.';
  byId('view-note').textContent = note;
  byId('show-all').setAttribute('aria-pressed', !alone);
  byId('show-one').setAttribute('aria-pressed', alone);
  byId('show-one').disabled = row < 0;
  describeDrawing(row);
  paintPlaces();
}

/* A row that is chosen is shown with its surroundings: in the whole tissue it would be a point. */
function showPlacesRow(row) {
  showPlaces(row, places.wanted);
}

/* ---- the pointer and the keys ------------------------------------------------------------------------ */

function zoomPlaces(factor, x, y) {
  const {w, h} = placesSize(), view = places.view, p = data.places;
  const least = Math.min(w / p.width, h / p.height) / 2;
  const scale = Math.min(Math.max(view.scale * factor, least), 40 / p.dot);
  /* what lies under the pointer stays there */
  view.x += (x - w / 2) * (1 / view.scale - 1 / scale);
  view.y += (y - h / 2) * (1 / view.scale - 1 / scale);
  view.scale = scale;
  paintPlaces();
}

function zoomMiddle(factor) {
  const {w, h} = placesSize();
  zoomPlaces(factor, w / 2, h / 2);
}

/* Returns the vertex found that is nearest to a point of the canvas; -1: none is near. */
function vertexNear(x, y) {
  const size = placesSize(), reach = Math.max(10, data.places.dot * places.view.scale / 2);
  let best = -1, least = reach * reach;
  for (let i = 0; i < places.found.count; i++) {
    const at = placeOf(places.view, size, i), d = (at.x - x) * (at.x - x) + (at.y - y) * (at.y - y);
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best < 0 ? -1 : places.found.vertex[best];
}

function openPointer() {
  const canvas = places.canvas, held = new Map();
  let moved = 0;
  const spread = () => {
    const [a, b] = [...held.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    zoomPlaces(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
  }, {passive: false});
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, {x: event.offsetX, y: event.offsetY});
    moved = 0;
  });
  canvas.addEventListener('pointermove', event => {
    const before = held.get(event.pointerId);
    if (!before) {
      const v = vertexNear(event.offsetX, event.offsetY);
      canvas.title = v < 0 ? '' : strings[v];
      return;
    }
    const wide = held.size === 2 ? spread() : 0;
    held.set(event.pointerId, {x: event.offsetX, y: event.offsetY});
    moved += Math.abs(event.offsetX - before.x) + Math.abs(event.offsetY - before.y);
    places.view.x -= (event.offsetX - before.x) / places.view.scale / held.size;
    places.view.y -= (event.offsetY - before.y) / places.view.scale / held.size;
    if (wide > 0) {
      const [a, b] = [...held.values()];
      zoomPlaces(spread() / wide, (a.x + b.x) / 2, (a.y + b.y) / 2);
    }
    paintPlaces();
  });
  const release = event => {
    if (held.delete(event.pointerId) && moved < 5 && event.type === 'pointerup') {
      const v = vertexNear(event.offsetX, event.offsetY);
      if (v >= 0)
        chooseVertex(v);
    }
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
}

function onPlacesKey(event) {
  const step = 60 / places.view.scale;
  const moves = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step]};
  const zooms = {'+': 1.25, '=': 1.25, '-': 0.8};
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in moves || event.key in zooms))
    return;
  event.preventDefault();
  if (event.key in zooms) {
    zoomMiddle(zooms[event.key]);
  } else {
    places.view.x += moves[event.key][0];
    places.view.y += moves[event.key][1];
    paintPlaces();
  }
}

/* ---- opening ------------------------------------------------------------------------------------------- */

function openPlaces() {
  readNetwork();
  readPlaces();
  noteRowsOfVertices();
  colorPlaces();
  const groups = new Map();
  places.found.vertex.forEach((v, i) => {
    const role = places.role.get(v) || '';
    if (!groups.has(role))
      groups.set(role, []);
    groups.get(role).push(i);
  });
  places.foundGroups = [...groups].map(([name, list]) => ({name, list: Uint32Array.from(list)}));
  places.canvas = byId('places');
  for (const id of ['places', 'show-all', 'show-one', 'reset', 'save', 'save-cx2', 'zoom-in', 'zoom-out'])
    byId(id).hidden = false;
  writeLegend(places.legend, cssColor('--edge'));
  byId('show-all').addEventListener('click', () => {
    places.wanted = 'all';
    viewAll();
    showPlaces(places.row, 'all');
  });
  byId('show-one').addEventListener('click', () => {
    places.wanted = 'one';
    showPlaces(places.row, 'one');
  });
  byId('reset').addEventListener('click', () => {
    viewAll();
    showPlaces(places.row, places.drawn);
  });
  byId('zoom-in').addEventListener('click', () => zoomMiddle(1.6));
  byId('zoom-out').addEventListener('click', () => zoomMiddle(1 / 1.6));
  places.canvas.addEventListener('keydown', onPlacesKey);
  openPointer();
  addEventListener('resize', () => {
    if (places.drawn === 'all')
      viewAll();
    paintPlaces();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    writeLegend(places.legend, cssColor('--edge'));
    paintPlaces();
  });
  viewAll();
  showPlaces(-1, 'all');
}
