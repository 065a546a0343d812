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
    lines.push(shown.map(column => column.text(row)).join('\t'));
  return lines.join('\n') + '\n';
}

/* The drawing in Cytoscape Exchange format 2.0. */
function drawingAsCx2() {
  const nodes = network.cy.nodes().map((node, id) => ({id, x: Math.round(node.position('x')), y: Math.round(node.position('y')),
    v: {name: node.data('name'), label: node.data('label'), role: node.data('role'), chosen: node.hasClass('chosen')}}));
  const place = new Map(network.cy.nodes().map((node, id) => [node.id(), id]));
  const edges = network.cy.edges().map((edge, i) => ({id: nodes.length + i, s: place.get(edge.data('source')), t: place.get(edge.data('target')),
    v: {interaction: edge.data('type') || 'interacts with', directed: edge.hasClass('directed')}}));
  const fills = [...new Set(network.cy.nodes().map(node => node.data('role')))].filter(role => role)
    .map(role => ({v: role, vp: hexColor(network.cy.nodes().filter(node => node.data('role') === role)[0].style('background-color'))}));
  const text = {d: 'string'};
  return JSON.stringify([{CXVersion: '2.0', hasFragments: false},
    {metaData: [{name: 'attributeDeclarations', elementCount: 1}, {name: 'networkAttributes', elementCount: 1},
      {name: 'nodes', elementCount: nodes.length}, {name: 'edges', elementCount: edges.length}, {name: 'visualProperties', elementCount: 1}]},
    {attributeDeclarations: [{networkAttributes: {name: text, description: text},
      nodes: {name: text, label: text, role: text, chosen: {d: 'boolean'}}, edges: {interaction: text, directed: {d: 'boolean'}}}]},
    {networkAttributes: [{name: titleText(), description: questionText() + ' ' + byId('view-note').textContent}]},
    {nodes}, {edges},
    {visualProperties: [{default: {node: {NODE_SHAPE: 'ellipse', NODE_WIDTH: 40, NODE_HEIGHT: 40}},
      nodeMapping: {NODE_LABEL: {type: 'PASSTHROUGH', definition: {attribute: 'label', type: 'string'}},
        NODE_BACKGROUND_COLOR: {type: 'DISCRETE', definition: {attribute: 'role', type: 'string', map: fills.map(fill => ({v: fill.v, vp: fill.vp}))}}}}]},
    {status: [{success: true}]}]) + '\n';
}

/* Turns "rgb(1,2,3)" into "#010203". */
function hexColor(text) {
  return '#' + text.match(/\d+/g).slice(0, 3).map(x => Number(x).toString(16).padStart(2, '0')).join('');
}

function savePng() {
  if (network.cy)
    save(savedName('.png'), 'image/png', network.cy.png({output: 'blob', scale: 2, full: true, maxWidth: 4000, maxHeight: 4000, bg: cssColor('--paper')}));
  else
    byId('plot').toBlob(blob => save(savedName('.png'), 'image/png', blob), 'image/png');
}

function openDownloads() {
  byId('save-tsv').addEventListener('click', () => save(savedName('.rows.tsv'), 'text/tab-separated-values', rowsAsTsv()));
  byId('save-png').addEventListener('click', savePng);
  byId('save-cx2').addEventListener('click', () => save(savedName('.cx2'), 'application/json', drawingAsCx2()));
}
