/* What was asked and how sure the answer is, in words. */
'use strict';

const isMotifKind = ['screen', 'list', 'participation', 'nearest screen', 'nearest list'].includes(data.kind);
const isPositionKind = ['pattern participation', 'typed participation'].includes(data.kind);
const isPatternKind = isPositionKind || ['pattern screen', 'typed screen', 'match', 'typed match'].includes(data.kind);
const isCensusKind = data.kind === 'census' || data.kind === 'vertex census';
const isSampleKind = data.kind === 'comparison' || data.kind === 'sample counts';
const isVertexKind = isPositionKind || ['screen', 'pattern screen', 'typed screen', 'nearest screen', 'participation'].includes(data.kind);

function fileName(path) {
  return path ? path.replace(/^.*\//, '') : '';
}

function patternText() {
  const p = head.pattern || {};
  return p.name || p.text || fileName(p.path);
}

/* Returns the object of the search: a motif, a pattern, or the motifs of a size. */
function wanted() {
  if (data.sections)
    return plural(data.sections[0].sections, 'motif');
  if (isTableKind)
    return plural(data.rows, isPatternTable ? 'pattern' : 'motif');
  if (isMotifKind)
    return head.motif;
  return isPatternKind ? patternText() : (head.shapes ? 'shapes of ' : 'motifs of ') + plural(head.k, 'vertex', 'vertices');
}

function titleText() {
  if (isWalkKind)
    return walkTitle();
  const names = {'screen': 'Vertices in a match of ', 'pattern screen': 'Vertices in a match of ',
    'typed screen': 'Vertices in a match of ', 'nearest screen': 'Vertices near a match of ',
    'participation': 'Matches of each vertex: ', 'pattern participation': 'Matches of each vertex: ',
    'typed participation': 'Matches of each vertex: ', 'list': 'Matches of ', 'nearest list': 'Nearest matches of ',
    'match': 'Matches of ', 'typed match': 'Matches of ', 'census': 'Census of ', 'vertex census': 'Census of each vertex: ',
    'comparison': 'Comparison of samples: ', 'sample counts': 'Counts in samples: ', 'screens': 'Vertices in matches of ',
    'lists': 'Matches of ', 'mined': 'Mining: ', 'patterns': 'Matches of '};
  if (head.mode === 'inexact')
    return 'Near matches of ' + wanted();
  return names[data.kind] + wanted();
}

/* ---- the question ---------------------------------------------------------------------- */

function graphText() {
  const g = head.graph;
  const where = (head.sheet ? 'the samples of ' : '') + fileName(g.path);
  return where + ' (' + plural(g.vertices, 'vertex', 'vertices') + ', ' + plural(g.edges, 'edge') + ')';
}

function limitsText() {
  const parts = [];
  if (head.required && head.required.length)
    parts.push('Each match holds ' + head.required.join(' and ') + '.');
  if (head.sampled !== undefined)
    parts.push('The rows are a random sample: ' + number(head.sampled) + ' of ' + number(head.sampled_from) + ' matches.');
  if (head.diverse)
    parts.push('No two matches share a vertex, and no further match can be added.');
  if (head.family_share)
    parts.push('Each row stands for a family of matches that share at least ' + number(100 * head.family_share) +
      ' % of their vertices with it.');
  if (head.sort)
    parts.push('The rows with the ' + (isCensusKind && head.sort !== 'z' ? 'least ' : 'greatest ') + String(head.sort).replace('_', ' ') +
      ' come first' + (head.top ? ', and only ' + number(head.top) + ' were asked for' : '') + '.');
  if (head.min_density)
    parts.push('Matches of a density below ' + number(head.min_density) + ' are left out.');
  if (head.min_mean_score)
    parts.push('Matches with a mean score below ' + number(head.min_mean_score) + ' are left out.');
  if (head.min_count)
    parts.push('Motifs with fewer than ' + number(head.min_count) + ' sets are left out.');
  if (head.graph.min_score)
    parts.push('Edges with a score below ' + number(head.graph.min_score) + ' were dropped.');
  return parts.join(' ');
}

function motifQuestion() {
  const k = plural(head.k, 'vertex', 'vertices');
  const set = 'A match is a connected set of ' + k + ', one for each colour of the motif, as often as the motif names it.';
  const near = 'Up to ' + plural(head.max_missing || 0, 'slot') + ' of the motif may stay empty, and up to ' +
    plural(head.max_extra || 0, 'further vertex', 'further vertices') + ' may join the set' +
    (head.substitutes ? '; other colours may take a place at a cost of up to ' + head.max_cost : '') + '.';
  const what = {
    'screen': 'Which vertices of ' + graphText() + ' are in a match of the motif? ' + set,
    'list': 'Which sets of vertices of ' + graphText() + ' are matches of the motif? ' + set,
    'participation': 'In how many matches of the motif is each vertex of ' + graphText() + '? ' + set,
    'nearest screen': 'How near is the nearest match of the motif to each vertex of ' + graphText() + '? ' + near,
    'nearest list': 'Which sets of vertices of ' + graphText() + ' come nearest to the motif? ' + near};
  return what[data.kind];
}

function patternQuestion() {
  const p = head.pattern;
  if (head.mode === 'inexact')
    return 'Which places of ' + graphText() + ' come nearest to the pattern, which has ' + plural(p.vertices, 'vertex', 'vertices') + ' and ' +
      plural(p.edges, head.graph.directed ? 'arc' : 'edge') + '? Each row maps the vertices of the pattern to vertices of the graph; the best come first. ' +
      'A map with the score ' + number(head.best_score) + ' is a match. An edge of the pattern that the graph lacks there, or a vertex that the pattern visits again and the map does not, lowers the score by 1.';
  const shape = 'the pattern, which has ' + plural(p.vertices, 'vertex', 'vertices') + ' and ' +
    plural(p.edges, head.graph.directed ? 'arc' : 'edge') + '. ' +
    (head.induced ? 'A match has no other edges among its vertices. ' : 'A match may have more edges among its vertices. ');
  if (isPositionKind)
    return 'In how many matches is each vertex of ' + graphText() + '? They are matches of ' + shape +
      (head.semantics === 'embeddings' ? 'Each way to map the pattern to a subgraph counts.' : 'Each subgraph counts once.') +
      (head.roles ? ' A row tells the number at one position: vertices of the pattern that its symmetries take to each other are one position.' : '');
  if (isVertexKind)
    return 'Which vertices of ' + graphText() + ' are in a match of ' + shape;
  return 'Where does ' + graphText() + ' contain ' + shape +
    (head.semantics === 'embeddings' ? 'Each way to map the pattern to a subgraph has a row.' : 'Each subgraph has one row.');
}

function shapeQuestion() {
  const found = head.shapes === 'all' ? 'subgraphs' : 'induced subgraphs', of = plural(head.k, 'vertex', 'vertices') + ' of ' + graphText();
  if (data.kind === 'vertex census')
    return 'In how many connected ' + found + ' of 2 to ' + of + ' does each vertex have each position? Positions that are alike are one orbit.';
  return 'How many connected ' + found + ' of ' + of + ' have each shape?';
}

function censusQuestion() {
  const sets = 'connected sets of ' + plural(head.k, 'vertex', 'vertices');
  if (head.shapes)
    return shapeQuestion();
  const only = head.colors_only && head.colors_only.length ? ' Only these colours count: ' + head.colors_only.join(', ') + '.' : '';
  const primary = head.primary_color ? ' Each vertex counts with its first colour.' : '';
  const what = {
    'census': 'How many ' + sets + ' of ' + graphText() + ' has each motif of ' + head.k + ' colours?',
    'vertex census': 'In how many ' + sets + ' of each motif is each vertex of ' + graphText() + '?',
    'comparison': 'For which motifs do the shares of the ' + sets + ' differ between groups of samples, in ' + graphText() + '?',
    'sample counts': 'How many ' + sets + ' of each motif has each sample, in ' + graphText() + '?'};
  return what[data.kind] + only + primary;
}

/* A table has a row for each motif. */
function tableQuestion() {
  if (data.kind === 'mined')
    return 'Which motifs of ' + head.least_slots + ' to ' + head.slots + ' colours have matches in ' + graphText() + ' that together hold at least ' +
      plural(head.support, 'vertex', 'vertices') + '? The column flagged says how many vertices are in a match of the motif.';
  if (isPatternTable)
    return 'How many ' + (head.semantics === 'embeddings' ? 'embeddings' : 'matches') + ' has each pattern of ' + fileName(head.patterns.path) + ' in ' + graphText() + '? ' +
      (head.induced ? 'A match has no other edges among its vertices.' : 'A match may have more edges among its vertices.') +
      (head.null ? ' Is that more than by chance? In random networks, ' + head.null_meaning + '.' : '');
  return (data.kind === 'screens' ? 'How many vertices of ' + graphText() + ' are in a match of each motif' : 'How many matches has each motif in ' + graphText()) +
    (head.motifs ? ' of the file ' + fileName(head.motifs.path) : '') + '?';
}

function questionText() {
  if (isWalkKind)
    return isComponents ? componentsQuestion() : pathsQuestion();
  if (isTableKind)
    return tableQuestion();
  if (data.sections)
    return 'The motifs of a file were searched for in ' + graphText() + '. The first column names the motif of each row.';
  const question = isMotifKind ? motifQuestion() : isPatternKind ? patternQuestion() : censusQuestion();
  return question + ' ' + limitsText();
}

/* ---- how sure the answer is -------------------------------------------------------------- */

const reasons = {limit: 'it reached the limit that was asked for', time: 'the time limit ended it',
  interrupted: 'it was interrupted', memory: 'its memory was used up', space: 'the disk was full'};

/* Of each match, and of the vertices, or of the vertices and their positions, that have a row. */
function positionsFact() {
  const shown = data.shown < data.rows ? ' The first ' + number(data.shown) + ' of them are in this report.' : ' All of them are in this report.';
  const rows = !head.roles ? plural(data.rows, 'vertex', 'vertices') : plural(data.rows, 'pair of a vertex and a position', 'pairs of a vertex and a position');
  const found = head.semantics === 'embeddings' ? plural(head.matches, 'embedding') : plural(head.matches, 'subgraph');
  return [rows, (data.rows ? 'Together they are in ' + found + '.' + shown : 'Nothing was found.'), ''];
}

function countFact() {
  if (isWalkKind)
    return walkCountFact();
  if (isPositionKind)
    return positionsFact();
  const names = isVertexKind ? ['vertex', 'vertices'] : isCensusKind || isSampleKind ? ['row'] : isTableKind ? [isPatternTable ? 'pattern' : 'motif'] :
    head.mode === 'inexact' ? ['map'] : ['match', 'matches'];
  const shown = data.shown < data.rows ? 'The first ' + number(data.shown) + ' of them are in this report.' : 'All of them are in this report.';
  const flagged = head.rows === 'all' && head.flagged !== undefined ? plural(head.flagged, 'flagged vertex', 'flagged vertices') : '';
  const sets = isCensusKind && head.sets !== undefined ? ' ' + plural(head.sets, 'connected set') + ' were counted.' : '';
  return [flagged || plural(data.rows, names[0], names[1]), (data.rows ? shown : 'Nothing was found.') + sets, ''];
}

/* Returns how each search ended; of a table of motifs, also that of the run. */
function statuses() {
  const own = isTableKind && columnOf('status');
  if (own)
    return [head.status].concat(Array.from({length: data.shown}, (_, row) => own.text(row)));
  return data.sections ? data.sections.map(section => section.status) : [head.status];
}

function statusFact() {
  if (isWalkKind)
    return walkStatusFact();
  const stopped = statuses().find(status => status !== 'complete');
  if (!stopped)
    return ['The search is complete', 'It went through everything that it had to search.', 'good'];
  const reason = String(stopped).replace('incomplete: ', '');
  if (isPositionKind || data.kind === 'participation')
    return ['The search ended early', (reasons[reason] || reason).replace(/^./, c => c.toUpperCase()) +
      ': the numbers are those of the matches that were found, and the true ones may be greater.', 'warn'];
  if ((isCensusKind || isPatternTable) && head.permutations && head.permutations < head.permutations_asked)
    return ['The permutations ended early', (reasons[reason] || reason).replace(/^./, c => c.toUpperCase()) +
      (isPatternTable ? ': all matches were counted,' : ': all sets were counted,') + ' and the perm columns come from fewer permutations.', 'warn'];
  return ['The search ended early', (reasons[reason] || reason).replace(/^./, c => c.toUpperCase()) +
    ': what is listed is right, and there may be more.', 'warn'];
}

/* Writes a probability as "1 in N". */
function chance(p) {
  const one = 1 / p;
  if (one < 20)
    return number(100 * p) + ' %';
  if (one > 1e15)
    return 'less than 1 in 10^15';
  const digits = Math.pow(10, Math.max(0, Math.floor(Math.log10(one)) - 1));
  return 'at most 1 in ' + number(Math.floor(one / digits) * digits);
}

/* Says where the numbers of a census or a comparison come from. */
function numbersFact() {
  const ended = statuses().some(status => status !== 'complete');
  if (isPatternTable && statuses().slice(1).some(status => status !== 'complete'))
    return ['Some numbers are lower bounds', 'The search ended before it had counted all patterns; the column status says which numbers are whole.', 'warn'];
  if (ended && !isPatternTable && (!Number(data.rows) || !(head.permutations_asked || isSampleKind)))
    return ['Not every set was counted', 'The numbers of the rows are exact; the search ended before it had counted all sets.', 'warn'];
  const parts = [isPatternTable ? 'Every match was counted, without a sieve.' : 'Every connected set was counted.'];
  if (head.significance)
    parts.push('What is expected by chance comes from a formula' + (head.moments === 'sampled'
      ? ', with standard deviations estimated from ' + number(head.samples) + ' random sets' : '') + '; p values are approximations.');
  if (head.permutations && head.permutations_asked)
    parts.push('The perm columns come from ' + number(head.permutations) + ' random permutations' +
      (head.permutations < head.permutations_asked ? ' of ' + number(head.permutations_asked) + ' that were asked for' : '') + '.');
  if (data.kind === 'comparison')
    parts.push('p values come from permutations of ' + (head.test === 'labels' ? 'the colours in each sample, so that they are about these samples only.' : 'the groups of the samples.'));
  return [isPatternTable ? 'The numbers of matches are exact' : 'The numbers of sets are exact', parts.join(' '), 'good'];
}

function boundFact() {
  if (isWalkKind)
    return walkBoundFact();
  if (isCensusKind || isSampleKind || isPatternTable)
    return numbersFact();
  if (head.sampled !== undefined)
    return ['A random sample', 'Each choice of as many matches was equally likely. The number of all matches, ' +
      number(head.sampled_from) + ', is exact' + (head.status === 'complete' ? '.' : ' only up to the early end.'), ''];
  if (head.mode === 'inexact')
    return ['No better map is left out', 'The score of a map that is not listed is at most that of the last row. No step of the search used chance.', 'good'];
  if (data.kind === 'mined')
    return ['The numbers of vertices are exact', 'No step of the search used chance.', 'good'];
  const bounds = columnOf('miss_bound');
  const worst = isTableKind ? Math.max(0, ...bounds.values) : data.sections ? Math.max(...data.sections.map(section => section.miss_bound || 0)) : head.miss_bound;
  const mode = isTableKind ? (worst ? 'screened' : 'exact') : data.sections ? (data.sections.some(section => section.mode === 'screened') ? 'screened' : 'exact') : head.mode;
  const stopped = statuses().some(status => status !== 'complete');
  if (stopped && (mode === 'exact' || !worst))
    return ['No chance was involved', 'Each step of the search was exact; only its early end leaves something out.', ''];
  if (mode === 'exact')
    return ['Nothing can be missed', 'The search was exact: no step of it used chance.', 'good'];
  if (!worst)
    return ['Nothing can be missed', 'A sieve with random numbers ran, and its result left nothing to chance.', 'good'];
  const all = head.miss_bound_union ? ' For all vertices together it is ' + chance(head.miss_bound_union) + '.' : '';
  return ['The chance to miss a vertex: ' + chance(worst), 'A sieve with random numbers chose where to look.' +
    (data.sections || isTableKind ? '' : all) + ' What is listed is certain: only what is not listed is uncertain.', 'good'];
}

/* A check that the time ended, without an error: the file is neither verified nor wrong. */
function uncheckedTitle(v) {
  const flags = Number(v.flags), rows = Number(data.rows);
  return flags && Number(v.supported) < flags ? 'All right: ' + number(v.supported) + ' of ' + plural(flags, 'flag') + ' checked'
    : Number(v.rows) ? 'All right: ' + number(v.rows) + ' of ' + plural(rows, 'row') + ' checked'
    : 'Not verified: the check had no time for a row';
}

function verdictFact() {
  const v = data.verdict;
  if (isTableKind && data.kind !== 'mined' && !isPatternTable)
    return ['Not verified', 'A table of many motifs holds numbers alone. The search with --rows FILE writes rows that can be verified.', ''];
  if (head.mode === 'inexact')
    return ['Not verified', 'A near match need not have the edges of the pattern, so nothing but the checksum of the file can be checked.', ''];
  if (v.accepted === undefined)
    return ['Not verified', 'The report was made without a check. To check the file: motifsieve verify ' +
      fileName(data.result) + ' with the graph and the other inputs.', ''];
  if (!v.accepted)
    return [uncheckedTitle(v), (Number(v.rows) || Number(v.supported) ? 'Everything that was checked is right. ' : '') +
      (v.interrupted ? 'The check was interrupted.' : 'The report checks as much as a short time allows; motifsieve report --recount checks all.'),
      Number(v.rows) || Number(v.supported) ? 'good' : ''];
  const recounted = {
    'proved': isCensusKind || isSampleKind ? 'All sets were counted again, with the same numbers.'
      : isPatternTable ? 'All matches were counted again, with the same numbers.'
      : data.kind === 'mined' ? 'All connected sets were visited again: no motif is missing.'
      : isWalkKind ? walkProof()
      : 'All matches were searched for again: none is missing.',
    'bounded': 'That nothing is missing follows from the bound; it was not counted again.',
    'believed': 'That nothing is missing was not checked by counting again.',
    'not stated': 'The file does not claim that nothing is missing.',
    'not checked': ''}[v.recounted && v.completeness === 'believed' ? 'proved' : v.completeness];
  const partly = v.recounted && v.completeness === 'believed' ? ' Not all statistics were computed again.' : '';
  const permuted = !v.permuted ? '' : !Number(v.permutations) ? ' The permutations were not made again.'
    : isSampleKind ? ' ' + plural(v.permutations, 'permutation') + ' of each comparison ' + (Number(v.permutations) === 1 ? 'was' : 'were') + ' made again.'
    : Number(v.permutations) === Number(head.permutations) ? ' All permutations were made again.'
    : ' ' + number(v.permutations) + ' of ' + plural(head.permutations, 'permutation') + ' were made again.';
  return ['Verified: every row is right', 'Code that shares nothing with the search checked the file against its inputs. ' +
    recounted + permuted + partly, 'good'];
}

/* ---- the page ------------------------------------------------------------------------------ */

function writeWords() {
  document.title = titleText() + ' – motifsieve report';
  byId('title').textContent = titleText();
  byId('question').textContent = questionText();
  for (const [title, text, kind] of [countFact(), statusFact(), boundFact(), verdictFact()]) {
    const fact = element('div', undefined, 'fact ' + kind);
    fact.append(element('strong', title), element('span', text));
    byId('facts').append(fact);
  }
  byId('footer').textContent = 'Made by motifsieve ' + data.version + ' from ' + fileName(data.result) +
    '. This file is complete in itself and loads nothing from the Internet.' +
    (typeof cytoscape === 'function' ? ' Networks are drawn with cytoscape.js (The Cytoscape Consortium, MIT licence; its text is in this file).' : '');
}

/* Writes the header of the result as a table: key, value. */
function writeHead() {
  const put = (key, value) => {
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      for (const inner of Object.keys(value))
        put(key + ' ' + inner, value[inner]);
      return;
    }
    if (Array.isArray(value) && value.length && value.every(item => item === ''))
      return; /* names that the file does not state */
    const row = element('tr');
    const title = element('th', key.replace(/_/g, ' '));
    title.scope = 'row';
    row.append(title, element('td', Array.isArray(value) ? value.join(', ') : typeof value === 'number' && !/seed/.test(key) ? number(value) : String(value)));
    byId('head').append(row);
  };
  put('result', data.result);
  for (const key of Object.keys(head))
    put(key, head[key]);
}

/* Writes the samples of a comparison as a table. */
function writeSamples() {
  if (!isSampleKind || !head.samples)
    return;
  const table = element('table'), titles = element('tr');
  const lists = [['sample', head.samples], ['group', head.groups], ['block', head.blocks], ['vertices', head.vertices], ['sets', head.sets]]
    .filter(list => Array.isArray(list[1]) && list[1].length);
  for (const [title] of lists)
    titles.append(element('th', title, title === 'vertices' || title === 'sets' ? 'number' : ''));
  table.append(titles);
  head.samples.forEach((_, i) => {
    const row = element('tr');
    for (const [title, list] of lists)
      row.append(title === 'vertices' || title === 'sets' ? element('td', number(list[i]), 'number') : element('td', list[i]));
    table.append(row);
  });
  byId('samples').append(element('h2', 'Samples'), table);
  byId('samples').hidden = false;
}
