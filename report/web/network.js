/* The network of matches, drawn with cytoscape.js: an overview of a bounded part, or one row alone. */
'use strict';

/* More vertices are a tangle, and take seconds to lay out. */
const MOST_VERTICES = 80, MOST_EDGES = 800, MOST_AROUND = 40;

/* Layouts are made for this frame, so that they are the same in windows of all sizes. */
const LAYOUT_FRAME = {x1: 0, y1: 0, w: 580, h: 460};

const network = {
  cy: null, neighbors: null, overview: null,
  view: isPaths ? 'one' : 'auto', /* what the reader wants to see: "auto" or "one" */
  drawn: '',    /* what is drawn: "all" or "one" */
  row: -1,
  vertices: isComponents && drawnColumn || columns.find(column => column.kind === 'vertices' || column.kind === 'vertex' && !isPaths),
};

const hasNetwork = () => Boolean(data.network && typeof cytoscape === 'function');

/* ---- the graph ------------------------------------------------------------------------------- */

/* Makes the lists of edges of each vertex: vertices are numbers of strings. */
function readNetwork() {
  const n = data.network;
  network.from = decode(n.from);
  network.to = decode(n.to);
  network.directed = decode(n.directed);
  network.type = n.type && !(isPaths && head.graph.format === 'plain') ? decode(n.type) : null;
  network.neighbors = new Map();
  const add = (v, edge) => {
    const list = network.neighbors.get(v);
    if (list)
      list.push(edge);
    else
      network.neighbors.set(v, [edge]);
  };
  network.from.forEach((v, edge) => {
    add(v, edge);
    if (network.to[edge] !== v)
      add(network.to[edge], edge);
  });
}

const edgesOf = v => network.neighbors.get(v) || [];
const otherEnd = (edge, v) => network.from[edge] === v ? network.to[edge] : network.from[edge];

/* Returns the numbers of the edges among the vertices. */
function edgesAmong(vertices) {
  const inside = new Set(vertices), edges = new Set();
  for (const v of inside)
    for (const edge of edgesOf(v))
      if (inside.has(otherEnd(edge, v)))
        edges.add(edge);
  return [...edges];
}

/* ---- what the vertices are --------------------------------------------------------------------- */

const roles = columnOf('roles'), labels = columnOf('labels'), label = columnOf('label'), colors = columnOf('colors');
const flagged = columnOf('flagged'), ownRoles = new Map(data.roles);

/* Returns the vertices of a row. */
function verticesOf(row) {
  return network.vertices.isList ? Array.from(network.vertices.items(row)) : [network.vertices.values[row]];
}

/* Calls note(vertex, role, label) for each vertex of a row. */
function describeRow(row, note) {
  verticesOf(row).forEach((v, i) => {
    let role = '';
    if (roles)
      role = strings[roles.items(row)[i]];
    else if (isPaths)
      role = i === 0 ? 'source' : i === network.vertices.items(row).length - 1 ? 'target' : 'between';
    else if (head.pattern_names)
      role = head.pattern_names[i];
    else if (colors && colors.items(row).length)
      role = colors.texts(row).find(color => ownRoles.has(color)) || strings[colors.items(row)[0]];
    const name = labels ? labels.items(row)[i] : label ? label.values[row] : v;
    note(v, role, strings[name]);
  });
}

const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

/* The colours of --dot and --svg. */
const roleColor = place => data.palette[place % data.palette.length];

/* ---- what is drawn -------------------------------------------------------------------------------- */

/* Returns the number of rows whose vertices have all edges among them in the report. */
const rowsWithEdges = () => Math.min(data.shown, data.network.rows);

const NO_EDGES = 'The report holds no edges: --max-edges puts more of them into it.';

/* Chooses the overview of matches: the first rows whose vertices and edges are few enough. */
function chooseMatches() {
  const chosen = new Set(), [one, many] = isPaths ? ['pair', 'pairs'] : ['match', 'matches'];
  let rows = 0;
  for (; rows < rowsWithEdges(); rows++) {
    const next = verticesOf(rows).filter(v => !chosen.has(v));
    if (rows > 0 && (chosen.size + next.length > MOST_VERTICES || edgesAmong([...chosen, ...next]).length > MOST_EDGES))
      break;
    next.forEach(v => chosen.add(v));
  }
  return {vertices: [...chosen], note: data.shown && !rowsWithEdges() ? NO_EDGES : rows === data.shown && rows === Number(data.rows)
    ? 'All ' + many + ' and all edges of the graph among their vertices.'
    : 'The first ' + plural(rows, one, many) + ' of ' + number(data.rows) + ', and all edges of the graph among their vertices.'};
}

/* Chooses the overview of a screen: the vertices nearest to the first one, over flagged vertices. */
function chooseVertices() {
  const all = [], chosen = new Set();
  for (let row = 0; row < rowsWithEdges(); row++)
    if (!flagged || flagged.values[row])
      all.push(network.vertices.values[row]);
  const first = rowsWithEdges() < data.shown ? ' of the first ' + plural(rowsWithEdges(), 'row') : '';
  const found = new Set(all);
  for (const start of all) {
    for (const queue = [start]; queue.length && chosen.size < MOST_VERTICES;) {
      const v = queue.shift();
      if (chosen.has(v))
        continue;
      chosen.add(v);
      edgesOf(v).forEach(edge => found.has(otherEnd(edge, v)) && queue.push(otherEnd(edge, v)));
    }
    if (chosen.size >= MOST_VERTICES)
      break;
  }
  return {vertices: [...chosen], note: first && !all.length ? NO_EDGES : chosen.size === all.length && !first ? 'All vertices found, and all edges of the graph among them.'
    : number(chosen.size) + ' of ' + plural(all.length, 'vertex found', 'vertices found') + first + ', those nearest to ' +
      strings[all[0]] + ', and all edges of the graph among them.'};
}

/* Returns what the view of one row shows: its match, or the vertex with its neighbours. */
function chooseRow(row) {
  if (isWalkKind)
    return chooseWalk(row);
  const own = [...new Set(verticesOf(row))]; /* a map of an inexact search may use a vertex twice */
  if (network.vertices.isList)
    return {vertices: own, note: 'The vertices of this match, and all edges of the graph among them.'};
  const around = [...new Set(edgesOf(own[0]).map(edge => otherEnd(edge, own[0])))].filter(v => v !== own[0]);
  return {vertices: own.concat(around.slice(0, MOST_AROUND)), note: 'The vertex and ' +
    (around.length > MOST_AROUND ? MOST_AROUND + ' of its ' + number(around.length) : 'its') + ' neighbours among the vertices found' +
    (rowsWithEdges() < data.shown ? ' in the first ' + plural(rowsWithEdges(), 'row') : '') + '.'};
}

const rowOfVertex = new Map();

/* Makes the elements of cytoscape.js.  `row`: its roles count; -1: those in the first row that has the vertex. */
function makeElements(choice, row) {
  const role = new Map(), name = new Map(), wanted = new Set(choice.vertices);
  const note = (v, itsRole, itsName) => {
    if (!role.has(v) && wanted.has(v)) {
      role.set(v, itsRole);
      name.set(v, itsName);
    }
  };
  if (row >= 0)
    describeRow(row, note);
  for (const v of choice.vertices)
    if (!role.has(v) && rowOfVertex.has(v) && !(isPaths && row >= 0)) /* around a path, vertices of other paths have no role */
      describeRow(rowOfVertex.get(v), note);
  const nodes = choice.vertices.map(v => ({data: {id: 'v' + v, vertex: v, name: strings[v], label: name.get(v) || strings[v], role: role.get(v) || ''}}));
  const edges = edgesAmong(choice.vertices).map(edge => ({data: {id: 'e' + edge, edge, source: 'v' + network.from[edge],
    target: 'v' + network.to[edge], type: network.type ? strings[network.type[edge]] : ''},
  classes: network.directed[edge] ? 'directed' : ''}));
  return {nodes, edges};
}

function cssColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function makeStyle() {
  return [
    {selector: 'node', style: {'label': 'data(label)', 'font-size': 11, 'color': cssColor('--ink'), 'background-color': cssColor('--null'),
      'width': 22, 'height': 22, 'border-width': 1, 'border-color': cssColor('--soft'), 'text-valign': 'bottom', 'text-margin-y': 3,
      'text-outline-color': cssColor('--paper'), 'text-outline-width': 2, 'min-zoomed-font-size': 7, 'text-max-width': 160, 'text-wrap': 'ellipsis'}},
    {selector: 'node[color]', style: {'background-color': 'data(color)'}},
    {selector: 'edge', style: {'width': 1.2, 'line-color': cssColor('--edge'), 'curve-style': 'haystack', 'opacity': 0.6}},
    {selector: 'edge.directed', style: {'curve-style': 'bezier', 'target-arrow-shape': 'triangle', 'target-arrow-color': cssColor('--edge')}},
    {selector: 'edge.alone[type != ""]', style: {'curve-style': 'bezier', 'label': 'data(type)', 'font-size': 10, 'color': cssColor('--soft'),
      'text-background-color': cssColor('--paper'), 'text-background-opacity': 1, 'text-rotation': 'autorotate'}},
    {selector: '.faint', style: {'opacity': isDark() ? 0.4 : 0.25}},
    {selector: 'node.chosen', style: {'border-width': 3, 'border-color': cssColor('--accent'), 'width': 28, 'height': 28, 'font-size': 13, 'font-weight': 'bold', 'min-zoomed-font-size': 0, 'z-index': 9}},
    {selector: 'edge.chosen', style: {'width': 3, 'line-color': cssColor('--accent'), 'opacity': 1, 'z-index': 8}},
  ];
}

/* Gives each role its colour, the same in all views: roles of the query in its order, then others by their frequency. */
function chooseColors() {
  const count = new Map(), order = isPaths ? ['source', 'target', 'between'] : [];
  for (let row = 0; row < Math.min(data.shown, 20000); row++)
    describeRow(row, (v, role) => count.set(role, (count.get(role) || 0) + 1));
  const names = [...count.keys()].filter(role => role !== '' && !ownRoles.has(role));
  names.sort((a, b) => order.indexOf(a) - order.indexOf(b) || count.get(b) - count.get(a) || (a < b ? -1 : 1));
  return new Map([...ownRoles, ...names.map((role, place) => [role, roleColor(ownRoles.size + place)])]);
}

/* Returns the colours that a drawing needs: of all roles, unless there are many. */
function makeLegend(nodes) {
  const all = chooseColors(), used = new Set(nodes.map(node => node.data.role));
  return all.size <= 12 ? all : new Map([...all].filter(([role]) => used.has(role)));
}

function writeLegend(legend, other) {
  const entry = (role, color) => {
    const item = element('li'), dot = element('i');
    dot.style.background = color;
    item.append(dot, document.createTextNode(role));
    return item;
  };
  const most = 16, items = [...legend].slice(0, most).map(([role, color]) => entry(role === '*' ? 'any colour' : role, color));
  if (other)
    items.push(entry('other vertices', other));
  if (legend.size > most)
    items.push(element('li', 'and ' + plural(legend.size - most, 'other colour')));
  byId('legend').replaceChildren(...items);
}

/* Runs a function in which Math.random has always the same values: cose moves vertices at the same place apart by chance. */
function withFixedRandom(run) {
  const random = Math.random;
  let seed = 1;
  Math.random = () => (seed = seed * 16807 % 2147483647) / 2147483647;
  try {
    return run();
  } finally {
    Math.random = random;
  }
}

/* Stretches the drawing to its frame, and moves vertices apart until neither they nor their labels overlap. */
function separateVertices() {
  const {w, h} = network.cy.nodes().boundingBox(), stretch = Math.min(2, Math.max(0.7, LAYOUT_FRAME.w / LAYOUT_FRAME.h * h / w));
  const boxes = network.cy.nodes().map(node => {
    const size = node.layoutDimensions({nodeDimensionsIncludeLabels: true}), {x, y} = node.position();
    return {node, x: x * stretch, y, w: size.w + 4, h: size.h + 4};
  });
  for (let moved = true, round = 0; moved && round < 500; round++) {
    moved = false;
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
      const x = (a.w + b.w) / 2 - Math.abs(a.x - b.x), y = (a.h + b.h) / 2 - Math.abs(a.y - b.y);
      if (x <= 0.1 || y <= 0.1)
        return;
      const axis = x < y ? 'x' : 'y', step = Math.min(x, y) / 2 * (a[axis] < b[axis] ? -1 : 1);
      a[axis] += step;
      b[axis] -= step;
      moved = true;
    }));
  }
  boxes.forEach(({node, x, y}) => node.position({x, y}));
  network.cy.fit(20);
}

/* Draws a choice of vertices. */
function draw(choice, row, alone) {
  const elements = makeElements(choice, alone ? row : -1), legend = makeLegend(elements.nodes);
  for (const node of elements.nodes)
    if (legend.has(node.data.role))
      node.data.color = legend.get(node.data.role);
  network.legend = legend;
  writeLegend(legend);
  if (network.cy)
    network.cy.destroy();
  const few = elements.nodes.length <= 12, pathPlaces = choice.path ? placePath(choice) : null;
  elements.nodes.forEach((node, i) => { /* a start for cose, which else takes random places */
    const angle = 2 * Math.PI * i / elements.nodes.length, radius = 12 * elements.nodes.length;
    node.position = {x: radius * Math.cos(angle), y: radius * Math.sin(angle)};
  });
  network.cy = withFixedRandom(() => cytoscape({container: byId('drawing'), elements, style: makeStyle(),
    minZoom: 0.1, maxZoom: 4, autoungrabify: false, boxSelectionEnabled: false,
    layout: pathPlaces ? {name: 'preset', positions: node => pathPlaces.get(node.data('vertex')), padding: 30} : few ? {name: 'circle', padding: 40, animate: false, boundingBox: LAYOUT_FRAME}
      : {name: 'cose', animate: false, randomize: false, boundingBox: LAYOUT_FRAME, padding: 20, nodeRepulsion: () => 9000, idealEdgeLength: () => 60, numIter: 600, nodeDimensionsIncludeLabels: true}}));
  if (!choice.path)
    separateVertices();
  if (alone && isPaths)
    highlight(row);
  if (alone) /* names of all types around a path would cover each other */
    (isPaths ? network.cy.edges('.chosen') : network.cy.edges()).addClass('alone');
  if (network.cy.zoom() > 1.6) {
    network.cy.zoom(1.6);
    network.cy.center();
  }
  network.cy.on('tap', 'node', event => chooseVertex(event.target.data('vertex')));
}

/* Draws the network as it is, from (0, 0) on. */
function drawNetwork(pen, box) {
  const at = node => ({x: node.position('x') - box.x1, y: node.position('y') - box.y1});
  const alpha = element => { pen.globalAlpha = Number(element.style('opacity')); };
  for (const edge of network.cy.edges()) {
    const a = at(edge.source()), b = at(edge.target()), color = cssColor(edge.hasClass('chosen') ? '--accent' : '--edge');
    alpha(edge);
    rule(pen, a.x, a.y, b.x, b.y, color, edge.hasClass('chosen') ? 3 : 1.2);
    const angle = Math.atan2(b.y - a.y, b.x - a.x), tip = edge.target().width() / 2;
    for (const turn of edge.hasClass('directed') ? [-0.4, 0.4] : [])
      rule(pen, b.x - tip * Math.cos(angle), b.y - tip * Math.sin(angle), b.x - tip * Math.cos(angle) - 7 * Math.cos(angle + turn), b.y - tip * Math.sin(angle) - 7 * Math.sin(angle + turn), color, 1.2);
    if (edge.hasClass('alone') && edge.data('type'))
      drawText(pen, edge.data('type'), (a.x + b.x) / 2, (a.y + b.y) / 2, 'center');
  }
  for (const node of network.cy.nodes()) {
    const {x, y} = at(node), radius = node.width() / 2;
    pen.globalAlpha = 1;
    dot(pen, x, y, radius, cssColor('--paper')); /* edges do not show through faint vertices */
    alpha(node);
    dot(pen, x, y, radius + 1, cssColor(node.hasClass('chosen') ? '--accent' : '--soft'));
    dot(pen, x, y, radius - (node.hasClass('chosen') ? 2 : 0), node.data('color') || cssColor('--null'));
    drawText(pen, shorten(node.data('label')), x, y + radius + 13, 'center');
  }
  pen.globalAlpha = 1;
}

/* Chooses the first row in the table that has the vertex. */
function chooseVertex(v) {
  const place = table.order.findIndex(row => verticesOf(row).includes(v));
  if (place >= 0)
    choose(place);
}

/* Highlights the match of the row in the overview, in the colours of its roles. */
function highlight(row) {
  const own = new Set(verticesOf(row)), role = new Map();
  describeRow(row, (v, itsRole) => role.set(v, itsRole));
  network.cy.batch(() => {
    /* a vertex may have another role in this match than in the first one that holds it */
    network.cy.nodes().forEach(node => {
      const itsRole = role.has(node.data('vertex')) ? role.get(node.data('vertex')) : node.data('role');
      if (network.legend.has(itsRole))
        node.data('color', network.legend.get(itsRole));
    });
    network.cy.elements().removeClass('chosen').addClass('faint');
    const nodes = network.cy.nodes().filter(node => own.has(node.data('vertex')));
    const near = network.vertices.isList ? nodes : nodes.union(nodes.neighborhood('node'));
    nodes.removeClass('faint').addClass('chosen');
    near.removeClass('faint');
    near.edgesWith(near).removeClass('faint');
    const along = isPaths && new Set(edgesOfPath(row));
    (along ? network.cy.edges().filter(edge => along.has(edge.data('edge'))) : network.vertices.isList ? nodes.edgesWith(nodes) : nodes.connectedEdges())
      .addClass('chosen').removeClass('faint');
  });
}

/* ---- the view ------------------------------------------------------------------------------------- */

/* Shows the overview with the row highlighted in it, or the row alone.  `view`: "all", "one", or "auto": the overview
 * if it has the row. */
function showNetwork(row, view) {
  const overview = network.overview;
  const inside = row >= 0 && verticesOf(row).length > 0 && verticesOf(row).every(v => overview.set.has(v));
  const alone = row >= 0 && (isComponents || view === 'one' || (view === 'auto' && !inside));
  let note = overview.note;
  if (alone) {
    const choice = chooseRow(row);
    note = choice.note + (view === 'auto' && !isComponents && choice.vertices.length ? ' It is not in the overview.' : '');
    draw(choice, row, true);
  } else if (network.drawn !== 'all') {
    draw(overview, row, false);
  }
  network.drawn = alone ? 'one' : 'all';
  network.row = row;
  if (!alone && inside)
    highlight(row);
  if (row >= data.network.rows && verticesOf(row).length > 1)
    note += ' The edges of this row are not in the report: --max-edges puts more of them into it.';
  byId('view-note').textContent = note;
  byId('show-all').setAttribute('aria-pressed', !alone);
  byId('show-one').setAttribute('aria-pressed', alone);
  byId('show-one').disabled = row < 0;
  describeDrawing(row);
}

/* Says in words what the drawing shows, for readers who do not see it. */
function describeDrawing(row) {
  const box = byId(hasPlaces() ? 'places' : 'drawing');
  box.setAttribute('aria-label', 'Drawing. ' + byId('view-note').textContent +
    (row >= 0 ? ' ' + rowTitle(row) + ' is highlighted; its values are listed below.' : ''));
}

/* Shows a row as the reader last asked for. */
function showRow(row) {
  showNetwork(row, network.view);
}

/* Notes the first row of each vertex. */
function noteRowsOfVertices() {
  for (let row = 0; row < data.shown; row++)
    for (const v of verticesOf(row))
      if (!rowOfVertex.has(v))
        rowOfVertex.set(v, row);
}

function openNetwork() {
  readNetwork();
  noteRowsOfVertices();
  network.overview = network.vertices.isList ? chooseMatches() : chooseVertices();
  network.overview.set = new Set(network.overview.vertices);
  for (const id of ['drawing', 'reset', 'save', 'save-cx2'].concat(isComponents ? [] : ['show-all', 'show-one']))
    byId(id).hidden = false;
  byId('show-all').addEventListener('click', () => {
    network.view = 'auto';
    showNetwork(network.row, 'all');
  });
  byId('show-one').addEventListener('click', () => {
    network.view = 'one';
    showNetwork(network.row, 'one');
  });
  const again = () => {
    const drawn = network.drawn;
    network.drawn = '';
    showNetwork(network.row, drawn);
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  byId('reset').addEventListener('click', again);
  /* the table answers before the network is laid out */
  setTimeout(() => network.cy || showNetwork(isWalkKind && data.shown ? chosenRow : -1, 'all'), 30);
}
