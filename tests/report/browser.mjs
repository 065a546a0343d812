/* Opens reports in headless Chromium and does what a reader does: node browser.mjs FOLDER.  See run.sh. */
import { readFileSync, writeFileSync } from 'node:fs';
import { brightness, browser, cells, check, count, decodePng, drawn, filter, finish, folder, inkOf, nodesDrawn, open, saved } from './page.mjs';
import { testWalks } from './walks.mjs';

/* ---- a list of matches, with names that would be HTML ------------------------------------------------ */
{
  const {page, close} = await open('list.html');
  const draws = await page.evaluate(() => typeof cytoscape === 'function');
  check('the title names the motif', (await page.textContent('h1')).includes('"<b>bold</b>"') || (await page.textContent('h1')).includes('<b>bold</b>'));
  check('no element was made from a name', await page.locator('b, img').count() === 0);
  check('it is verified', (await page.textContent('#facts')).includes('Verified: every row is right'));
  check('it is complete', (await page.textContent('#facts')).includes('The search is complete'));
  const rows = readFileSync(folder + '/list.tsv', 'utf8').split('\n').filter(line => /^\d/.test(line));
  check('the count', await count(page) === rows.length + ' rows', await count(page));
  check('the first row is that of the file', (await cells(page, 0))[1] === rows[0].split('\t')[1].replaceAll(',', ', '), await cells(page, 0));

  /* filter, sort, choose */
  await filter(page, 'onerror');
  const with_bad = rows.filter(row => row.includes('onerror')).length;
  check('the filter finds a name', await count(page) === with_bad + ' of ' + rows.length + ' rows', await count(page));
  await filter(page, 'match>2 match<=4');
  check('the filter compares numbers', await count(page) === '2 of ' + rows.length + ' rows', await count(page));
  const mcm = rows.filter(row => row.includes('p2')).length;
  await filter(page, 'role:kinase p2');
  check('a role is found, with a word', await count(page) === mcm + ' of ' + rows.length + ' rows', await count(page));
  const at = await page.evaluate(() => { /* rows whose kinase is p2, as the drawing has them */
    let count = 0;
    for (let row = 0; row < data.shown; row++)
      describeRow(row, (v, role) => { count += role === 'kinase' && strings[v] === 'p2'; });
    return count;
  });
  await filter(page, 'kinase:p2');
  check('the filter finds a vertex with a role', at > 0 && at <= mcm && await count(page) === at + ' of ' + rows.length + ' rows', [await count(page), at, mcm]);
  await filter(page, 'ligase:p2');
  check('not with another role', await count(page) === '0 of ' + rows.length + ' rows', await count(page));
  await filter(page, '"<b>bold</b>":p');
  check('a role with strange letters is quoted', await count(page) === rows.length + ' rows', await count(page));
  await filter(page, 'role:nothing');
  check('an unknown role is named, with those that there are', /no vertex has the role nothing; there are: .*kinase/.test(await page.textContent('#filter-help')), await page.textContent('#filter-help'));
  await filter(page, 'scoer>1');
  check('an unknown column is named, with those that there are', /no column scoer; there are: match, vertices/.test(await page.textContent('#filter-help')), await page.textContent('#filter-help'));
  await filter(page, 'match>x');
  check('a wrong filter is explained', (await page.textContent('#filter-help')).includes('not a number'));
  await filter(page, '');
  check('the filter explains itself with a role of this result', /a vertex with a role: (kinase|ligase|<b>bold<\/b>):/.test(await page.textContent('#filter-help')), await page.textContent('#filter-help'));
  await page.click('.grid-head button >> nth=0');
  await page.click('.grid-head button >> nth=0');
  check('sorting turns the order round', (await cells(page, 0))[0] === String(rows.length), await cells(page, 0));
  check('aria-sort says so', await page.getAttribute('.grid-head [role=columnheader] >> nth=0', 'aria-sort') === 'descending');
  await page.click('.grid-head button >> nth=0');
  check('a third click brings back the order of the file', (await cells(page, 0))[0] === '1');
  await page.locator('.grid-row').nth(1).click();
  check('a click chooses a row', await page.textContent('#view-title') === 'Match 2');
  const names = rows[1].split('\t')[1];
  const details = await page.textContent('#details');
  check('its vertices and their roles are listed', details.includes('kinase') && details.includes('ligase') &&
    names.split(',').every(name => details.includes(name.replace(/^"|"$/g, ''))), details);

  /* keyboard */
  await page.focus('#table');
  await page.keyboard.press('ArrowDown');
  check('the arrow key chooses the next row', await page.textContent('#view-title') === 'Match 3');
  await page.keyboard.press('End');
  check('End chooses the last one', await page.textContent('#view-title') === 'Match ' + rows.length);
  const inSight = () => page.evaluate(() => { /* a row is visible for the browser wherever the table has been scrolled to */
    const row = document.querySelector('.grid-row[aria-selected=true]')?.getBoundingClientRect(), box = byId('table').getBoundingClientRect();
    return row !== undefined && row.top >= box.top + headHeight() - 1 && row.bottom <= box.bottom + 1;
  });
  check('it is in sight', await inSight());
  await page.evaluate(() => { byId('table').style.height = '150px'; byId('table').style.maxHeight = '150px'; });
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  check('it is in sight where rows must be scrolled', await inSight());
  await page.keyboard.press('Home');
  check('and so is the first one', await inSight());
  await page.evaluate(() => { byId('table').style.height = byId('table').style.maxHeight = ''; });
  await page.keyboard.press('Home');
  check('Home chooses the first one', await page.textContent('#view-title') === 'Match 1');
  check('the active row has a name', await page.getAttribute('#table', 'aria-activedescendant') === 'row-0');
  let reached = false;
  await page.locator('#filter').focus();
  for (let i = 0; i < 12 && !reached; i++) {
    await page.keyboard.press('Tab');
    reached = await page.evaluate(() => document.activeElement.id === 'table');
  }
  check('Tab leads to the table', reached);

  /* downloads */
  const tsv = await saved(page, '#save-tsv');
  const lines = tsv.bytes.toString().split('\n');
  check('TSV has all rows', tsv.name === 'list.rows.tsv' && lines.length === rows.length + 3, [tsv.name, lines.length]);
  check('TSV has the columns and values of the file', rows.every((row, i) => lines[i + 2].startsWith(row)), lines[2]);
  await filter(page, 'match<3');
  check('TSV has the rows of the filter', (await saved(page, '#save-tsv')).bytes.toString().split('\n').length === 5);
  await filter(page, '');

  if (draws) {
    await drawn(page);
    check('the licence of cytoscape.js is in the file', readFileSync(folder + '/list.html', 'utf8').includes('Permission is hereby granted, free of charge'));
    const overview = await nodesDrawn(page);
    check('the overview has the vertices of matches', overview >= 6 && overview <= 12, overview);
    check('each has its role, also those of other rows', await page.evaluate(() => network.cy.nodes().every(node => ownRoles.has(node.data('role')))));
    const chosen = await page.evaluate(() => network.cy.nodes('.chosen').map(node => node.data('name')));
    check('the match is highlighted', chosen.length === 3 && chosen.every(name => rows[0].includes(name)), chosen);
    await page.click('#show-one');
    check('only the match is drawn', await nodesDrawn(page) === 3);
    const cx2 = JSON.parse((await saved(page, '#save-cx2')).bytes.toString());
    const nodes = cx2.find(aspect => aspect.nodes).nodes, edges = cx2.find(aspect => aspect.edges).edges;
    check('CX2 has the match', nodes.length === 3 && edges.length >= 2 && cx2[0].CXVersion === '2.0' &&
      cx2[1].metaData.find(x => x.name === 'edges').elementCount === edges.length, cx2);
    check('CX2 names the vertices', nodes.every(node => rows[0].includes(node.v.name) && node.v.role), nodes);
    await page.click('#show-all');
    check('the overview comes back', await nodesDrawn(page) === overview);
    const png = await saved(page, '#save-png'), ink = inkOf(png.bytes, 8), total = ink.reduce((a, b) => a + b, 0) / ink.length;
    check('PNG has a drawing', png.name === 'list.png' && total > 0.01 && total < 0.6, [png.name, total]);
    check('PNG is as wide as a column of a journal, at 300 dpi', png.bytes.readUInt32BE(16) === 1004 && png.bytes.includes(Buffer.from([112, 72, 89, 115, 0, 0, 46, 35])), png.bytes.readUInt32BE(16));
    await page.selectOption('#save-width', '174');
    check('or as a page', (await saved(page, '#save-png')).bytes.readUInt32BE(16) === 2055);
    const svg = await saved(page, '#save-svg'), drawing = await page.evaluate(text => {
      const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, fills = new Set(Array.from(root.querySelectorAll('path'), path => path.getAttribute('fill')));
      return {name: root.nodeName, width: root.getAttribute('width'), texts: Array.from(root.querySelectorAll('text'), x => x.textContent), fills: data.roles.every(([, color]) => fills.has(color))};
    }, svg.bytes.toString());
    check('SVG has the vertices, the colours and the legend', svg.name === 'list.svg' && drawing.name === 'svg' && drawing.width === '174mm' && drawing.fills &&
      rows[0].split('\t')[1].split(',').every(name => drawing.texts.some(text => name.includes(text.replace(/…$/, '')))) && drawing.texts.includes('kinase'), drawing);
    const position = () => page.evaluate(() => network.cy.nodes()[0].position());
    const before = await position();
    await page.evaluate(() => network.cy.nodes()[0].position({x: 999, y: 999}));
    await page.click('#reset');
    check('Reset puts vertices back', JSON.stringify(await position()) === JSON.stringify(before));
    const screen = inkOf(await page.locator('#drawing').screenshot(), 8);
    check('the drawing fills the frame', screen.filter(x => x > 0.002).length >= 16, screen);
    const view = await page.evaluate(() => network.cy.nodes('.chosen').map(node => [node.data('name'), node.style('background-color')]).sort().join());
    await page.click('#show-one');
    const one = await page.evaluate(() => network.cy.nodes().map(node => [node.data('name'), node.style('background-color')]).sort().join());
    check('a vertex has the same colour in both views', view === one, [view, one]);
    await page.click('#show-all');
    const fills = await page.evaluate(() => new Set(network.cy.nodes().map(node => node.style('background-color'))).size);
    check('each role has a colour, which the legend shows', fills >= 3 && await page.locator('#legend li').count() === fills, fills);
    /* a click on a vertex chooses a row with it */
    const [place, name] = await page.evaluate(() => {
      const node = network.cy.nodes()[0], p = node.renderedPosition(), box = document.getElementById('drawing').getBoundingClientRect();
      return [{x: box.left + p.x, y: box.top + p.y}, node.data('name')];
    });
    await page.evaluate(() => document.getElementById('drawing').scrollIntoView());
    const moved = await page.evaluate(() => {
      const p = network.cy.nodes()[0].renderedPosition(), box = document.getElementById('drawing').getBoundingClientRect();
      return {x: box.left + p.x, y: box.top + p.y};
    });
    await page.mouse.click(moved.x, moved.y);
    await page.waitForTimeout(100);
    const picked = await page.evaluate(() => verticesOf(chosenRow).map(v => strings[v]));
    check('a click on a vertex chooses a row with it', picked.includes(name), [picked, name, place]);
  } else {
    console.log('SKIPPED: report: this build has no cytoscape.js: networks are not drawn');
    check('the page says that it draws no network', (await page.textContent('#view-note')).includes('cytoscape.js was not there'), await page.textContent('#view-note'));
    check('no empty frame', !(await page.locator('#drawing').isVisible()));
  }
  await close();
}

/* ---- a drawing is the same at each opening, has the colours of --dot, and nothing in it overlaps ------------ */
for (const name of ['list.html', 'nearest.html', 'components.html']) {
  const pages = [await open(name), await open(name, {colorScheme: 'dark', viewport: {width: 1920, height: 1080}})];
  if (await pages[0].page.evaluate(() => typeof cytoscape === 'function')) {
    const [a, b] = await Promise.all(pages.map(async ({page}) => {
      await drawn(page);
      return page.evaluate(() => network.cy.nodes().map(node => {
        const {w, h} = node.layoutDimensions({nodeDimensionsIncludeLabels: true}), {x, y} = node.position();
        return {name: node.data('name'), role: node.data('role'), color: node.style('background-color'), x, y, w, h};
      }));
    }));
    check(name + ': the same drawing at each opening, in the light and in the dark', a.length > 3 && JSON.stringify(a.filter(v => v.role)) === JSON.stringify(b.filter(v => v.role)) &&
      a.every((v, i) => v.x === b[i].x && v.y === b[i].y), [a[0], b[0]]);
    const over = a.flatMap((v, i) => a.slice(i + 1).filter(w => Math.abs(v.x - w.x) < (v.w + w.w) / 2 - 1 && Math.abs(v.y - w.y) < (v.h + w.h) / 2 - 1).map(w => v.name + ' ' + w.name));
    check(name + ': vertices and labels do not overlap', over.length === 0, over);
    if (name === 'list.html') {
      const fills = new Map([...readFileSync(folder + '/list.dot', 'utf8').matchAll(/label="(p\d+)", fillcolor="#(..)(..)(..)"/g)]
        .map(([, vertex, ...rgb]) => [vertex, 'rgb(' + rgb.map(x => parseInt(x, 16)).join(',') + ')']));
      check('the colours are those of --dot', fills.size > 5 && a.every(v => !fills.has(v.name) || fills.get(v.name) === v.color), [a, [...fills]]);
    }
  }
  await Promise.all(pages.map(({close}) => close()));
}

/* ---- the screenshot: where the parts of the page are, and how much ink each has, as in look.json ---------- */
{
  const light = await open('list.html'), dark = await open('list.html', {colorScheme: 'dark'});
  if (await light.page.evaluate(() => typeof cytoscape === 'function'))
    await Promise.all([drawn(light.page), drawn(dark.page)]);
  const shots = [await light.page.screenshot(), await dark.page.screenshot()];
  check('light paper is bright', brightness(shots[0]) > 200, brightness(shots[0]));
  check('dark paper is dark', brightness(shots[1]) < 60, brightness(shots[1]));
  const contrast = await dark.page.evaluate(() => {
    const light = color => {
      const [r, g, b] = color.match(/\d+/g).map(x => { const c = x / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ink = light(getComputedStyle(document.body).color), paper = light(getComputedStyle(document.body).backgroundColor);
    return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  });
  check('the contrast in the dark is at least 7', contrast >= 7, contrast);
  /* another font moves words, not parts: each part is where it should be, and has about as much ink */
  if (await light.page.evaluate(() => typeof cytoscape === 'function')) {
    const file = process.env.EXPECTED + '/look.json', {width, height, channels, pixels} = decodePng(shots[0]);
    const look = {};
    for (const id of ['title', 'question', 'facts', 'filter', 'table', 'view-title', 'drawing', 'legend']) {
      const box = await light.page.evaluate(id => { const b = document.getElementById(id).getBoundingClientRect(); return {x: b.left, y: b.top, w: b.width, h: b.height}; }, id);
      let ink = 0, all = 0;
      const base = (Math.round(box.y + 3) * width + Math.round(box.x + 3)) * channels;
      for (let y = Math.round(box.y) + 2; y < Math.min(height, box.y + box.h - 2); y++)
        for (let x = Math.round(box.x) + 2; x < Math.min(width, box.x + box.w - 2); x++) {
          all++;
          ink += [0, 1, 2].some(c => Math.abs(pixels[(y * width + x) * channels + c] - pixels[base + c]) > 40);
        }
      look[id] = {x: box.x / width, y: box.y / height, w: box.w / width, h: box.h / height, ink: ink / Math.max(1, all)};
      for (const key of Object.keys(look[id]))
        look[id][key] = Number(look[id][key].toFixed(4));
    }
    if (process.env.UPDATE)
      writeFileSync(file, JSON.stringify(look, null, 1) + '\n');
    const expected = JSON.parse(readFileSync(file));
    for (const id of Object.keys(expected)) {
      const a = look[id], b = expected[id];
      check('the place of ' + id, ['x', 'y', 'w', 'h'].every(key => Math.abs(a[key] - b[key]) < (key === 'y' ? 0.12 : 0.08)), [a, b]);
      check('the ink of ' + id, a.ink > b.ink / 2 && a.ink < b.ink * 2, [a, b]);
    }
  }
  await light.close();
  await dark.close();
}

/* ---- without the graph ------------------------------------------------------------------------------------ */
{
  const {page, close} = await open('alone.html');
  check('it says that it is not verified', (await page.textContent('#facts')).includes('Not verified'));
  check('it says why nothing is drawn', (await page.textContent('#view-note')).includes('without the graph'), await page.textContent('#view-note'));
  check('it has no empty frame', !(await page.locator('#drawing').isVisible()));
  await page.locator('.grid-row').first().click();
  check('a row shows its values', (await page.textContent('#details')).length > 10);
  await close();
}

/* ---- a phone ------------------------------------------------------------------------------------------------ */
for (const name of ['list.html', 'screen.html', 'census.html', 'shapes.html', 'orbits.html', 'compare.html', 'components.html', 'paths.html']) {
  const {page, close} = await open(name, {viewport: {width: 375, height: 700}, hasTouch: true, isMobile: true});
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  check(name + ': fits the width of a phone', wide <= 375, wide);
  const low = await page.evaluate(() => Array.from(document.querySelectorAll('button, summary, label, input:not([type=checkbox])')).filter(x => x.offsetParent && x.offsetHeight < 40).map(x => x.textContent));
  check(name + ': buttons are large enough for a finger', low.length === 0, low);
  await page.locator('.grid-row').nth(1).tap();
  check(name + ': a tap chooses a row', (await page.locator('.grid-row[aria-selected=true]').count()) === 1);
  await close();
}

/* ---- a screen, and typed edges ---------------------------------------------------------------------------------- */
{
  const {page, close} = await open('screen.html');
  check('a screen with all vertices says how many are flagged', /flagged/.test(await page.textContent('#facts')));
  await filter(page, 'flagged=1');
  const rows = readFileSync(folder + '/screen.tsv', 'utf8').split('\n').filter(line => line.split('\t')[2] === '1').length;
  check('flags can be filtered', (await count(page)).startsWith(rows + ' '), [await count(page), rows]);
  await close();
}
{
  const {page, close} = await open('typed.html');
  const titles = await page.locator('.grid-head button').allTextContents();
  check('a pattern has a column for each vertex', titles.join() === 'match,x,y', titles);
  if (await page.evaluate(() => typeof cytoscape === 'function')) {
    await page.locator('.grid-row').first().click();
    await page.click('#show-one');
    const edge = await page.evaluate(() => [network.cy.edges()[0].data('type'), network.cy.edges()[0].hasClass('directed')]);
    check('edges have their types and directions', edge[0] === 'binds' && edge[1], edge);
  }
  await close();
}

/* ---- numbers ------------------------------------------------------------------------------------------------------ */
{
  const {page, close} = await open('census.html');
  check('each row has its null', await page.locator('.grid-row canvas').count() > 5);
  check('the first row is drawn in its null', await page.locator('#plot').isVisible() && (await page.textContent('#view-note')).includes('Pólya-Aeppli'), await page.textContent('#view-note'));
  const ink = inkOf(await page.locator('#plot').screenshot(), 8);
  check('the plot has a curve', ink.filter(x => x > 0.003).length > 10, ink);
  /* the curve that is drawn has the mean and the deviation of the file; its tails are at most p and p_less, which other code
   * computed as the greatest of several fits, and where it is the greatest of them they are equal */
  const curve = await page.evaluate(() => {
    let moments = 0, above = 0, nearest = Infinity;
    for (let row = 0; row < data.shown; row++) {
      const value = name => Number(columnOf(name).values[row]), mean = value('expected'), sd = value('sd'), sets = value('sets');
      if (!(sd * sd > mean))
        continue;
      const all = polyaAeppli(mean, sd, Math.ceil(mean + 60 * sd)), add = (a, b) => a + b, sum = all.reduce(add, 0);
      const drawn = all.reduce((a, p, i) => a + i * p, 0) / sum, spread = Math.sqrt(all.reduce((a, p, i) => a + (i - drawn) ** 2 * p, 0) / sum);
      moments = Math.max(moments, Math.abs(drawn / mean - 1), Math.abs(spread / sd - 1));
      for (const [tail, name] of [[all.slice(sets), 'p'], [all.slice(0, sets + 1), 'p_less']]) {
        const excess = tail.reduce(add, 0) / sum / value(name) - 1;
        above = Math.max(above, excess);
        nearest = value(name) < 0.999 ? Math.min(nearest, Math.abs(excess)) : nearest;
      }
    }
    return {moments, above, nearest};
  });
  check('the curve has the mean and the deviation of the file', curve.moments < 1e-9, curve);
  check('no tail of the curve is above p or p_less of the file', curve.above < 1e-4, curve);
  check('where the curve is the greatest fit, its tail is the p value of the file', curve.nearest < 1e-4, curve);
  check('the page says where p comes from', (await page.textContent('#view-note')).includes('the greatest of several fits'), await page.textContent('#view-note'));
  await page.click('.grid-head button[data-column=z]');
  const z = (await page.evaluate(() => Array.from(table.order, row => columnOf('z').values[row]))).filter(x => x === x);
  check('sorting by z puts the greatest first', z.every((x, i) => i === 0 || z[i - 1] >= x));
  check('PNG of the plot', (await saved(page, '#save-png')).bytes.length > 1000);
  check('SVG of the plot', /<svg [^>]*width="85mm".*observed: .*<\/svg>/s.test((await saved(page, '#save-svg')).bytes));
  await close();
}
/* ---- columns: those that decide are in sight, others can be chosen; numbers are short, with separated thousands ---- */
for (const [name, wanted] of [['census.html', ['motif', 'sets', 'fold', 'z', 'p', 'q']], ['shapes.html', ['name', 'sets', 'perm_fold', 'perm_z', 'perm_p', 'perm_q']],
  ['compare.html', ['motif', 'group', 'reference', 'log2_ratio', 'p', 'q']], ['cell_screen.html', ['vertex', 'flagged']], ['list.html', ['match', 'vertices']]])
  for (const width of [1280, 1920]) {
    const {page, close} = await open(name, {viewport: {width, height: 900}});
    const hidden = await page.evaluate(wanted => {
      const sight = table.box.getBoundingClientRect();
      return wanted.filter(name => {
        const title = table.box.querySelector('button[data-column=' + name + ']'), box = title && title.getBoundingClientRect();
        return !title || box.left < sight.left || box.right > sight.right || title.scrollWidth > title.clientWidth;
      });
    }, wanted);
    check(name + ' at ' + width + ': columns that decide are in sight', hidden.length === 0, hidden);
    await page.click('#columns summary');
    const before = await page.locator('.grid-head > div').count(), boxes = page.locator('#columns input');
    for (let i = 0; i < await boxes.count(); i++)
      await boxes.nth(i).check();
    check(name + ': all columns can be chosen', await page.locator('.grid-head > div').count() === await boxes.count() && await boxes.count() >= before);
    const bar = await page.evaluate(() => [table.box.scrollWidth > table.box.clientWidth, table.box.offsetHeight - table.box.clientHeight]);
    check(name + ': a table that is wider than its frame has a bar', !bar[0] || bar[1] >= 10, bar);
    await close();
  }
{
  const {page, close} = await open('census.html');
  const shown = await page.evaluate(() => [1234567, 12345.678, 0.00012345, 3.14159, 12345678901234567890n, '98765432109876543210', NaN].map(number));
  check('numbers are for readers', shown.join(' ') === '1,234,567 12,346 1.23e-4 3.14 12,345,678,901,234,567,890 98,765,432,109,876,543,210 NA', shown);
  const exact = readFileSync(folder + '/census.tsv', 'utf8').split('\n').filter(line => line && !line.startsWith('#'))[1];
  check('TSV has all digits', (await saved(page, '#save-tsv')).bytes.toString().includes('\n' + exact + '\n'));
  await close();
}
for (const name of ['shapes', 'orbits', 'colored_shapes', 'colored_orbits']) {
  const {page, close} = await open(name + '.html');
  const pictures = page.locator('.grid-row canvas[aria-label^="("]');
  check(name + ': each row has a picture of its shape', await pictures.count() > 5);
  const ink = inkOf(await pictures.first().screenshot(), 4);
  check(name + ': the picture is drawn', ink.some(x => x > 0.02), ink);
  const patterns = await page.evaluate(() => Array.from({length: data.shown}, (_, row) => [columnOf('shape').text(row), readShape(columnOf('shape').text(row))])
    .filter(([text, shape]) => shape.edges.length !== text.replace(/`[^`]*`/g, '').split(',').length));
  check(name + ': each edge of a pattern is read', patterns.length === 0, patterns);
  const arrows = await page.evaluate(() => Array.from({length: data.shown}, (_, row) => readShape(columnOf('shape').text(row)).edges).flat().every(edge => edge[2] === Boolean(head.graph.directed)));
  check(name + ': edges have arrows if there are directions', arrows);
  /* what a plot draws, with another row than the first one chosen */
  await page.locator('.grid-row').nth(2).click();
  const drawn = await page.evaluate(() => {
    const bars = [], dots = [], proto = CanvasRenderingContext2D.prototype, fill = proto.fillRect, arc = proto.arc, row = chosenRow;
    proto.fillRect = function (x, y, w, h) { bars.push({x, y, w, h, color: this.fillStyle}); fill.call(this, x, y, w, h); };
    proto.arc = function (x, y, r, ...rest) { dots.push({x, y, r, color: this.fillStyle}); arc.call(this, x, y, r, ...rest); };
    const words = plots.large(row);
    proto.fillRect = fill;
    proto.arc = arc;
    const vertex = columnOf('vertex'), sets = columnOf('sets').values, profile = columnOf('perm_profile');
    return {words, row, bars: bars.slice(1), dots, profile: profile ? Array.from(profile.values) : [],
      sets: vertex ? Array.from(sets).filter((_, own) => vertex.values[own] === vertex.values[row]).map(Number) : [],
      first: vertex ? vertex.values.indexOf(vertex.values[row]) : 0};
  });
  check(name + ': the plot is in the page', await page.locator('#plot').isVisible() && (await page.textContent('#view-note')) === drawn.words, drawn.words);
  if (drawn.sets.length) {
    const high = Math.max(...drawn.sets.map(x => Math.log10(1 + x))), tall = Math.max(...drawn.bars.map(bar => bar.h));
    check(name + ': a bar for each orbit of the vertex, with the height of its sets', drawn.bars.length === drawn.sets.length &&
      drawn.bars.every((bar, i) => Math.abs(bar.h / tall - Math.log10(1 + drawn.sets[i]) / high) < 1e-6), [drawn.bars, drawn.sets]);
    const marked = drawn.bars.filter(bar => bar.color !== drawn.bars[(drawn.row - drawn.first + 1) % drawn.bars.length].color);
    check(name + ': the chosen orbit is marked', marked.length === 1 && marked[0] === drawn.bars[drawn.row - drawn.first], marked);
  } else {
    const points = drawn.dots.filter(dot => [1.5, 3, 6].includes(dot.r)), known = drawn.profile.filter(x => x === x);
    check(name + ': a point for each shape of the profile', points.length === known.length, [points.length, known.length]);
    const chosen = points.filter(dot => dot.r === 6), z = drawn.profile[drawn.row];
    const span = Math.max(...points.map(dot => dot.y)) - Math.min(...points.map(dot => dot.y)), wide = Math.max(...known) - Math.min(...known);
    const lowest = Math.max(...points.map(dot => dot.y));
    check(name + ': points are as high as their z', chosen.length === 1 && Math.abs((lowest - chosen[0].y) / span - (z - Math.min(...known)) / wide) < 1e-6, [chosen, z]);
    check(name + ': the profile is explained', drawn.words.includes('normalised profile'));
  }
  await close();
}
{
  const {page, close} = await open('compare.html');
  check('the samples are listed', await page.locator('#samples tr').count() === 7);
  check('the groups are drawn', (await page.textContent('#view-note')).includes('a dot is a sample'), await page.textContent('#view-note'));
  /* what is drawn: a dot for each sample of both groups, and bars at the means of the file, which are those of the dots */
  await page.locator('.grid-row').nth(1).click();
  const drawn = await page.evaluate(() => {
    const dots = [], bars = [], proto = CanvasRenderingContext2D.prototype, arc = proto.arc, line = proto.lineTo, move = proto.moveTo;
    let from;
    proto.arc = function (x, y, ...rest) { dots.push({x, y}); arc.call(this, x, y, ...rest); };
    proto.moveTo = function (x, y) { from = {x, y}; move.call(this, x, y); };
    proto.lineTo = function (x, y) { if (x === from.x && y - from.y > 20) bars.push({x, y: (y + from.y) / 2}); line.call(this, x, y); };
    plots.large(chosenRow);
    Object.assign(proto, {arc, lineTo: line, moveTo: move});
    return {dots, bars, motif: columnOf('motif').text(chosenRow), rates: ['rate', 'reference_rate'].map(name => columnOf(name).values[chosenRow]), names: ['group', 'reference'].map(name => columnOf(name).text(chosenRow))};
  });
  const lines = readFileSync(folder + '/counts.tsv', 'utf8').trim().split('\n').filter(line => !line.startsWith('#')).map(line => line.split('\t'));
  const place = name => lines[0].indexOf(name), zero = 20;
  const wanted = drawn.names.flatMap(group => lines.slice(1).filter(line => line[place('motif')] === drawn.motif && line[place('group')] === group).map(line => Number(line[place('share')])));
  const scale = (drawn.bars[0].x - zero) / drawn.rates[0];
  check('each sample is a dot at its share', drawn.dots.length === 6 && wanted.length === 6 && drawn.dots.every((dot, i) => Math.abs(dot.x - zero - wanted[i] * scale) < 0.1), [drawn, wanted]);
  check('the bars are the means', drawn.bars.length === 2 && [0, 1].every(i => Math.abs(drawn.dots.slice(3 * i, 3 * i + 3).reduce((sum, dot) => sum + dot.x, 0) / 3 - drawn.bars[i].x) < 0.1), drawn);
  check('the comparison is verified', (await page.textContent('#facts')).includes('Verified'));
  await close();
  const counts = await open('counts.html');
  check('counts of samples are drawn', /Each dot is a sample, and the bar is the mean/.test(await counts.page.textContent('#view-note')));
  await counts.close();
}

/* ---- the other kinds: what is chosen is drawn, and nothing is said on the console --------------------------------- */
for (const [name, title, fact] of [['participation.html', 'Matches of each vertex: c0:2,c1', 'Verified'],
  ['positions.html', 'Matches of each vertex: paw', 'pairs of a vertex and a position'],
  ['typed_positions.html', 'Matches of each vertex: (x)-[binds]->(y)<-[binds]-(z)', 'Together they are in'],
  ['nearest.html', 'Nearest matches of c0:2,c1', 'The search ended early'], ['flags.html', 'Vertices in a match of clique:3', 'Nothing can be missed'],
  ['vertices.html', 'Census of each vertex: motifs of 3 vertices', 'numbers of sets are exact'], ['sections.html', 'Matches of 2 motifs', 'Verified'],
  ['mined.html', 'Mining: 30 motifs', 'no motif is missing'], ['lists.html', 'Matches of 2 motifs', '--rows FILE'],
  ['near.html', 'Near matches of (x:A)-[binds]->(y:B)<-[binds]-(z:A)-[cuts]->(w:B)', 'No better map is left out'],
  ['sample.html', 'Matches of c0,c1,c2', 'A random sample'], ['none.html', 'Matches of red:2', 'Nothing was found']]) {
  const {page, close} = await open(name, {colorScheme: 'dark'});
  check(name + ': the title', await page.textContent('h1') === title, await page.textContent('h1'));
  check(name + ': ' + fact, (await page.textContent('#facts')).includes(fact), await page.textContent('#facts'));
  const rows = Number(await page.getAttribute('#table', 'aria-rowcount')) - 1;
  check(name + ': the number of rows', (await count(page)) === rows.toLocaleString('en-US') + (rows === 1 ? ' row' : ' rows') && (rows > 0 || name === 'none.html'), [rows, await count(page)]);
  for (const i of rows ? [0, Math.min(5, rows - 1)] : []) {
    await page.locator('.grid-row').nth(i).click();
    check(name + ': row ' + i + ' has its values', (await page.locator('#details dd').count()) > 1 && (await page.textContent('#view-title')).length > 1);
  }
  if (rows && await page.locator('#drawing').isVisible())
    check(name + ': the row is drawn', await page.evaluate(() => verticesOf(chosenRow).every(v => network.cy.nodes('[vertex = ' + v + ']').length === 1)));
  await page.click('.grid-head button >> nth=0');
  await page.keyboard.press('Tab');
  await close();
}

/* ---- cells at their positions --------------------------------------------------------------------------------------- */
{
  const {page, close} = await open('niches.html');
  const cells = new Map(readFileSync(folder + '/placed.csv', 'utf8').trim().split('\n').slice(1).map(line => line.split(',')).map(c => [c[0], c]));
  check('the title of the drawing', await page.textContent('#view-title') === 'Positions of matches');
  check('a vertex without a position is counted', (await page.textContent('#view-note')).includes('1 vertex has no position'), await page.textContent('#view-note'));
  const all = inkOf(await page.locator('#places').screenshot(), 8);
  check('the whole tissue is drawn', all.filter(x => x > 0.02).length >= 30, all);
  check('slides have names', await page.evaluate(() => data.places.slides.map(slide => slide.name).join()) === 'slide 0,slide 1');
  /* distances on the map are those of the table, up to rounding, and vertices of a slide lie in its part */
  const worst = await page.evaluate(cells => {
    const p = data.places, f = places.found, table = new Map(cells);
    let worst = 0;
    for (let i = 1; i < f.count; i++) {
      const a = table.get(strings[f.vertex[i - 1]]), b = table.get(strings[f.vertex[i]]);
      if (a[4] === b[4])
        worst = Math.max(worst, Math.abs((f.x[i] - f.x[i - 1]) / p.scale - (b[1] - a[1])), Math.abs((f.y[i] - f.y[i - 1]) / p.scale - (b[2] - a[2])));
    }
    return worst * p.scale;
  }, [...cells]);
  check('vertices are where the table says', worst < 1.01, worst);
  check('all cells are there', await page.evaluate(() => places.found.count + places.other.count) === cells.size);
  await filter(page, 'role:nothing');
  check('an unknown role is answered by roles as they are written', (await page.textContent('#filter-help')).includes('Tumour'), await page.textContent('#filter-help'));
  await filter(page, '');
  await page.locator('.grid-row').nth(2).click();
  const sight = () => page.evaluate(() => verticesOf(places.row).map(v => placeOf(places.view, placesSize(), places.at.get(v)))
    .every(p => p.x > 0 && p.y > 0 && p.x < placesSize().w && p.y < placesSize().h));
  check('a row is shown with its surroundings', await page.evaluate(() => places.drawn) === 'one' && await sight());
  const written = await page.evaluate(() => { /* the texts of the drawing */
    const texts = [], pen = document.createElement('canvas').getContext('2d');
    pen.fillText = text => texts.push(text);
    drawPlaces(pen);
    return {texts, scale: data.places.scale > 0 ? number(scaleLength(places.view, placesSize())) : texts[0], names: verticesOf(places.row).map(v => strings[v])};
  });
  check('the drawing has a scale', written.texts.includes(written.scale), written);
  check('and names of the row', written.texts.some(text => written.names.includes(text)), written);
  check('the drawing is larger then', await page.evaluate(() => places.view.scale * data.places.width > 2 * placesSize().w));
  const around = await page.evaluate(() => { /* vertices in sight beside those of the row */
    const {w, h} = placesSize(), o = places.other, v = places.view;
    return Array.from(o.x).filter((x, i) => Math.abs(x - v.x) * v.scale < w / 2 && Math.abs(o.y[i] - v.y) * v.scale < h / 2).length;
  });
  check('with other cells around', around > 5, around);
  check('readers who do not see it are told', (await page.getAttribute('#places', 'aria-label')).includes('Match 3 is highlighted'));
  await page.click('#show-all');
  await page.locator('.grid-row').nth(3).click();
  check('the overview stays while rows are chosen', await page.evaluate(() => places.drawn) === 'all' && await sight());
  const scale = () => page.evaluate(() => places.view.scale), before = await scale();
  await page.click('#zoom-in');
  check('a button enlarges', await scale() > 1.5 * before);
  await page.focus('#places');
  await page.keyboard.press('-');
  await page.keyboard.press('ArrowLeft');
  check('keys move the drawing', await scale() < 1.5 * before && await page.evaluate(() => places.view.x < data.places.width / 2));
  await page.click('#show-all');
  const [spot, name] = await page.evaluate(() => {
    const p = placeOf(places.view, placesSize(), 0);
    return [p, strings[places.found.vertex[0]]];
  });
  await page.locator('#places').click({position: spot});
  check('a click on a cell chooses a row with it', (await page.evaluate(() => verticesOf(chosenRow).map(v => strings[v]))).includes(name), name);
  await page.click('#show-one');
  const cx2 = JSON.parse((await saved(page, '#save-cx2')).bytes.toString()), nodes = cx2.find(aspect => aspect.nodes).nodes;
  check('CX2 has the match at its positions', nodes.length === 3 && new Set(nodes.map(node => node.x + ' ' + node.y)).size === 3, nodes);
  check('SVG has the cells in the colours of their roles', await page.evaluate(text => data.roles.every(([, color]) => text.includes('fill="' + color)), (await saved(page, '#save-svg')).bytes.toString()));
  const png = inkOf((await saved(page, '#save-png')).bytes, 4);
  check('PNG has the drawing', png.filter(x => x > 0.01).length >= 8, png);
  await close();
}
{
  const {page, close} = await open('cell_screen.html', {colorScheme: 'dark', viewport: {width: 375, height: 700}, hasTouch: true, isMobile: true});
  check('positions fit a phone', await page.evaluate(() => document.documentElement.scrollWidth) <= 375);
  await filter(page, 'flagged=0');
  await page.locator('.grid-row').first().tap();
  check('a vertex in no match is said to be one', (await page.textContent('#view-note')).includes('in no match'), await page.textContent('#view-note'));
  await close();
}
{
  const {page, close} = await open('no_edges.html');
  if (await page.evaluate(() => typeof cytoscape === 'function'))
    check('a report without edges does not claim to have them', (await page.textContent('#view-note')).includes('The report holds no edges'), await page.textContent('#view-note'));
  await close();
}

await testWalks();

/* ---- paper ---------------------------------------------------------------------------------------------------------- */
{
  const {page, close} = await open('census.html');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({media: 'print'});
  const rows = readFileSync(folder + '/census.tsv', 'utf8').split('\n').filter(line => line && !line.startsWith('#')).length;
  check('all rows are printed', await page.locator('#printed tr:visible').count() === rows, rows);
  check('the table of the screen is not', !(await page.locator('#table').isVisible()));
  await close();
}

/* ---- without scripts ------------------------------------------------------------------------------------------------ */
{
  const context = await browser.newContext({javaScriptEnabled: false}), page = await context.newPage();
  await page.goto('file://' + folder + '/list.html');
  check('without scripts, the page says what to do', (await page.innerText('body')).trim().startsWith('The scripts in this file draw the report. Allow scripts'), await page.innerText('body'));
  await context.close();
}

/* ---- rules of accessibility, checked by axe-core (Deque Systems) ------------------------------------------------------- */
for (const name of ['list.html', 'census.html', 'compare.html', 'niches.html', 'mined.html', 'components.html', 'paths.html'])
  for (const options of [{}, {colorScheme: 'dark', viewport: {width: 360, height: 700}, isMobile: true, hasTouch: true}]) {
    const {page, close} = await open(name, {bypassCSP: true, ...options});
    await page.locator('.grid-row').first().click();
    await page.evaluate(() => { byId('about').open = true; });
    await page.evaluate(readFileSync(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8'));
    const found = (await page.evaluate(() => axe.run())).violations.map(rule => [rule.id, rule.help, rule.nodes[0].html.slice(0, 200)]);
    check(name + ': no rule of accessibility is broken', found.length === 0, found);
    check(name + ': the width of a phone', !options.isMobile || await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
    await close();
  }

/* ---- 10^5 rows ------------------------------------------------------------------------------------------------------ */
{
  const {page, seconds, used, close} = await open('big.html');
  check('10^5 rows', await count(page) === '100,000 rows', await count(page));
  /* the time of the processor, because other tests run at the same time */
  console.log('10^5 rows: the page answers after ' + used.toFixed(2) + ' s of processor time, ' + seconds.toFixed(2) + ' s in all');
  check('10^5 rows in less than 2 s', used < 2, used);
  check('few rows are in the page', await page.locator('.grid-row').count() < 100);
  await page.evaluate(() => { document.getElementById('table').scrollTop = 1e9; });
  await page.waitForTimeout(100);
  check('the last row can be reached', (await page.locator('.grid-row').last().textContent()).startsWith('100,000'));
  const begin = Date.now();
  await filter(page, 'match>99990');
  check('a filter takes less than 3 s, also beside other tests', Date.now() - begin < 3000, Date.now() - begin);
  check('it leaves 10 rows', (await count(page)).startsWith('10 of'), await count(page));
  await close();
}

await finish();
