/* Opens reports of components and of shortest paths. */
import { readFileSync } from 'node:fs';
import { cells, check, count, decodePng, filter, folder, inkOf, nodesDrawn, open, saved } from './page.mjs';

/* Returns how far to the right the pixels of a colour lie in a picture, from 0 to 1. */
function meanPlace(png, color) {
  const {width, channels, pixels} = decodePng(png);
  let sum = 0, all = 0;
  for (let i = 0; i < pixels.length; i += channels)
    if (color.every((x, c) => Math.abs(pixels[i + c] - x) < 8)) {
      sum += (i / channels) % width;
      all++;
    }
  return sum / all / width;
}

/* ---- components ------------------------------------------------------------------------------------------------------ */

async function testComponents() {
  const {page, close} = await open('components.html');
  const file = readFileSync(folder + '/components.tsv', 'utf8').split('\n').filter(line => line && !line.startsWith('#')).slice(1).map(line => line.split('\t'));
  const members = new Map();
  file.forEach(([vertex, component]) => members.set(component, [...(members.get(component) || []), vertex]));
  const sizes = [...members.values()].map(list => list.length);
  check('components: the title', await page.textContent('h1') === 'Components of er.tsv', await page.textContent('h1'));
  check('components: how many', (await page.textContent('#facts')).includes(members.size + ' components'), await page.textContent('#facts'));
  check('components: the largest', (await page.textContent('#facts')).includes('The largest has ' + sizes[0] + ' of ' + file.length.toLocaleString('en-US') + ' vertices'));
  check('components: verified', (await page.textContent('#facts')).includes('All components were searched for again.'));
  check('components: a row for each', await count(page) === members.size + ' rows', await count(page));
  check('components: the first row', JSON.stringify((await cells(page, 0)).slice(0, 2)) === JSON.stringify(['1', String(sizes[0])]), await cells(page, 0));
  await filter(page, 'size=2');
  check('components: sizes can be filtered', await count(page) === sizes.filter(size => size === 2).length + ' of ' + members.size + ' rows', await count(page));
  await filter(page, 'onerror');
  check('components: a name is found', await count(page) === '1 of ' + members.size + ' rows', await count(page));
  await filter(page, '');
  await page.click('.grid-head button[data-column=size]');
  await page.click('.grid-head button[data-column=size]');
  check('components: sorted by size, the smallest first', (await cells(page, 0))[1] === '1', await cells(page, 0));
  await page.click('.grid-head button[data-column=size]');
  /* the distribution: its words have all sizes, and the bar of the chosen row is marked */
  const bar = (low, high) => sizes.filter(size => size >= low && size <= high).length;
  const words = await page.textContent('#plot-note');
  check('components: the distribution in words', words.includes('1: ' + bar(1, 1) + ' components; 2 to 3: ' + bar(2, 3) + ' components'), words);
  check('components: readers who do not see the plot are told', (await page.getAttribute('#plot', 'aria-label')).includes('2 to 3: '));
  const inkOfPlot = async () => inkOf(await page.locator('#plot').screenshot(), 8), plot = await inkOfPlot();
  check('components: the distribution is drawn', plot.filter(x => x > 0.05).length >= 4, plot);
  const accent = (await page.evaluate(() => cssColor('--accent'))).match(/\w\w/g).map(x => parseInt(x, 16));
  const marked = async () => meanPlace(await page.locator('#plot').screenshot(), accent);
  await page.locator('.grid-row').first().click();
  check('components: the bar of the largest is marked', await marked() > 0.8, await marked());
  check('components: PNG of the plot', (await saved(page, '#save-plot')).bytes.length > 1000);
  if (await page.evaluate(() => typeof cytoscape === 'function')) {
    check('components: the largest is cut, and the page says so', await nodesDrawn(page) === 80 &&
      (await page.textContent('#view-note')).includes('80 of the ' + sizes[0] + ' vertices of the component, those nearest to ' + members.get('1')[0]), await page.textContent('#view-note'));
    check('components: what is drawn is connected', await page.evaluate(() => network.cy.elements().components().length) === 1);
    await page.focus('#table');
    await page.keyboard.press('ArrowDown');
    const names = await page.evaluate(() => network.cy.nodes().map(node => node.data('name')));
    check('components: a small one is drawn whole', JSON.stringify(names.sort()) === JSON.stringify(members.get('2').slice().sort()) &&
      (await page.textContent('#view-note')).includes('All vertices of the component'), names);
    check('components: its name', await page.textContent('#view-title') === 'Component 2');
    check('components: its vertices are listed', members.get('2').every(name => names.includes(name)) && (await page.textContent('#details')).includes(members.get('2').join(', ')));
    check('components: its bar is marked', await marked() < 0.6, await marked());
    const cx2 = JSON.parse((await saved(page, '#save-cx2')).bytes.toString());
    check('components: CX2 has its vertices', cx2.find(aspect => aspect.nodes).nodes.length === names.length);
    check('components: PNG of the drawing', inkOf((await saved(page, '#save-png')).bytes, 4).filter(x => x > 0.005).length > 2);
  }
  const tsv = (await saved(page, '#save-tsv')).bytes.toString().split('\n');
  check('components: TSV', tsv[1] === 'component\tsize\tvertices' && tsv[3] === '2\t' + sizes[1] + '\t' + members.get('2').join(','), tsv.slice(0, 4));
  await close();
}

async function testSizes() {
  const {page, close} = await open('sizes.html', {colorScheme: 'dark'});
  check('sizes alone have no drawing', !(await page.locator('#drawing').isVisible()) && await page.locator('#plot').isVisible());
  check('sizes alone: the page says why', (await page.textContent('#view-note')).includes('without the graph'), await page.textContent('#view-note'));
  check('sizes alone: one PNG', await page.locator('#save-png').isVisible() && !(await page.locator('#save-plot').isVisible()));
  await close();
}

/* ---- shortest paths ---------------------------------------------------------------------------------------------------- */

async function testPaths() {
  const {page, close} = await open('paths.html');
  const file = readFileSync(folder + '/paths.tsv', 'utf8').split('\n').filter(line => /^\d/.test(line)).map(line => line.split('\t'));
  const paths = new Map();
  file.forEach(row => paths.set(row[0], [...(paths.get(row[0]) || []), row]));
  const found = [...paths.values()].filter(rows => rows[0][3] !== '-');
  check('paths: how many', (await page.textContent('#facts')).includes(found.length + ' of ' + paths.size + ' pairs have a path') && found.length === paths.size - 1, await page.textContent('#facts'));
  check('paths: sure', (await page.textContent('#facts')).includes('No path is shorter') && (await page.textContent('#facts')).includes('searched again from each source'));
  check('paths: a row for each pair', await count(page) === paths.size + ' rows');
  check('paths: the first row', JSON.stringify(await cells(page, 0)) === JSON.stringify([...file[0].slice(0, 4), paths.get('1').map(row => row[6]).join(', ')]), await cells(page, 0));
  await filter(page, '"no path"');
  check('paths: pairs without one can be found', await count(page) === '1 of ' + paths.size + ' rows', await count(page));
  await page.locator('.grid-row').first().click();
  check('paths: one that is not there', (await page.textContent('#view-title')).startsWith('No path from <img'), await page.textContent('#view-title'));
  await filter(page, 'length>3');
  check('paths: lengths can be filtered', (await count(page)).startsWith(found.filter(rows => Number(rows[0][3]) > 3).length + ' of'), await count(page));
  await filter(page, '');
  await page.click('.grid-head button[data-column=length]');
  check('paths: sorted by length, the longest first', (await cells(page, 0))[3] === String(Math.max(...found.map(rows => Number(rows[0][3])))), await cells(page, 0));
  await page.locator('.grid-row').first().click();
  const pair = (await cells(page, 0))[0], way = paths.get(pair).map(row => row[6]);
  check('paths: its name', await page.textContent('#view-title') === 'Path from ' + way[0] + ' to ' + way[way.length - 1], await page.textContent('#view-title'));
  check('paths: the lengths in words', /\d+: \d+ path/.test(await page.textContent('#plot-note')));
  if (await page.evaluate(() => typeof cytoscape === 'function')) {
    const chosen = () => page.evaluate(() => [network.cy.nodes('.chosen').map(node => node.data('name')), network.cy.edges('.chosen').map(edge => edge.connectedNodes().map(node => node.data('name')))]);
    const [names, edges] = await chosen();
    check('paths: its vertices are highlighted', JSON.stringify(names.slice().sort()) === JSON.stringify(way.slice().sort()), names);
    check('paths: its edges are', edges.length === way.length - 1 && edges.every(edge => Math.abs(way.indexOf(edge[0]) - way.indexOf(edge[1])) === 1), edges);
    check('paths: with the network around', await nodesDrawn(page) > way.length && /The path and \d+ neighbours? of its vertices/.test(await page.textContent('#view-note')), await page.textContent('#view-note'));
    check('paths: its ends have their colours', (await page.textContent('#legend')) === 'sourcetargetbetween', await page.textContent('#legend'));
    check('paths: no two vertices lie upon each other', await page.evaluate(() => new Set(network.cy.nodes().map(node => node.position('x') + ' ' + node.position('y'))).size) === await nodesDrawn(page));
    await page.click('#show-all');
    check('paths: the overview has many', await nodesDrawn(page) > way.length && (await page.textContent('#view-note')).includes('pairs'), await page.textContent('#view-note'));
    await page.click('#show-one');
    const cx2 = JSON.parse((await saved(page, '#save-cx2')).bytes.toString()), nodes = cx2.find(aspect => aspect.nodes).nodes;
    check('paths: CX2', nodes.filter(node => node.v.chosen).length === way.length && nodes.filter(node => node.v.role === 'source').length === 1, nodes);
  }
  const tsv = (await saved(page, '#save-tsv')).bytes.toString().split('\n');
  check('paths: TSV', tsv[1] === 'pair\tsource\ttarget\tlength\tvertices\ttypes' && tsv.filter(line => line.split('\t')[3] === '-').length === 1, tsv.slice(0, 3));
  await close();
}

async function testOnePath() {
  const {page, close} = await open('route.html', {colorScheme: 'dark'});
  check('one path: the title', await page.textContent('h1') === 'Shortest path from a to c in route.tsv', await page.textContent('h1'));
  check('one path: its types', (await page.textContent('#question')).includes('edges of these types: binds.'), await page.textContent('#question'));
  check('one path: no distribution', !(await page.locator('#plot').isVisible()));
  if (await page.evaluate(() => typeof cytoscape === 'function')) {
    const along = await page.evaluate(() => network.cy.edges('.chosen').map(edge => edge.data('type') + ' ' + edge.data('source') + ' ' + edge.hasClass('directed')));
    check('one path: the edge of its type is highlighted, and the parallel one is not', along.length === 2 && along.every(text => /^binds .* true$/.test(text)) &&
      await page.evaluate(() => network.cy.edges().length) === 5, along);
  }
  check('one path: its steps are listed', (await page.textContent('#details')).includes('step 2: bindsc'), await page.textContent('#details'));
  await close();
}

async function testLengths() {
  const {page, close} = await open('lengths.html');
  check('lengths alone: the page says how to see paths', (await page.textContent('#view-note')).includes('Without --lengths'), await page.textContent('#view-note'));
  check('lengths alone: the distribution', await page.locator('#plot').isVisible() && !(await page.locator('#drawing').isVisible()));
  check('lengths alone: the columns', (await page.locator('.grid-head button').allTextContents()).join() === 'pair,source,target,length');
  await close();
}

export async function testWalks() {
  for (const test of [testComponents, testSizes, testPaths, testOnePath, testLengths])
    await test();
}
