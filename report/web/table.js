/* The table of rows.  Only the rows in sight are in the page, so that 10^5 rows cost no more than 30. */
'use strict';

const table = {
  box: byId('table'),
  space: element('div', undefined, 'grid-space'),
  body: element('div'),
  all: [], shown: [],         /* the columns that there are, and those in the table */
  picked: null,               /* a set of columns: those that the reader chose */
  order: new Uint32Array(0),  /* numbers of the rows that the filter leaves, in the order of the table */
  sort: null, descending: false,
  at: -1,                     /* place in `order` of the chosen row; -1: none */
  rowHeight: 28,
  template: '', width: '',    /* of the columns, and of all */
  onChoose: null,             /* called with the number of a row */
};

/* Browsers cannot scroll through more pixels than about 10^7. */
const MOST_PIXELS = 8e6;

/* ---- the filter --------------------------------------------------------------------------- */

const comparisons = {'>': (a, b) => a > b, '<': (a, b) => a < b, '>=': (a, b) => a >= b, '<=': (a, b) => a <= b, '=': (a, b) => a === b};

/* Returns a function that says whether a row has the word: in one of its names, or as a number. */
function wordTest(word) {
  const hits = Uint8Array.from(strings, text => text.toLowerCase().includes(word));
  const tests = columns.map(column => {
    if (column.isList && column.kind !== 'counts')
      return row => column.items(row).some(id => hits[id]);
    if (column.isNumber || column.isList)
      return row => column.text(row) === word || column.shown(row) === word;
    return row => hits[column.values[row]];
  });
  return row => tests.some(test => test(row));
}

/* Returns the names of the roles that vertices have, by their small letters. */
let rolesOfFilter = null;
function knownRoles() {
  rolesOfFilter = rolesOfFilter || new Map((network.vertices ? [...chooseColors().keys()] : []).map(role => [role.toLowerCase(), role]));
  return rolesOfFilter;
}

/* Reads `ROLE:NAME`: a vertex with this role has this in its name or label; `role:ROLE`: a vertex has this role.  Returns a test, or nothing. */
function roleTest(word) {
  const colon = word.indexOf(':', word.startsWith('"') ? word.indexOf('"', 1) : 0), [role, name] = [word.slice(0, colon), word.slice(colon + 1)].map(part => part.replace(/"/g, ''));
  const anyName = role === 'role' && !knownRoles().has(role), wanted = anyName ? name : role;
  if (colon < 1 || !name || !anyName && !knownRoles().has(wanted))
    return null;
  if (![...knownRoles().keys()].some(known => anyName ? known.includes(wanted) : known === wanted))
    throw new Error('no vertex has the role ' + wanted + '; there are: ' + [...knownRoles().values()].join(', '));
  return row => {
    let found = false;
    describeRow(row, (v, itsRole, label) => {
      const own = itsRole.toLowerCase();
      found = found || (anyName ? own.includes(wanted) : own === wanted && (strings[v].toLowerCase().includes(name) || label.toLowerCase().includes(name)));
    });
    return found;
  };
}

/* Reads "column>number", "column=text", "role:name" and words; returns the tests, or throws what is wrong. */
function readFilter(text) {
  const words = text.toLowerCase().match(/(?:"[^"]*"|[^\s"])+|"/g) || [];
  return words.map(word => {
    const parts = word.match(/^([a-z0-9_.]+)(>=|<=|>|<|=)(.+)$/);
    if (!parts)
      return roleTest(word) || wordTest(word.replace(/"/g, ''));
    const column = columns.concat(table.all).find(c => !c.plot && [c.name, c.title].some(name => name.toLowerCase() === parts[1]));
    if (!column)
      throw new Error('there is no column ' + parts[1] + '; there are: ' + table.all.filter(c => !c.plot).map(c => c.name).join(', ') + '. Put a word with ' + parts[2] + ' in quotes');
    if (!column.isNumber && parts[2] === '=')
      return row => column.text(row).toLowerCase().includes(parts[3].replace(/"/g, ''));
    const limit = Number(parts[3].replace(/,/g, ''));
    if (!column.isNumber || Number.isNaN(limit))
      throw new Error(column.isNumber ? parts[3] + ' is not a number' : column.name + ' has names: write ' + column.name + '=text');
    const compare = comparisons[parts[2]];
    return row => compare(column.number(row), limit);
  });
}

/* Explains the filter by examples from this result. */
function filterWords() {
  const numbers = table.all.filter(column => column.isNumber && !['match', 'flagged', 'repetitions', 'component', 'pair'].includes(column.name));
  const column = numbers.find(c => /^(perm_)?q$/.test(c.name)) || numbers.find(c => c.name === String(head.sort).replace(/\W/g, '_')) || numbers[0];
  const middle = column && Array.from({length: data.shown}, (_, row) => column.number(row)).filter(x => x === x).sort((a, b) => a - b);
  const comparison = column && middle.length && column.name + (/^(perm_)?q$/.test(column.name) ? '<0.05' : '>' + Number(middle[middle.length >> 1].toPrecision(3)));
  let role = '';
  if (data.shown && knownRoles().size)
    describeRow(0, (v, itsRole, label) => { role = role || itsRole && (/[\s:]/.test(itsRole) ? '"' + itsRole + '"' : itsRole) + ':' + label; });
  return 'Rows must have all words' + (comparison ? '; numbers: ' + comparison : '') + (role.length > 1 && role.length < 40 ? '; a vertex with a role: ' + role : '') + '; quotes keep blanks together.' +
    (isWalkKind ? walkHint() : '');
}

/* ---- the order ------------------------------------------------------------------------------ */

let ranks = null;

/* Returns the places of all strings in their natural order, in which p2 comes before p10. */
function stringRanks() {
  if (ranks)
    return ranks;
  const collator = new Intl.Collator('en', {numeric: true, sensitivity: 'base'});
  const ids = Uint32Array.from(strings.keys()).sort((a, b) => collator.compare(strings[a], strings[b]) || a - b);
  ranks = new Uint32Array(strings.length);
  ids.forEach((id, place) => { ranks[id] = place; });
  return ranks;
}

/* Returns what the rows are compared by. */
function sortKeys(column) {
  if (column.kind === 'text' && column.values || column.kind === 'vertex')
    return Float64Array.from(column.values, id => stringRanks()[id]);
  if (column.isNumber)
    return Float64Array.from({length: data.shown}, (_, row) => column.number(row));
  const rank = stringRanks();
  const firsts = column.column ? row => rank[column.column.items(row)[column.place]] : null;
  if (firsts)
    return Float64Array.from({length: data.shown}, (_, row) => firsts(row));
  return Array.from({length: data.shown}, (_, row) => column.sortKey(row));
}

function sortRows() {
  if (!table.sort) {
    table.order.sort();
    return;
  }
  const keys = sortKeys(table.sort), sign = table.descending ? -1 : 1;
  const missing = key => key !== key; /* NaN: it comes last in either direction */
  table.order.sort((a, b) => {
    const x = keys[a], y = keys[b];
    if (missing(x) || missing(y))
      return missing(x) - missing(y) || a - b;
    return (x < y ? -sign : x > y ? sign : 0) || a - b;
  });
}

/* Shows the rows that the filter leaves. */
function applyFilter() {
  const chosen = table.order[table.at], help = byId('filter-help');
  let tests;
  try {
    tests = readFilter(byId('filter').value);
    help.classList.remove('wrong');
    help.textContent = filterHint;
  } catch (error) {
    help.classList.add('wrong');
    help.textContent = 'The filter cannot be read: ' + error.message + '.';
    return;
  }
  const left = [];
  for (let row = 0; row < data.shown; row++)
    if (tests.every(test => test(row)))
      left.push(row);
  table.order = Uint32Array.from(left);
  sortRows();
  table.at = table.order.indexOf(chosen);
  byId('count').textContent = left.length === data.shown ? plural(data.shown, 'row') : number(left.length) + ' of ' + plural(data.shown, 'row');
  table.box.scrollTop = 0;
  layOut();
}

let filterHint = '';

/* ---- drawing ----------------------------------------------------------------------------------- */

const pen = element('canvas').getContext('2d');

/* Returns the widths in pixels that a column needs at least, and those that its title and first rows fill. */
function widthOf(column) {
  if (column.plot)
    return [column.pixels, column.pixels];
  pen.font = 'bold ' + getComputedStyle(table.box).font;
  const title = pen.measureText(column.title + ' ▾').width;
  pen.font = getComputedStyle(table.box).font;
  const texts = Array.from({length: Math.min(data.shown, 100)}, (_, row) => pen.measureText(column.shown(row)).width);
  const full = Math.ceil(Math.max(title, ...texts)) + 18;
  return column.isNumber ? [full, full] : [Math.min(full, 130), Math.min(full, 320)];
}

/* Chooses the columns, unless the reader did, and their widths; columns of names share what is left. */
function chooseColumns() {
  const room = table.box.clientWidth, widths = new Map(table.all.map(column => [column, widthOf(column)]));
  let used = 0;
  table.shown = table.all.filter(column => {
    const [, full] = widths.get(column), isShown = table.picked ? table.picked.has(column) : rankOf(column) < FIRST_COLUMNS.length || used + full <= room;
    used += isShown ? full : 0;
    return isShown;
  });
  const grows = column => !column.isNumber && !column.plot, none = !table.shown.some(grows);
  table.template = table.shown.map(column => grows(column) || none ? 'minmax(' + widths.get(column)[0] + 'px, ' + widths.get(column)[1] + 'fr)' : widths.get(column)[0] + 'px').join(' ');
  table.width = Math.max(room, table.shown.reduce((sum, column) => sum + widths.get(column)[0], 0)) + 'px';
  table.box.firstChild.replaceWith(makeHead());
  byId('columns').firstChild.textContent = 'Columns: ' + table.shown.length + ' of ' + table.all.length;
  byId('columns').querySelectorAll('input').forEach((input, i) => { input.checked = table.shown.includes(table.all[i]); });
}

/* Makes the list in which readers choose columns. */
function makeColumnList() {
  for (const column of table.all) {
    const line = element('label'), input = element('input');
    input.type = 'checkbox';
    input.addEventListener('change', () => {
      table.picked = new Set(table.all.filter((_, i) => byId('columns').querySelectorAll('input')[i].checked));
      layOut();
    });
    line.append(input, ' ' + column.title);
    byId('columns').lastElementChild.append(line);
  }
}

function makeHead() {
  const line = element('div', undefined, 'grid-head');
  line.setAttribute('role', 'row');
  line.style.gridTemplateColumns = table.template;
  line.style.width = table.width;
  for (const column of table.shown) {
    const cell = element('div'), button = element(column.plot ? 'span' : 'button', column.title, column.isNumber ? 'number' : '');
    cell.setAttribute('role', 'columnheader');
    button.title = column.plot ? column.explanation : 'Sort by ' + column.title;
    if (!column.plot) {
      button.type = 'button';
      button.dataset.column = column.name;
      button.addEventListener('click', () => sortBy(column));
    }
    cell.append(button);
    line.append(cell);
  }
  markSort(line);
  return line;
}

/* Says in the titles by which column the rows are sorted. */
function markSort(line) {
  for (const button of line.querySelectorAll('button')) {
    const sorted = table.sort && table.sort.name === button.dataset.column;
    button.parentNode.setAttribute('aria-sort', !sorted ? 'none' : table.descending ? 'descending' : 'ascending');
    button.textContent = table.all.find(c => c.name === button.dataset.column).title + (sorted ? (table.descending ? ' ▾' : ' ▴') : '');
  }
}

/* Sorts by the column: numbers the greatest first, names from A to Z; again: the other way; then as in the file. */
function sortBy(column) {
  const first = column.isNumber && !/^(p|q|match|perm_p|perm_q)/.test(column.name);
  if (table.sort !== column) {
    table.sort = column;
    table.descending = first;
  } else if (table.descending === first) {
    table.descending = !first;
  } else {
    table.sort = null;
  }
  const chosen = table.order[table.at];
  sortRows();
  table.at = table.order.indexOf(chosen);
  markSort(table.box.firstChild);
  table.box.scrollTop = 0;
  paint();
}

function totalHeight() {
  return Math.min(table.order.length * table.rowHeight, MOST_PIXELS);
}

function headHeight() {
  return table.box.firstChild.offsetHeight;
}

/* Returns the place of the first row in sight.  Beyond MOST_PIXELS, a pixel stands for several rows. */
function firstInSight() {
  const all = table.order.length * table.rowHeight, room = table.box.clientHeight - headHeight();
  if (all <= MOST_PIXELS)
    return Math.floor(table.box.scrollTop / table.rowHeight);
  const share = table.box.scrollTop / Math.max(1, MOST_PIXELS - room);
  return Math.floor(share * (table.order.length - Math.floor(room / table.rowHeight)));
}

function makeRow(place, top) {
  const row = table.order[place], line = element('div', undefined, 'grid-row' + (place === table.at ? ' current' : ''));
  line.id = 'row-' + row;
  line.setAttribute('role', 'row');
  line.setAttribute('aria-rowindex', place + 2);
  line.setAttribute('aria-selected', place === table.at);
  line.style.top = top + 'px';
  line.style.gridTemplateColumns = table.template;
  line.style.width = table.width;
  for (const column of table.shown) {
    const text = column.plot ? '' : column.shown(row);
    const cell = element('div', text, column.isNumber ? 'number' : '');
    cell.setAttribute('role', 'gridcell');
    if (text.length > 15 || column.kind === 'real')
      cell.title = column.text(row);
    if (column.plot) {
      column.plot(cell, row);
      cell.setAttribute('aria-label', 'plot');
    }
    line.append(cell);
  }
  line.addEventListener('click', () => choose(place));
  return line;
}

/* Puts the rows in sight into the page. */
function paint() {
  const first = Math.max(0, firstInSight() - 4), room = table.box.clientHeight / table.rowHeight;
  const end = Math.min(table.order.length, first + Math.ceil(room) + 10);
  const exact = table.order.length * table.rowHeight <= MOST_PIXELS;
  const offset = headHeight() + (exact ? first * table.rowHeight : table.box.scrollTop - 4 * table.rowHeight);
  const lines = [];
  for (let place = first; place < end; place++)
    lines.push(makeRow(place, Math.max(headHeight(), offset) + (place - first) * table.rowHeight));
  table.body.replaceChildren(...lines);
  const chosen = table.order[table.at];
  if (chosen !== undefined && byId('row-' + chosen))
    table.box.setAttribute('aria-activedescendant', 'row-' + chosen);
  else
    table.box.removeAttribute('aria-activedescendant');
}

/* Adapts to another number of rows or another size of the window. */
function layOut() {
  table.rowHeight = matchMedia('(max-width: 900px)').matches ? 40 : 28;
  table.space.style.height = totalHeight() + 'px';
  table.box.setAttribute('aria-rowcount', table.order.length + 1);
  chooseColumns();
  paint();
}

/* ---- choosing ---------------------------------------------------------------------------------- */

function bringIntoSight(place) {
  const room = table.box.clientHeight - headHeight(), height = table.rowHeight;
  if (table.order.length * height > MOST_PIXELS) {
    const first = firstInSight();
    if (place < first || place >= first + Math.floor(room / height))
      table.box.scrollTop = place / table.order.length * (MOST_PIXELS - room);
    return;
  }
  if (place * height < table.box.scrollTop)
    table.box.scrollTop = place * height;
  else if ((place + 1) * height > table.box.scrollTop + room)
    table.box.scrollTop = (place + 1) * height - room;
}

/* Chooses a row by its place in the table. */
function choose(place) {
  if (!table.order.length)
    return;
  table.at = Math.min(Math.max(place, 0), table.order.length - 1);
  bringIntoSight(table.at);
  paint();
  table.onChoose(table.order[table.at]);
}

function onKey(event) {
  const page = Math.max(1, Math.floor(table.box.clientHeight / table.rowHeight) - 2);
  const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity, Enter: 0, ' ': 0};
  if (event.target !== table.box || !(event.key in steps))
    return;
  event.preventDefault();
  choose(table.at < 0 ? (event.key === 'End' ? Infinity : 0) : table.at + steps[event.key]);
}

/* ---- paper --------------------------------------------------------------------------------------- */

/* More rows are some 20 pages, and would take long to lay out. */
const MOST_PRINTED = 1000;

/* Puts the rows that the filter leaves into the page as a plain table, which only print shows. */
function printRows() {
  const rows = table.order.subarray(0, MOST_PRINTED), shown = table.shown.filter(column => !column.plot);
  const printed = element('table'), head = element('tr');
  printed.append(element('caption', rows.length === data.shown ? 'All rows' :
    (rows.length < table.order.length ? 'The first ' + number(rows.length) + ' of ' : '') + plural(table.order.length, 'row') +
    (table.order.length < data.shown ? ' that the filter leaves, of ' + number(data.shown) : '')));
  shown.forEach(column => head.append(element('th', column.title)));
  printed.append(head);
  for (const row of rows) {
    const line = element('tr');
    shown.forEach(column => line.append(element('td', column.shown(row))));
    printed.append(line);
  }
  byId('printed').replaceChildren(printed);
}

function openTable() {
  addEventListener('beforeprint', printRows);
  addEventListener('afterprint', () => byId('printed').replaceChildren());
  table.all = shownColumns();
  makeColumnList();
  table.box.append(element('div'), table.space, table.body);
  table.order = Uint32Array.from({length: data.shown}, (_, row) => row);
  filterHint = filterWords();
  byId('filter-help').textContent = filterHint;
  let waiting = 0;
  byId('filter').addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(applyFilter, 80);
  });
  table.box.addEventListener('scroll', paint, {passive: true});
  table.box.addEventListener('keydown', onKey);
  addEventListener('resize', layOut);
  applyFilter();
}
