/* Plots of numbers: the observed count in its null distribution, differences of groups, counts of samples. */
'use strict';

const statistic = name => columnOf(name) || columnOf('perm_' + name);

/* ---- drawing on a canvas ------------------------------------------------------------------------- */

/* Receives what is drawn while a picture is saved. */
let savedPen = null;

/* Prepares a canvas for its size in the page, and returns its context, scaled to CSS pixels.  ratio: pixels of the canvas in one of CSS. */
function prepare(canvas, width, height, ratio = window.devicePixelRatio || 1) {
  if (savedPen && canvas.isConnected)
    return savedPen;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const c = canvas.getContext('2d');
  c.scale(ratio, ratio);
  c.font = '12px system-ui, "DejaVu Sans", sans-serif';
  return c;
}

function dot(c, x, y, radius, color) {
  c.fillStyle = color;
  c.beginPath();
  c.arc(x, y, radius, 0, 2 * Math.PI);
  c.fill();
}

function rule(c, x1, y1, x2, y2, color, width) {
  c.strokeStyle = color;
  c.lineWidth = width || 1;
  c.beginPath();
  c.moveTo(x1, y1);
  c.lineTo(x2, y2);
  c.stroke();
}

/* ---- the null distribution ------------------------------------------------------------------------- */

/* The probabilities of a Polya-Aeppli variable with this mean and variance: a Poisson number of groups, of geometric
 * sizes.  With theta = (v - 1) / (v + 1), v = variance / mean, and lambda = mean (1 - theta):
 *   p(0) = exp(-lambda),  (n + 1) p(n + 1) = (lambda (1 - theta) + 2 theta n) p(n) - theta^2 (n - 1) p(n - 1)
 * (Johnson, Kemp and Kotz: Univariate Discrete Distributions, 9.7).  Without more variance than a Poisson variable has,
 * theta is 0.  The values are scaled; returns null if there are too many. */
function polyaAeppli(mean, sd, most) {
  const v = Math.max(1, sd * sd / mean), theta = (v - 1) / (v + 1), lambda = mean * (1 - theta);
  if (most > 20000)
    return null;
  const p = new Float64Array(most + 1);
  let before = 0, now = 1, greatest = 1;
  p[0] = 1;
  for (let n = 0; n < most; n++) {
    const next = ((lambda * (1 - theta) + 2 * theta * n) * now - theta * theta * (n - 1) * (n ? before : 0)) / (n + 1);
    before = now;
    now = Math.max(next, 0);
    p[n + 1] = now;
    greatest = Math.max(greatest, now);
    if (greatest > 1e250) { /* of large numbers, only the part near the mean matters */
      for (let i = 0; i <= n + 1; i++)
        p[i] *= 1e-250;
      before *= 1e-250;
      now *= 1e-250;
      greatest *= 1e-250;
    }
  }
  return p;
}

const normal = (x, mean, sd) => Math.exp(-0.5 * ((x - mean) / sd) ** 2);

/* Returns the curves of the null for a row: where its mean and deviation are known. */
function nullCurves(row) {
  const curves = [];
  for (const [prefix, name] of [['', 'by formula'], ['perm_', 'by permutations']]) {
    const mean = columnOf(prefix + 'expected'), sd = columnOf(prefix + 'sd');
    if (mean && sd && mean.values[row] >= 0 && sd.values[row] > 0)
      curves.push({prefix, name, mean: mean.values[row], sd: sd.values[row]});
  }
  return curves;
}

/* A small plot for a row of a census: the null in units of its standard deviation, and the observed number.  The axis
 * is compressed by asinh, so that z = 2 and z = 200 are both in sight. */
const nullPlot = {
  name: 'null', title: 'plot of z', plot: drawSmallNull, isNumber: false, isList: false, kind: 'plot', pixels: 128, text: () => '', shown: () => '',
  explanation: 'The grey hill is what is expected by chance, the dot is the observed number; far to the right or left means z far from 0',
};

let widest = 0;

function drawSmallNull(cell, row) {
  const z = statistic('z').values[row], q = statistic('q'), less = statistic('q_less');
  const canvas = element('canvas'), width = 112, height = 24;
  if (!widest)
    widest = Math.asinh(Math.max(5, ...Array.from(statistic('z').values, x => Number.isFinite(x) ? Math.abs(x) : 0)));
  const at = x => width / 2 + (width / 2 - 8) * Math.asinh(x) / widest;
  const c = prepare(canvas, width, height);
  canvas.style.width = width + 'px';
  canvas.style.height = height + 'px';
  c.fillStyle = cssColor('--null');
  c.beginPath();
  c.moveTo(at(-4), height - 4);
  for (let x = -4; x <= 4; x += 0.2)
    c.lineTo(at(x), height - 4 - (height - 8) * normal(x, 0, 1));
  c.fill();
  rule(c, 4, height - 3.5, width - 4, height - 3.5, cssColor('--line'));
  if (Number.isFinite(z)) {
    const strong = (q && q.values[row] < 0.05) || (less && less.values[row] < 0.05);
    dot(c, at(z), height / 2 + 1, 4.5, cssColor(strong ? '--accent' : '--soft'));
  }
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'z ' + number(z));
  cell.append(canvas);
}

/* ---- the axis of counts --------------------------------------------------------------------------------- */

/* Returns round numbers that divide low..high. */
function ticks(low, high) {
  const rough = (high - low) / 5 || 1, power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map(x => x * power).find(x => x >= rough), all = [];
  for (let x = Math.ceil(low / step) * step; x <= high + step / 1e6; x += step)
    all.push(Math.abs(x) < step / 1e6 ? 0 : x);
  return all;
}

function drawAxis(c, frame, low, high, title) {
  const at = x => frame.left + (x - low) / (high - low) * (frame.right - frame.left);
  rule(c, frame.left, frame.bottom, frame.right, frame.bottom, cssColor('--soft'));
  c.fillStyle = cssColor('--soft');
  c.textAlign = 'center';
  for (const x of ticks(low, high)) {
    rule(c, at(x), frame.bottom, at(x), frame.bottom + 4, cssColor('--soft'));
    c.fillText(number(x), at(x), frame.bottom + 17);
  }
  c.fillText(title, (frame.left + frame.right) / 2, frame.bottom + 34);
  return at;
}

/* Opens the large plot; returns its context and the frame of its axis.  pixels: its height, if it is not the usual one. */
function openPlot(pixels) {
  const canvas = byId('plot');
  canvas.hidden = false;
  canvas.style.height = pixels ? pixels + 'px' : '';
  const width = canvas.clientWidth, height = canvas.clientHeight, c = prepare(canvas, width, height);
  c.fillStyle = cssColor('--paper');
  c.fillRect(0, 0, width, height);
  return {c, frame: {left: 20, right: width - 20, top: 24, bottom: height - 44}, width, height};
}

/* ---- the observed count in its null ------------------------------------------------------------------------ */

function curvePoints(curve, low, high) {
  const most = Math.ceil(high), exact = curve.prefix === '' ? polyaAeppli(curve.mean, curve.sd, most) : null;
  const points = [], steps = 300;
  for (let i = 0; i <= steps; i++) {
    const x = low + (high - low) * i / steps;
    points.push([x, exact ? exact[Math.min(most, Math.max(0, Math.round(x)))] : normal(x, curve.mean, curve.sd)]);
  }
  const top = Math.max(...points.map(point => point[1])) || 1;
  curve.law = exact ? 'Pólya-Aeppli distribution' : 'normal curve';
  return points.map(([x, y]) => [x, y / top]);
}

/* place: the context and the frame, in a plot that is open; else it is opened. */
function drawNull(row, place) {
  const curves = nullCurves(row), observed = Number(isPatternTable ? columnOf('matches').text(row) : columnOf('sets').values[row]);
  if (!curves.length)
    return 'There is no null distribution for this ' + (isPatternTable ? 'pattern' : head.shapes ? 'shape' : 'motif') +
      ': its standard deviation is 0 or not known.';
  const {c, frame} = place || openPlot();
  const low = Math.max(0, Math.min(observed, ...curves.map(x => x.mean - 4.5 * x.sd)));
  let high = Math.max(observed, ...curves.map(x => x.mean + 4.5 * x.sd));
  high += (high - low) * 0.05;
  const at = drawAxis(c, frame, low, high, isPatternTable ? 'number of matches' : 'number of connected sets');
  const height = y => frame.bottom - y * (frame.bottom - frame.top - 16);
  curves.forEach((curve, i) => {
    const points = curvePoints(curve, low, high);
    c.beginPath();
    c.moveTo(at(low), frame.bottom);
    points.forEach(([x, y]) => c.lineTo(at(x), height(y)));
    c.lineTo(at(high), frame.bottom);
    c.fillStyle = cssColor('--null');
    c.globalAlpha = i ? 0 : 0.8;
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = cssColor('--soft');
    c.setLineDash(i ? [5, 4] : []);
    c.stroke();
    c.setLineDash([]);
  });
  rule(c, at(observed), frame.top, at(observed), frame.bottom, cssColor('--accent'), 3);
  c.fillStyle = cssColor('--accent');
  c.textAlign = at(observed) > (frame.left + frame.right) / 2 ? 'right' : 'left';
  c.fillText('observed: ' + number(observed), at(observed) + (c.textAlign === 'right' ? -8 : 8), frame.top + 4);
  const sentences = curves.map((curve, i) => (i ? 'Dashed: ' : 'Grey: ') + 'the null ' + curve.name + ', a ' + curve.law +
    ' with its mean and standard deviation' + (curve.prefix ? ' (the file does not keep single permutations)' : ''));
  const source = columnOf('p_by') && columnOf('p_by').text(row);
  if (source === 'fit')
    sentences.push('p and p_less are the greatest of several fits with this mean and standard deviation, never less than the tails of the grey curve');
  else if (source === 'bound')
    sentences.push('p and p_less are upper bounds for every distribution with this mean and standard deviation, whatever the tails of the grey curve');
  return sentences.join('. ') + '.';
}

/* ---- comparisons -------------------------------------------------------------------------------------------- */

/* A small plot for a row of a comparison: the logarithm of the ratio as a bar to the left or to the right. */
const ratioPlot = {
  name: 'ratio', title: 'difference', plot: drawSmallRatio, isNumber: false, isList: false, kind: 'plot', pixels: 146, text: () => '', shown: () => '',
  explanation: 'To the right: the motif has a greater share in the group than in the reference (log2 ratio)',
};

let widestRatio = 0;

function drawSmallRatio(cell, row) {
  const ratio = columnOf('log2_ratio').values, width = 130, height = 24, canvas = element('canvas');
  if (!widestRatio)
    widestRatio = Math.max(1, ...Array.from(ratio, x => Number.isFinite(x) ? Math.abs(x) : 0));
  const c = prepare(canvas, width, height), x = ratio[row], q = columnOf('q').values[row];
  canvas.style.width = width + 'px';
  canvas.style.height = height + 'px';
  rule(c, width / 2, 2, width / 2, height - 2, cssColor('--line'));
  if (Number.isFinite(x)) {
    c.fillStyle = cssColor(q < 0.05 ? '--accent' : '--soft');
    c.fillRect(width / 2, 7, x / widestRatio * (width / 2 - 4), height - 14);
  }
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'log2 ratio ' + number(x));
  cell.append(canvas);
}

/* Draws groups of shares: a line for each, a dot for each sample, and the mean as a bar; the chosen sample is larger. */
function drawGroups(groups, title, chosen) {
  const {c, frame} = openPlot(), shares = groups.flatMap(group => [group.mean, ...group.samples.map(sample => sample.share)]);
  const at = drawAxis(c, frame, 0, Math.max(1e-12, ...shares.filter(Number.isFinite)) * 1.08, title), step = (frame.bottom - frame.top) / groups.length;
  groups.forEach((group, i) => {
    const y = frame.top + (i + 0.6) * step, color = roleColor(i);
    rule(c, frame.left, y, frame.right, y, cssColor('--line'));
    group.samples.forEach(sample => dot(c, at(sample.share), y, sample.name === chosen ? 8 : 5, color));
    rule(c, at(group.mean), y - 14, at(group.mean), y + 14, cssColor('--ink'), 2.5);
    c.fillStyle = cssColor('--ink');
    c.textAlign = 'left';
    c.fillText(group.name + ': mean ' + number(group.mean) + (group.samples.length ? ' of ' + plural(group.samples.length, 'sample') : ''), frame.left, y - 18);
  });
}

/* Returns the shares of a motif in the samples of each group of a table of counts, which has the columns of COUNTS or of this result. */
function groupsOfMotif(motif, cell, rows) {
  const groups = new Map();
  for (let row = 0; row < rows; row++)
    if (cell('motif', row) === motif) {
      const name = cell('group', row), share = cell('share', row);
      groups.set(name, (groups.get(name) || []).concat(Number.isFinite(share) ? {name: cell('sample', row), share} : []));
    }
  return [...groups].map(([name, samples]) => ({name, samples, mean: samples.reduce((sum, sample) => sum + sample.share, 0) / samples.length}));
}

/* Draws the shares of the two groups of a comparison. */
function drawComparison(row) {
  const value = name => columnOf(name).text(row), groups = [['group', 'rate'], ['reference', 'reference_rate']]
    .map(([name, rate]) => ({name: value(name), mean: columnOf(rate).values[row], samples: []}));
  if (data.counts) {
    const of = sampleCounts(), all = groupsOfMotif(value('motif'), of.cell, of.rows);
    groups.forEach(group => { group.samples = (all.find(one => one.name === group.name) || group).samples; });
  }
  drawGroups(groups, 'share of the connected sets of a sample');
  return 'The share of the motif in the samples of each group: ' + (data.counts ? 'a dot is a sample, and ' : '') + 'the bar is the mean.' +
    (data.counts ? '' : ' To draw each sample, give the file of compare --counts to motifsieve report --counts.');
}

/* Returns the counts of samples that were given to the report of a comparison. */
let countsOfSamples = null;
function sampleCounts() {
  if (!countsOfSamples) {
    const columns = new Map(data.counts.columns.map(raw => [raw.name, {text: raw.kind === 'text', values: decode(raw.values)}]));
    countsOfSamples = {rows: columns.get('motif').values.length, cell: (name, row) => {
      const column = columns.get(name);
      return column.text ? data.counts.strings[column.values[row]] : column.values[row];
    }};
  }
  return countsOfSamples;
}

/* Draws the shares of a motif in all samples. */
function drawSamples(row) {
  const cell = (name, other) => name === 'share' ? columnOf(name).values[other] : columnOf(name).text(other);
  drawGroups(groupsOfMotif(cell('motif', row), cell, data.shown), 'share of the connected sets of the sample', cell('sample', row));
  return 'Each dot is a sample, and the bar is the mean of a group; the chosen sample is ' + cell('sample', row) + '. Only samples in this report are drawn.';
}

/* ---- which plots there are ------------------------------------------------------------------------------------ */

const plots = {
  picture: head.shapes && columnOf('shape') ? shapePicture : null,
  small: (data.kind === 'census' || isPatternTable) && statistic('z') ? nullPlot : data.kind === 'comparison' ? ratioPlot : null,
  large: drawsOrbits ? drawOrbits : drawsProfile ? drawProfile :
    (data.kind === 'census' || isPatternTable) && statistic('z') ? row => drawNull(row) : data.kind === 'comparison' ? drawComparison
    : data.kind === 'sample counts' ? drawSamples : isWalkKind && data.shown > 1 && walkSizes().length ? drawWalkSizes : null,
};
