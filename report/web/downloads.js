/* What can be saved: the rows in the table as TSV, the drawing as CX2 and as PNG. */
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
    .map(role => ({v: role, vp: plainColor(legend.get(role))}));
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

/* Turns a colour of CSS into "#010203", as a browser would paint it. */
function plainColor(color) {
  const pen = document.createElement('canvas').getContext('2d');
  pen.fillStyle = color;
  return pen.fillStyle;
}

function savePng() {
  if (hasPlaces()) {
    const canvas = element('canvas');
    drawPlaces(canvas, 2);
    canvas.toBlob(blob => save(savedName('.png'), 'image/png', blob), 'image/png');
  } else if (network.cy)
    save(savedName('.png'), 'image/png', network.cy.png({output: 'blob', scale: 2, full: true, maxWidth: 4000, maxHeight: 4000, bg: cssColor('--paper')}));
  else
    savePlot('.png');
}

function savePlot(ending) {
  byId('plot').toBlob(blob => save(savedName(ending), 'image/png', blob), 'image/png');
}

function openDownloads() {
  byId('save-tsv').addEventListener('click', () => save(savedName('.rows.tsv'), 'text/tab-separated-values', rowsAsTsv()));
  byId('save-png').addEventListener('click', savePng);
  byId('save-plot').addEventListener('click', () => savePlot('.plot.png'));
  byId('save-cx2').addEventListener('click', () => save(savedName('.cx2'), 'application/json', drawingAsCx2()));
}
