/* What can be saved: the rows in the table as TSV, the drawing as CX2, and drawings and plots as PNG and SVG. */
'use strict';

function save(name, type, content) {
  const link = element('a');
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/* Returns a name for a file, after the result's. */
function savedName(ending) {
  return fileName(data.result).replace(/\.(tsv|json|jsonl|bin|gz|zst)\b/g, '').replace(/[^\w.-]+/g, '_') + ending;
}

/* The rows that the filter leaves, in the order of the table, with the columns of the file. */
function rowsAsTsv() {
  const shown = fileColumns();
  const lines = ['# motifsieve report: ' + (table.order.length === data.shown ? 'all' : number(table.order.length) + ' of ' + number(data.shown)) +
    ' rows of ' + fileName(data.result) + '; this is no result file', shown.map(column => column.name).join('\t')];
  for (const row of table.order)
    lines.push(shown.map(column => column.saved ? column.saved(row) : column.text(row)).join('\t'));
  return lines.join('\n') + '\n';
}

/* Returns what is drawn: nodes with their places, and edges between the numbers of nodes.  Of a whole tissue, the vertices
 * of the first rows. */
function drawnParts() {
  if (!hasPlaces())
    return {
      nodes: network.cy.nodes().map(node => ({v: node.data('vertex'), name: node.data('name'), label: node.data('label'), role: node.data('role'),
        chosen: node.hasClass('chosen'), x: node.position('x'), y: node.position('y')})),
      edges: network.cy.edges().map(edge => edge.data('edge'))};
  const chosen = new Set(places.row >= 0 ? verticesOf(places.row) : []);
  const choice = places.drawn === 'one' ? chooseRow(places.row) : network.vertices.isList ? chooseMatches() : chooseVertices();
  const shown = choice.vertices.filter(v => places.at.has(v)), row = places.drawn === 'one' ? places.row : -1;
  return {
    nodes: makeElements({vertices: shown}, row).nodes.map(({data: node}) => ({v: node.vertex, name: node.name, label: node.label, role: node.role,
      chosen: chosen.has(node.vertex), x: places.found.x[places.at.get(node.vertex)], y: places.found.y[places.at.get(node.vertex)]})),
    edges: edgesAmong(shown), note: choice.note};
}

/* The drawing in Cytoscape Exchange format 2.0. */
function drawingAsCx2() {
  const parts = drawnParts(), legend = hasPlaces() ? places.legend : network.legend;
  const nodes = parts.nodes.map((node, id) => ({id, x: Math.round(node.x), y: Math.round(node.y),
    v: {name: node.name, label: node.label, role: node.role, chosen: node.chosen}}));
  const place = new Map(parts.nodes.map((node, id) => [node.v, id]));
  const edges = parts.edges.map((edge, i) => ({id: nodes.length + i, s: place.get(network.from[edge]), t: place.get(network.to[edge]),
    v: {interaction: (network.type && strings[network.type[edge]]) || 'interacts with', directed: Boolean(network.directed[edge])}}));
  const fills = [...new Set(parts.nodes.map(node => node.role))].filter(role => legend.has(role))
    .map(role => ({v: role, vp: legend.get(role)}));
  const text = {d: 'string'};
  return JSON.stringify([{CXVersion: '2.0', hasFragments: false},
    {metaData: [{name: 'attributeDeclarations', elementCount: 1}, {name: 'networkAttributes', elementCount: 1},
      {name: 'nodes', elementCount: nodes.length}, {name: 'edges', elementCount: edges.length}, {name: 'visualProperties', elementCount: 1}]},
    {attributeDeclarations: [{networkAttributes: {name: text, description: text},
      nodes: {name: text, label: text, role: text, chosen: {d: 'boolean'}}, edges: {interaction: text, directed: {d: 'boolean'}}}]},
    {networkAttributes: [{name: titleText(), description: questionText() + ' ' + (parts.note || byId('view-note').textContent)}]},
    {nodes}, {edges},
    {visualProperties: [{default: {node: {NODE_SHAPE: 'ellipse', NODE_WIDTH: 40, NODE_HEIGHT: 40}},
      nodeMapping: {NODE_LABEL: {type: 'PASSTHROUGH', definition: {attribute: 'label', type: 'string'}},
        NODE_BACKGROUND_COLOR: {type: 'DISCRETE', definition: {attribute: 'role', type: 'string', map: fills}}}}]},
    {status: [{success: true}]}]) + '\n';
}

/* ---- pictures ------------------------------------------------------------------------------------ */

/* Writes what is drawn as SVG: the functions of a canvas's context that the drawings here use. */
class SvgPen {
  constructor(width, height) {
    Object.assign(this, {parts: [], path: '', dash: '', width, height, globalAlpha: 1, lineWidth: 1, textAlign: 'left', font: pen.font});
  }

  put(name, attributes, text) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes))
      made.setAttribute(key, typeof value === 'number' ? Number(value.toFixed(2)) : value);
    made.textContent = text || '';
    if (this.globalAlpha < 1)
      made.setAttribute('opacity', this.globalAlpha);
    this.parts.push(new XMLSerializer().serializeToString(made).replace(' xmlns="http://www.w3.org/2000/svg"', ''));
  }

  step(letters, ...numbers) {
    this.path += letters + numbers.map(x => Number(x.toFixed(2))).join(' ');
  }

  beginPath() { this.path = ''; }
  moveTo(x, y) { this.step('M', x, y); }
  lineTo(x, y) { this.step('L', x, y); }
  rect(x, y, w, h) { this.step('M', x, y); this.step('h', w); this.step('v', h); this.step('h', -w); this.path += 'z'; }
  arc(x, y, r) { this.step('M', x - r, y); this.step('a', r, r, 0, 1, 0, 2 * r, 0); this.step('a', r, r, 0, 1, 0, -2 * r, 0); }
  fill() { this.put('path', {d: this.path, fill: this.fillStyle}); }
  stroke() { this.put('path', {d: this.path, fill: 'none', stroke: this.strokeStyle, 'stroke-width': this.lineWidth, 'stroke-dasharray': this.dash}); }
  fillRect(x, y, width, height) { this.put('rect', {x, y, width, height, fill: this.fillStyle}); }
  setLineDash(lengths) { this.dash = lengths.join(' '); }
  measureText(text) { return pen.measureText(text); }
  fillText(text, x, y) {
    this.put('text', {x, y, fill: this.fillStyle, 'text-anchor': {center: 'middle', right: 'end', left: 'start'}[this.textAlign]}, text);
  }
  strokeText(text, x, y) {
    this.put('text', {x, y, fill: 'none', stroke: this.strokeStyle, 'stroke-width': this.lineWidth, 'stroke-linejoin': 'round',
      'text-anchor': {center: 'middle', right: 'end', left: 'start'}[this.textAlign]}, text);
  }
  toString(mm) {
    return '<svg xmlns="http://www.w3.org/2000/svg" width="' + mm + 'mm" height="' + (mm * this.height / this.width).toFixed(2) + 'mm" viewBox="0 0 ' + this.width + ' ' + this.height +
      '" font-family="Helvetica, Arial, sans-serif" font-size="12">\n' + this.parts.join('\n') + '\n</svg>\n';
  }
}

/* Draws the legend from a height on, or finds the height where it ends. */
function drawLegendOfPicture(c, legend, width, top) {
  let x = 10, y = top;
  for (const [role, color] of legend) {
    const text = shorten(role === '*' ? 'any colour' : role), wide = pen.measureText(text).width + 40;
    if (x > 10 && x + wide > width) {
      x = 10;
      y += 20;
    }
    if (c) {
      dot(c, x + 6, y + 8, 6, color);
      drawText(c, text, x + 18, y + 12, 'left');
    }
    x += wide;
  }
  return y + 24;
}

/* Returns the size of the picture, and a function that draws it. */
function pictureOf(isPlot) {
  if (isPlot || !hasPlaces() && !network.cy)
    return {w: byId('plot').clientWidth, h: byId('plot').clientHeight, draw: () => plots.large(chosenRow)};
  const box = hasPlaces() ? {w: placesSize().w, h: placesSize().h} : network.cy.elements().boundingBox(), {w, h} = box;
  const legend = hasPlaces() ? places.legend : network.legend, end = drawLegendOfPicture(null, legend, w, h);
  return {w, h: end, draw: c => {
    if (hasPlaces())
      drawPlaces(c);
    else
      drawNetwork(c, box);
    c.fillStyle = cssColor('--paper');
    c.fillRect(0, h, w, end - h);
    drawLegendOfPicture(c, legend, w, h);
  }};
}

const DOTS_PER_MM = 300 / 25.4;

/* The chunk of a PNG that says 300 dpi (11,811 pixels a metre), with its length and checksum; it follows the header, which ends at byte 33. */
const PNG_300_DPI = [0, 0, 0, 9, 112, 72, 89, 115, 0, 0, 46, 35, 0, 0, 46, 35, 1, 120, 165, 63, 118];

/* Saves the drawing or the plot, in the colours of paper and as wide as the reader chose. */
async function savePicture(ending, isPlot) {
  const mm = Number(byId('save-width').value), canvas = element('canvas'), root = document.documentElement, isSvg = ending.endsWith('svg');
  pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
  const {w, h, draw} = pictureOf(isPlot);
  const c = isSvg ? new SvgPen(w, h) : prepare(canvas, w, h, mm * DOTS_PER_MM / w);
  root.classList.add('paper');
  savedPen = c;
  c.fillStyle = cssColor('--paper');
  c.fillRect(0, 0, w, h);
  draw(c);
  savedPen = null;
  root.classList.remove('paper');
  if (isSvg)
    return save(savedName(ending), 'image/svg+xml', c.toString(mm));
  const blob = await new Promise(done => canvas.toBlob(done, 'image/png'));
  return save(savedName(ending), 'image/png', new Blob([blob.slice(0, 33), Uint8Array.from(PNG_300_DPI), blob.slice(33)], {type: 'image/png'}));
}

function openDownloads() {
  byId('save-tsv').addEventListener('click', () => save(savedName('.rows.tsv'), 'text/tab-separated-values', rowsAsTsv()));
  for (const [id, ending, isPlot] of [['save-png', '.png'], ['save-svg', '.svg'], ['save-plot', '.plot.png', true], ['save-plot-svg', '.plot.svg', true]])
    byId(id).addEventListener('click', () => savePicture(ending, isPlot));
  byId('save-cx2').addEventListener('click', () => save(savedName('.cx2'), 'application/json', drawingAsCx2()));
}
