/* The data of the report: arrays in base64 become typed arrays, and columns get functions for their cells. */
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const head = data.head;
const isPatternTable = data.kind === 'patterns';
const isTableKind = ['screens', 'lists', 'mined', 'patterns'].includes(data.kind); /* a row for each motif, or pattern */
const strings = data.strings;

const arrayTypes = {u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, u64: BigUint64Array, f64: Float64Array};

/* Returns the numbers of ["u32", "BASE64"]. */
function decode(pair) {
  const text = atob(pair[1]);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++)
    bytes[i] = text.charCodeAt(i);
  return new arrayTypes[pair[0]](bytes.buffer);
}

/* Writes a real number with six digits, as result files have it. */
function exactReal(x) {
  if (Number.isNaN(x))
    return 'NA';
  if (x === 0)
    return '0';
  const size = Math.abs(x);
  return size < 1e-4 || size >= 1e6 ? shortExponent(x) : String(Number(x.toPrecision(6)));
}

function shortExponent(x) {
  const parts = Number(x.toPrecision(6)).toExponential().split('e');
  const power = parts[1].replace(/^([+-])(\d)$/, '$10$2');
  return parts[0] + 'e' + power;
}

/* Writes a number for readers: a whole one with separated thousands, another one with three digits, or all before the point. */
function number(x) {
  const value = typeof x === 'string' && /^\d+$/.test(x) ? BigInt(x) : typeof x === 'bigint' ? x : Number(x), size = Math.abs(Number(value));
  if (Number.isNaN(value))
    return 'NA';
  if (typeof value === 'bigint' || Number.isInteger(value) && size < 1e15)
    return value.toLocaleString('en-US');
  return size < 1e-3 || size >= 1e9 ? value.toExponential(2) : value.toLocaleString('en-US', size < 1000 ? {maximumSignificantDigits: 3} : {maximumFractionDigits: 0});
}

/* Writes a name as a list of names in TSV needs it. */
function quoted(name) {
  return /[,"]|^\s|\s$/.test(name) ? '"' + name.replace(/"/g, '""') + '"' : name;
}

/* A column has: name, title, isNumber, text(row) as in the file, shown(row) for readers, sortKey(row), and for lists items(row). */
class Column {
  constructor(raw) {
    this.name = raw.name;
    this.title = raw.name.replace(/_/g, ' ');
    this.kind = raw.kind;
    this.values = decode(raw.values);
    this.width = raw.width;
    this.ends = raw.ends ? decode(raw.ends) : null;
    this.isList = ['counts', 'texts', 'vertices'].includes(raw.kind);
    this.isNumber = ['count', 'real', 'flag', 'digits'].includes(raw.kind);
  }

  /* Returns the values of a list: numbers of strings, or counts. */
  items(row) {
    if (this.ends)
      return this.values.subarray(row ? Number(this.ends[row - 1]) : 0, Number(this.ends[row]));
    return this.values.subarray(row * this.width, (row + 1) * this.width);
  }

  /* Returns the texts of a list. */
  texts(row) {
    return Array.from(this.items(row), x => this.kind === 'counts' ? String(x) : strings[x]);
  }

  text(row) {
    if (this.isList)
      return this.texts(row).map(quoted).join(',');
    const value = this.values[row];
    return this.kind === 'real' ? exactReal(value) : this.kind === 'count' || this.kind === 'flag' ? String(value) : strings[value];
  }

  shown(row) {
    if (this.kind === 'counts')
      return this.texts(row).map(number).join('; ');
    return this.isList ? this.texts(row).map(quoted).join(', ') : this.isNumber ? number(this.kind === 'digits' ? this.text(row) : this.values[row]) : this.text(row);
  }

  /* Returns the value of a column of numbers. */
  number(row) {
    return Number(this.kind === 'digits' ? strings[this.values[row]] : this.values[row]);
  }

  /* Returns what rows are ordered by: a number, or a text in small letters. */
  sortKey(row) {
    return this.isNumber ? this.number(row) : this.text(row).toLowerCase();
  }
}

/* One vertex of the pattern in the matches of a pattern: a part of the column `vertices`, or of `labels`. */
class Place {
  constructor(column, place, name) {
    this.column = column;
    this.place = place;
    this.name = name;
    this.title = name;
    this.isNumber = false;
    this.isList = false;
    this.kind = 'text';
  }

  text(row) {
    return strings[this.column.items(row)[this.place]];
  }

  shown(row) {
    return this.text(row);
  }

  sortKey(row) {
    return this.text(row).toLowerCase();
  }
}

const columns = data.columns.map(raw => new Column(raw));
const columnOf = name => columns.find(column => column.name === name);

/* Returns the columns of the file.  A match of a pattern has one for each vertex of the pattern. */
function fileColumns() {
  const names = head.pattern_names;
  if (!names)
    return columns.filter(column => column.name !== 'drawn');
  const vertices = columnOf('vertices'), labels = columnOf('labels');
  const places = names.flatMap((name, i) => [new Place(vertices, i, name)]
    .concat(labels ? [new Place(labels, i, name + '.label')] : []));
  return columns.filter(column => !['vertices', 'labels', 'roles'].includes(column.name)).concat(places);
}

/* What is found stands in front, then what is drawn, then the numbers that decide.  These columns are always in the table. */
const FIRST_COLUMNS = ['component', 'pair', 'source', 'target', 'length', 'size', 'match', 'cost', 'label', 'labels', 'vertex', 'unfilled', 'extra_vertices', 'vertices', 'orbit', 'position', 'picture',
  'name', 'pattern', 'motif', 'sample', 'group', 'reference', 'null', 'ratio', 'flagged', 'matches', 'sets', 'log2_ratio', 'fold', 'z', 'p', 'q'];

/* Returns the place of a column in FIRST_COLUMNS, or its length.  Numbers of permutations stand for those of a formula that is not there. */
function rankOf(column) {
  const formula = column.name.replace(/^perm_/, ''), name = columnOf(formula) ? column.name : formula;
  const rank = column instanceof Place ? FIRST_COLUMNS.indexOf('vertices') - /\.label$/.test(name) : FIRST_COLUMNS.indexOf(name);
  return data.sections && name === 'motif' ? -1 : rank < 0 && name === String(head.sort).replace(/\W/g, '_') ? FIRST_COLUMNS.length - 1 : rank < 0 ? FIRST_COLUMNS.length : rank;
}

/* Returns the columns that the table can have: those of the file that say something. */
function shownColumns() {
  const same = (name, value) => column => column.name === name && !isTableKind && column.values.every(x => Number(x) === value);
  const idle = [same('flagged', 1), same('repetitions', 0), same('k', head.k)];
  return fileColumns().filter(column => !idle.some(test => test(column)) && !isIdleOfWalks(column))
    .concat([plots.picture, plots.small].filter(Boolean)).sort((a, b) => rankOf(a) - rankOf(b));
}

/* Returns an element with this text, which is never read as HTML. */
function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined)
    made.textContent = text;
  if (className)
    made.className = className;
  return made;
}

const byId = id => document.getElementById(id);
const plural = (count, one, many) => number(count) + ' ' + (Number(count) === 1 ? one : many || one + 's');
