// Prints the card of a report that says what is known of the check, for each state of the check, and the card about numbers of sets: verdict_card.mjs WEB_FOLDER
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const web = process.argv[2];
const all = { accepted: true, rows: '1365', flags: '0', supported: '0', permuted: false, permutations: '0', interrupted: false, completeness: 'proved', problem: '' };
const states = [
  ['checked all', 'comparison', {}],
  ['all, some permutations', 'comparison', { permuted: true, permutations: '771' }],
  ['census, all permutations', 'census', { permuted: true, permutations: '999' }],
  ['census, some permutations', 'census', { permuted: true, permutations: '12' }],
  ['census, no permutations', 'census', { permuted: true }],
  ['time ended', 'comparison', { accepted: false, rows: '16', completeness: 'not checked' }],
  ['time ended before a row', 'comparison', { accepted: false, rows: '0', completeness: 'not checked' }],
  ['interrupted', 'screen', { accepted: false, rows: '1365', flags: '900', supported: '17', interrupted: true, completeness: 'not checked' }],
  ['recount not finished', 'list', { completeness: 'believed' }],
  ['incomplete', 'list', { completeness: 'not stated' }],
  ['not checked', 'list', null],
  ['cannot be checked', 'lists', null],
  ['patterns, all permutations', 'patterns', { permuted: true, permutations: '999' }],
  ['patterns, no permutations', 'patterns', {}]];
const data = readFileSync(web + '/data.js', 'utf8'), words = readFileSync(web + '/words.js', 'utf8');
const take = (text, begin) => {
  const at = text.indexOf(begin);
  if (at < 0) throw new Error(begin + ' is not there');
  return text.slice(at, text.indexOf('\n', at));
};
for (const [name, kind, changes] of states) {
  const page = {
    data: { kind, rows: '1365', result: 'r.tsv', verdict: changes ? { ...all, ...changes } : {} },
    head: { mode: 'exact', permutations: 999 }, walkProof: () => '', fileName: x => x,
    isTableKind: kind === 'lists' || kind === 'patterns', isPatternTable: kind === 'patterns', isCensusKind: kind === 'census', isSampleKind: kind === 'comparison', isWalkKind: false
  };
  const code = data.slice(data.indexOf('function number(x)'), data.indexOf('}\n', data.indexOf('function number(x)') + 1) + 1) + take(data, 'const plural =') +
    words.slice(words.indexOf('/* A check that the time ended'), words.indexOf('/* ---- the page')) + 'verdictFact()';
  const [title, text, mark] = vm.runInNewContext(code, page);
  console.log('%s: [%s] %s. %s', name, mark || 'neutral', title, text);
}
for (const [kind, status, rows, asked] of [['census', 'complete', 5], ['census', 'incomplete: time', 0], ['census', 'incomplete: time', 5, 999],
  ['census_vertex', 'incomplete: interrupted', 5], ['comparison', 'incomplete: time', 0], ['comparison', 'incomplete: time', 5],
  ['patterns', 'complete', 5, 999], ['patterns', 'incomplete: time', 5]]) {
  const page = { data: { kind, rows }, head: { permutations: 12, permutations_asked: asked }, statuses: () => [status, status], isSampleKind: kind === 'comparison', isPatternTable: kind === 'patterns' };
  const code = data.slice(data.indexOf('function number(x)'), data.indexOf('}\n', data.indexOf('function number(x)') + 1) + 1) + words.slice(words.indexOf('/* Says where the numbers'), words.indexOf('function boundFact')) + 'numbersFact()';
  const [title, text, mark] = vm.runInNewContext(code, page);
  console.log('%s with %d rows, %s: [%s] %s. %s', kind, rows, status, mark || 'neutral', title, text);
}
