/* Components and shortest paths: what a row draws, and the distribution of sizes or lengths. */
'use strict';

const isComponents = data.kind === 'components', isPaths = data.kind === 'paths';
const isWalkKind = isComponents || isPaths;

/* More vertices of a path would be a line that nobody can follow. */
const MOST_ON_PATH = 200;

/* More names of a component would fill the page below the drawing; the table and the TSV have more of them. */
const MOST_LISTED = 200;

const drawnColumn = columnOf('drawn');

/* ---- columns --------------------------------------------------------------------------------- */

/* A path that does not exist has no length.  Files write "-" then. */
function openWalkColumns() {
  const length = isPaths && columnOf('length');
  if (!length)
    return;
  length.text = length.shown = row => Number.isNaN(length.values[row]) ? 'no path' : String(length.values[row]);
  length.saved = row => Number.isNaN(length.values[row]) ? '-' : String(length.values[row]);
}

/* Returns whether the column says nothing in this report: types of a plain graph, or lists of a file that has only lengths. */
function isIdleOfWalks(column) {
  return isPaths && (column.name === 'types' && head.graph.format === 'plain' || column.isList && column.values.length === 0);
}

openWalkColumns();

/* ---- words ----------------------------------------------------------------------------------- */

function walkTitle() {
  const where = fileName(head.graph.path);
  if (isComponents)
    return 'Components of ' + where;
  return Number(data.rows) === 1 && data.shown === 1 ? 'Shortest path from ' + columnOf('source').text(0) + ' to ' + columnOf('target').text(0) + ' in ' + where
    : 'Shortest paths in ' + where;
}

function componentsQuestion() {
  return 'Which vertices of ' + graphText() + ' are connected with each other? A component is a vertex with all others that can be reached from it along edges' +
    (head.graph.directed ? ', in either direction.' : '.') + (head.min_size ? ' Components of fewer than ' + plural(head.min_size, 'vertex', 'vertices') + ' have no row.' : '');
}

function pathsQuestion() {
  const directed = head.graph.directed || head.graph.format !== 'plain';
  return 'What is a shortest path from the source to the target of each pair in ' + graphText() + '? ' +
    (head.types ? 'A path may follow edges of these types: ' + head.types + '. ' : '') +
    (!directed ? '' : head.both_ways ? 'It may follow edges that have a direction also against it. ' : 'It follows edges that have a direction along it. ') +
    'Its length is the number of its edges.' + (head.max_length ? ' Paths of more than ' + plural(head.max_length, 'edge') + ' do not count.' : '') +
    (head.graph.min_score ? ' Edges with a score below ' + number(head.graph.min_score) + ' were dropped.' : '');
}

/* Returns the sizes of all components of the file, or the lengths of all paths in the report, with how often each occurs. */
function walkSizes() {
  const count = new Map(), add = (size, times) => count.set(size, (count.get(size) || 0) + times);
  if (isComponents) {
    const sizes = decode(data.sizes.size), counts = decode(data.sizes.count);
    sizes.forEach((size, i) => add(Number(size), Number(counts[i])));
  } else {
    columnOf('length').values.forEach(length => Number.isNaN(length) || add(length, 1));
  }
  return [...count].sort((a, b) => a[0] - b[0]);
}

function shownText() {
  return data.shown < data.rows ? 'The first ' + number(data.shown) + ' rows of ' + number(data.rows) + ' are in this report.' : '';
}

function walkCountFact() {
  if (isPaths)
    return [number(head.found) + ' of ' + plural(head.searched, 'pair') + (Number(head.found) === 1 ? ' has' : ' have') + ' a path',
      shownText() || 'All pairs are in this report.', ''];
  const sizes = walkSizes(), single = sizes.length && sizes[0][0] === 1 ? sizes[0][1] : 0, parts = [];
  if (sizes.length) {
    const most = sizes[sizes.length - 1][0];
    parts.push('The largest has ' + number(most) + ' of ' + plural(head.graph.vertices, 'vertex', 'vertices') + ' (' + share(most) + ').');
  }
  if (single)
    parts.push(plural(single, 'component') + (single === 1 ? ' is a single vertex.' : ' are single vertices.'));
  if (Number(data.rows) < head.components)
    parts.push('The file has rows of ' + number(data.rows) + ' of them.');
  parts.push(shownText());
  return [plural(head.components, 'component'), parts.join(' ').trim(), ''];
}

const share = size => number(100 * size / head.graph.vertices) + ' %';

function walkStatusFact() {
  if (isPaths && head.status !== 'complete') {
    const reason = String(head.status).replace('incomplete: ', '');
    return ['The search ended early', (reasons[reason] || reason).replace(/^./, c => c.toUpperCase()) +
      ': what is listed is right, and further pairs were not searched.', 'warn'];
  }
  return ['The search is complete', isPaths ? 'All pairs were searched.' : 'The whole graph was searched.', 'good'];
}

function walkBoundFact() {
  if (isComponents)
    return ['The components are exact', 'No step of the search used chance.', 'good'];
  return ['No path is shorter', 'Each path is a shortest one, and a pair without a path has none' +
    (head.max_length ? ' of at most ' + plural(head.max_length, 'edge') : '') + '. No step of the search used chance.', 'good'];
}

/* What the check found beside that each row is right. */
function walkProof() {
  return isComponents ? 'All components were searched for again.' : 'The graph was searched again from each source: no path is shorter.';
}

function walkRowTitle(row) {
  if (isComponents)
    return 'Component ' + columnOf('component').shown(row);
  return (Number.isNaN(columnOf('length').values[row]) ? 'No path from ' : 'Path from ') + columnOf('source').text(row) + ' to ' + columnOf('target').text(row);
}

/* Says what a filter can do beside what it does everywhere. */
function walkHint() {
  if (isPaths)
    return head.found < head.searched ? ' "no path" leaves the pairs without one.' : '';
  const names = columnOf('vertices');
  return names && (data.shown < data.rows || names.values.length < columnOf('size').values.reduce((sum, size) => sum + Number(size), 0))
    ? ' Only the first vertices of a large component can be found by their names.' : '';
}

/* Says why no row can be drawn. */
function missingWalk() {
  if (isPaths && !columnOf('vertices').values.length)
    return 'The file has no vertices of paths' + (Number(head.found) ? ': it has only lengths. Without --lengths, motifsieve path writes paths that can be drawn.' : '.');
  return '';
}

/* Writes the vertices of a row as a list of terms. */
function writeWalkDetails(list, row) {
  const vertices = columnOf('vertices');
  if (!vertices)
    return;
  const names = vertices.texts(row);
  if (isPaths) {
    const types = isIdleOfWalks(columnOf('types')) ? null : columnOf('types').texts(row);
    names.forEach((name, i) => list.append(element('dt', i ? 'step ' + i + (types ? ': ' + types[i - 1] : '') : 'from'), element('dd', name)));
    return;
  }
  const size = Number(columnOf('size').values[row]), first = names.slice(0, MOST_LISTED);
  list.append(element('dt', first.length < size ? 'first ' + number(first.length) + ' vertices' : 'vertices'), element('dd', first.map(quoted).join(', ')));
}

/* ---- what is drawn ------------------------------------------------------------------------------ */

/* Returns the part of a component, or the path with some neighbours, that a row draws. */
function chooseWalk(row) {
  const drawn = Array.from(drawnColumn.items(row));
  if (isComponents) {
    const size = Number(columnOf('size').values[row]);
    return {vertices: drawn, note: drawn.length === size ? 'All vertices of the component, and all edges among them.'
      : number(drawn.length) + ' of the ' + number(size) + ' vertices of the component, those nearest to ' + strings[drawn[0]] + ', and all edges among them.'};
  }
  const length = columnOf('vertices').items(row).length, path = drawn.slice(0, Math.min(length, MOST_ON_PATH));
  if (!length)
    return {vertices: [], path, note: 'There is no path' + (head.max_length ? ' of at most ' + plural(head.max_length, 'edge') : '') + '.'};
  const around = length > path.length ? [] : drawn.slice(length);
  return {vertices: path.concat(around), path, note: (length > path.length ? 'The first ' + number(path.length) + ' of the ' + number(length) + ' vertices of the path'
    : 'The path' + (around.length ? ' and ' + plural(around.length, 'neighbour') + ' of its vertices' : '')) + ', and all edges among them.'};
}

/* Returns the numbers of the edges that a path follows: of its types where parallel edges have them. */
function edgesOfPath(row) {
  const path = Array.from(columnOf('vertices').items(row)), types = columnOf('types').items(row), edges = [];
  for (let i = 1; i < path.length; i++) {
    const between = edgesOf(path[i - 1]).filter(edge => otherEnd(edge, path[i - 1]) === path[i]);
    const own = network.type ? between.filter(edge => network.type[edge] === types[i - 1]) : [];
    edges.push(...(own.length ? own : between));
  }
  return edges;
}

/* Returns places for a path, in lines of six vertices that run to and fro, with its neighbours above and below. */
function placePath(choice) {
  const places = new Map(), beside = new Map(), line = 6;
  choice.path.forEach((v, i) => {
    const across = i % line, at = Math.floor(i / line);
    places.set(v, {x: 130 * (at % 2 ? line - 1 - across : across), y: 260 * at});
  });
  for (const v of choice.vertices.slice(choice.path.length)) {
    const near = edgesOf(v).map(edge => otherEnd(edge, v)), owner = choice.path.find(w => near.includes(w));
    const place = beside.get(owner) || 0, column = place >> 1, from = places.get(owner) || {x: 0, y: 0};
    beside.set(owner, place + 1);
    places.set(v, {x: from.x + (column % 2 ? 1 : -1) * ((column + 1) >> 1) * 26, y: from.y + (place % 2 ? 1 : -1) * (62 + 24 * (column % 3))});
  }
  return places;
}

/* ---- the distribution --------------------------------------------------------------------------- */

/* Returns bars {low, high, count}: one for each size where they are small, else from each power of two to the next. */
function walkBars() {
  const sizes = walkSizes(), bars = [];
  if (!sizes.length)
    return bars;
  const greatest = sizes[sizes.length - 1][0], fine = greatest <= 16;
  for (let low = isPaths ? 0 : 1; low <= greatest; low = fine ? low + 1 : 2 * low || 1)
    bars.push({low, high: fine ? low : Math.max(low, 2 * low - 1), count: 0});
  for (const [size, count] of sizes)
    bars.find(bar => size >= bar.low && size <= bar.high).count += count;
  return bars;
}

const barName = bar => bar.low === bar.high ? number(bar.low) : number(bar.low) + ' to ' + number(bar.high);
/* 3,000,000 as 3M, so that the titles of 20 bars do not meet. */
const brief = x => x < 10000 ? String(x) : x < 1e6 ? Math.floor(x / 1000) + 'k' : Math.floor(x / 1e6) + 'M';

/* Draws how many components have each size, or how many paths have each length; returns what that says in words. */
function drawWalkSizes(row) {
  const bars = walkBars();
  if (!bars.length)
    return '';
  const {c, frame} = openPlot(), most = Math.max(...bars.map(bar => bar.count)), step = (frame.right - frame.left) / bars.length;
  const chosen = Number(columnOf(isPaths ? 'length' : 'size').values[row]), wide = Math.min(step * 0.8, 60);
  bars.forEach((bar, i) => {
    const x = frame.left + (i + 0.5) * step, top = bar.count ? (Math.log10(bar.count) + 0.4) / (Math.log10(most) + 0.4) : 0;
    const y = frame.bottom - top * (frame.bottom - frame.top - 12);
    c.fillStyle = cssColor(chosen >= bar.low && chosen <= bar.high ? '--accent' : '--null');
    c.fillRect(x - wide / 2, y, wide, frame.bottom - y);
    c.fillStyle = cssColor('--soft');
    c.textAlign = 'center';
    c.fillText(brief(bar.low) + (bar.high > bar.low && step > 60 ? '–' + brief(bar.high) : bar.high > bar.low ? '+' : ''), x, frame.bottom + 17);
    if (bar.count)
      c.fillText(brief(bar.count), x, y - 4);
  });
  rule(c, frame.left, frame.bottom, frame.right, frame.bottom, cssColor('--soft'));
  c.fillText(isPaths ? 'length of the path' : 'number of vertices', (frame.left + frame.right) / 2, frame.bottom + 34);
  const what = isPaths ? ['path', 'paths'] : ['component', 'components'];
  return 'The ' + what[1] + (isPaths ? ' in this report by their lengths' : ' of the file by their sizes') + ', on a logarithmic scale. The bar of the chosen row is marked. ' +
    bars.filter(bar => bar.count).map(bar => barName(bar) + ': ' + plural(bar.count, what[0], what[1])).join('; ') + '.';
}
