/* Puts the page together. */
'use strict';

/* Writes all values of the row as a list. */
function writeDetails(row) {
  const list = byId('details');
  list.replaceChildren();
  const section = data.sections && data.sections.find(one => one.name === columnOf('motif').text(row));
  if (section)
    list.append(element('dt', 'colours of the motif'), element('dd', section.motif));
  for (const column of columns) {
    if (column.isList && ['labels', 'roles', 'types', 'drawn'].includes(column.name) || column.name === 'vertices')
      continue;
    list.append(element('dt', column.title), element('dd', column.shown(row)));
  }
  if (isWalkKind)
    writeWalkDetails(list, row);
  else if (network.vertices && network.vertices.isList)
    describeRow(row, (v, role, name) => {
      list.append(element('dt', role === '*' ? 'any colour' : role || 'vertex'), element('dd', name === strings[v] ? name : name + ' (' + strings[v] + ')'));
    });
}

function rowTitle(row) {
  if (isWalkKind)
    return walkRowTitle(row);
  const match = columnOf('match'), motif = columnOf('motif'), shape = columnOf('shape');
  if (isTableKind)
    return (isPatternTable ? 'Pattern ' : 'Motif ') + columnOf('name').text(row);
  if (match)
    return 'Match ' + match.shown(row);
  if (network.vertices)
    return (network.vertices.isList ? '' : 'Vertex ') + (label || network.vertices).text(row) + (motif ? ': ' + motif.text(row) : '');
  if (shape)
    return columnOf('name').text(row) === 'NA' ? shape.text(row) : columnOf('name').text(row);
  return motif ? motif.text(row) : 'Row ' + (row + 1);
}

let chosenRow = -1;

/* Shows a row: its values, and its drawing or plot. */
function showChosen(row) {
  chosenRow = row;
  byId('view-title').textContent = rowTitle(row);
  writeDetails(row);
  if (hasPlaces())
    showPlacesRow(row);
  else if (hasNetwork())
    showRow(row);
  if (plots.large)
    showPlot(row);
}

/* Draws the plot of the row.  Its words stand above it; where there is a drawing, too, above that plot and beside a button. */
function showPlot(row) {
  const words = plots.large(row), both = isWalkKind;
  byId('plot-bar').hidden = !both;
  byId('save').hidden = false;
  byId('save-plot').parentNode.hidden = !hasNetwork();
  byId(both ? 'plot-note' : 'view-note').textContent = words;
  byId('plot').setAttribute('aria-label', 'Plot. ' + words);
}

/* Says why nothing is drawn. */
function missingDrawing() {
  if (isWalkKind && missingWalk())
    return missingWalk();
  if (plots.large && !isWalkKind)
    return 'Choose a row to see its plot.';
  if (!network.vertices || isCensusKind || isTableKind)
    return 'Choose a row to see its values.';
  if (data.network)
    return 'The network is not drawn: cytoscape.js was not there when this motifsieve was built. Choose a row to see its values.';
  return 'The network is not drawn, because the report was made without the graph. To draw it, give GRAPH to motifsieve report.';
}

function openPage() {
  document.querySelector('main').classList.toggle('wide', Boolean(plots.picture || plots.small));
  table.onChoose = showChosen;
  writeWords();
  writeHead();
  writeSamples();
  openTable();
  openDownloads();
  const found = isVertexKind ? 'the vertices found' : isPaths ? 'paths' : 'matches';
  byId('view-title').textContent = hasPlaces() ? 'Positions of ' + found : hasNetwork() ? 'Network of ' + found : 'No row is chosen';
  if (hasPlaces())
    openPlaces();
  else if (hasNetwork())
    openNetwork();
  else
    byId('view-note').textContent = missingDrawing();
  if ((plots.large || isWalkKind && hasNetwork()) && data.shown)
    choose(0);
  if (head.shapes && fillsOfShapes().size)
    writeLegend(fillsOfShapes());
  const again = () => {
    table.box.querySelectorAll('canvas').length && paint();
    if (plots.large && chosenRow >= 0)
      plots.large(chosenRow);
  };
  addEventListener('resize', again);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

openPage();
