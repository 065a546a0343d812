/* Pictures of shapes, the profile of all shapes, and the orbits of a vertex. */
'use strict';

const drawsProfile = data.kind === 'census' && Boolean(head.shapes) && Boolean(columnOf('perm_profile'));
const drawsOrbits = data.kind === 'vertex census' && Boolean(head.shapes);

/* More shapes than these have no picture in a plot. */
const MOST_PICTURES = 24;
/* The side of the picture of the chosen shape. */
const PICTURE = 96;

/* ---- pictures ----------------------------------------------------------------------------------------------- */

/* The picture of a shape: its pattern, as '(a:`red`)-->(b), (b)-->(c)', with the vertices on a circle. */
const shapePicture = {
  name: 'picture', title: 'picture', plot: putShape, isNumber: false, isList: false, kind: 'plot', pixels: 72, text: () => '', shown: () => '',
  explanation: 'The shape; vertices with the same colour are filled alike' + (drawsOrbits ? ', and the ring is at the position' : ''),
};

/* Returns the vertices of a pattern with their colours, and its edges. */
function readShape(text) {
  const colors = new Map(), edges = [];
  for (const [, from, fromColor, arrow, to, toColor] of text.matchAll(/\((\w)(?::`((?:[^`]|``)*)`)?\)--(>?)\((\w)(?::`((?:[^`]|``)*)`)?\)/g)) {
    for (const [vertex, color] of [[from, fromColor], [to, toColor]])
      if (color !== undefined || !colors.has(vertex))
        colors.set(vertex, color === undefined ? '' : color);
    edges.push([from, to, arrow === '>']);
  }
  return {colors, edges};
}

/* Returns the fill of each colour, the same in all shapes of the page; empty: shapes have none. */
let shapeFills = null;

function fillsOfShapes() {
  if (shapeFills)
    return shapeFills;
  const names = new Set(), shape = columnOf('shape');
  for (const text of new Set(Array.from(shape.values, id => strings[id])))
    readShape(text).colors.forEach(color => names.add(color));
  names.delete('');
  shapeFills = new Map([...names].sort().map((name, i) => [name, roleColor(i)]));
  return shapeFills;
}

/* Draws the shape of a row into the square from (left, top) on. */
function drawShape(c, row, left, top, size) {
  const {colors, edges} = readShape(columnOf('shape').text(row)), position = columnOf('position');
  const vertices = [...colors.keys()].sort(), fills = fillsOfShapes(), scale = size > 50 ? 2.2 : 1;
  const place = vertex => {
    const angle = 2 * Math.PI * vertices.indexOf(vertex) / vertices.length - Math.PI / 2, radius = size / 2 - 4 * scale;
    return [left + size / 2 + radius * Math.cos(angle), top + size / 2 + radius * Math.sin(angle)];
  };
  for (const [from, to, isArrow] of edges) {
    const [x1, y1] = place(from), [x2, y2] = place(to);
    rule(c, x1, y1, x2, y2, cssColor('--soft'));
    if (!isArrow)
      continue;
    const angle = Math.atan2(y2 - y1, x2 - x1), tip = 3.5 * scale, back = tip + 4 * scale;
    for (const turn of [-0.5, 0.5])
      rule(c, x2 - tip * Math.cos(angle), y2 - tip * Math.sin(angle),
        x2 - back * Math.cos(angle + turn / scale), y2 - back * Math.sin(angle + turn / scale), cssColor('--ink'));
  }
  for (const vertex of vertices) {
    if (position && position.text(row) === vertex)
      dot(c, ...place(vertex), 2.8 * scale + 1.2, cssColor('--ink'));
    dot(c, ...place(vertex), 2.8 * scale, fills.get(colors.get(vertex)) || cssColor('--accent'));
  }
}

function putShape(cell, row) {
  const size = 24, canvas = element('canvas'), c = prepare(canvas, size, size), position = columnOf('position');
  canvas.style.width = canvas.style.height = size + 'px';
  drawShape(c, row, 0, 0, size);
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', columnOf('shape').text(row) + (position ? ', position ' + position.text(row) : ''));
  cell.append(canvas);
}

/* Draws the shapes of rows under an axis, where they have room; at(i): the middle of row i. */
function drawPictures(c, rows, at, top) {
  const size = 22;
  if (rows.length > 1 && Math.abs(at(1) - at(0)) < size)
    return;
  rows.slice(0, MOST_PICTURES).forEach((row, i) => rows.length <= MOST_PICTURES && drawShape(c, row, at(i) - size / 2, top, size));
}

/* ---- the profile -------------------------------------------------------------------------------------------- */

/* Shapes have the same places in the profiles of all networks: by their edges, then by graph6. */
let profileOrder = null;

function profileRows() {
  if (profileOrder)
    return profileOrder;
  const edges = columnOf('edges').values, graph6 = columnOf('graph6');
  const key = row => graph6.text(row) + columnOf('shape').text(row);
  profileOrder = Array.from({length: data.shown}, (_, row) => row)
    .sort((a, b) => Number(edges[a]) - Number(edges[b]) || (key(a) < key(b) ? -1 : 1));
  return profileOrder;
}

/* Draws the profile of all shapes, and below it the chosen one in its null. */
function drawProfile(row) {
  const rows = profileRows(), profile = columnOf('perm_profile').values;
  const {c, frame} = openPlot(420), bottom = 200, middle = (frame.top + bottom) / 2, tall = (bottom - frame.top) / 2;
  const at = i => frame.left + 40 + (frame.right - frame.left - 60) * (rows.length > 1 ? i / (rows.length - 1) : 0.5);
  const y = row => middle - tall * Math.max(-1, Math.min(1, profile[row]));
  const known = rows.map((own, i) => [own, i]).filter(([own]) => Number.isFinite(profile[own]));
  c.textAlign = 'right';
  for (const [value, place] of [[1, frame.top], [0, middle], [-1, bottom]]) {
    rule(c, frame.left + 26, place, frame.right, place, cssColor('--line'));
    c.fillStyle = cssColor('--soft');
    c.fillText(String(value).replace('-', '−'), frame.left + 20, place + 4);
  }
  c.strokeStyle = cssColor('--soft');
  c.lineWidth = 1;
  c.beginPath();
  known.forEach(([own, i], n) => n ? c.lineTo(at(i), y(own)) : c.moveTo(at(i), y(own)));
  c.stroke();
  known.filter(([own]) => own !== row).forEach(([own, i]) => dot(c, at(i), y(own), rows.length > 100 ? 1.5 : 3, cssColor('--soft')));
  known.filter(([own]) => own === row).forEach(([own, i]) => dot(c, at(i), y(own), 6, cssColor('--accent')));
  drawPictures(c, rows, at, bottom + 6);
  const words = drawNull(row, {c, frame: {...frame, right: frame.right - PICTURE - 12, top: bottom + 44}});
  drawShape(c, row, frame.right - PICTURE, bottom + 60, PICTURE);
  return 'Above: the normalised profile, z of each shape by the length of all z; the chosen shape is marked, and shapes come by their edges' +
    (data.shown < Number(data.rows) ? ' (only shapes in this report are drawn)' : '') + '. Below: ' + words;
}

/* ---- the orbits of a vertex --------------------------------------------------------------------------------- */

/* Draws the numbers of all orbits of the vertex of a row as bars, whose heights are logarithms. */
function drawOrbits(row) {
  const vertex = columnOf('vertex').values, sets = columnOf('sets').values, orbit = columnOf('orbit').values;
  let first = row, end = row + 1; /* the rows of a vertex follow each other */
  while (first > 0 && vertex[first - 1] === vertex[row])
    first--;
  while (end < data.shown && vertex[end] === vertex[row])
    end++;
  const rows = Array.from({length: end - first}, (_, i) => first + i);
  const {c, frame: {left, right: border, top, bottom: floor}} = openPlot();
  const frame = {left, right: border - PICTURE - 16, top}, bottom = floor - 6, height = own => Math.log10(1 + Number(sets[own]));
  const high = Math.max(...rows.map(height)), step = (frame.right - frame.left - 50) / rows.length;
  const at = i => frame.left + 50 + (i + 0.5) * step;
  c.textAlign = 'right';
  for (let power = 0; power <= high; power++) {
    const y = bottom - Math.log10(1 + 10 ** power) / high * (bottom - frame.top);
    if (y < frame.top - 4)
      break;
    rule(c, frame.left + 46, y, frame.right, y, cssColor('--line'));
    c.fillStyle = cssColor('--soft');
    c.fillText(number(10 ** power), frame.left + 42, y + 4);
  }
  rows.forEach((own, i) => {
    const tall = height(own) / high * (bottom - frame.top), width = Math.max(1, step * 0.7);
    c.fillStyle = cssColor(own === row ? '--accent' : '--null');
    c.fillRect(at(i) - width / 2, bottom - tall, width, tall);
  });
  rule(c, frame.left + 46, bottom, frame.right, bottom, cssColor('--soft'));
  drawPictures(c, rows, at, bottom + 4);
  drawShape(c, row, border - PICTURE, top, PICTURE);
  c.fillStyle = cssColor('--ink');
  c.textAlign = at(row - first) > (frame.left + frame.right) / 2 ? 'right' : 'left';
  c.fillText('orbit ' + orbit[row] + ': ' + number(sets[row]), at(row - first), frame.top - 8);
  return 'The orbits of ' + columnOf('vertex').text(row) + ' that have sets, in their order; heights are logarithms of 1 + sets, and the chosen orbit is marked.' +
    (data.shown < Number(data.rows) ? ' Only rows in this report are drawn.' : '');
}
