/* Opens reports and checks that each draws its network, by cytoscape.js and with something on its canvases:
 * node drawn.mjs FOLDER FILE...  See run.sh. */
import { browser, check, drawn, finish, inkOf, nodesDrawn, open } from './page.mjs';

for (const name of process.argv.slice(3)) {
  const {page, close} = await open(name);
  await drawn(page).catch(() => {});
  check(name + ': cytoscape.js is there', await page.evaluate(() => typeof cytoscape === 'function'));
  check(name + ': it made canvases', await page.locator('#drawing canvas').count() > 0);
  const vertices = await nodesDrawn(page).catch(() => 0);
  check(name + ': the network has vertices', vertices > 1, vertices);
  await page.waitForTimeout(500);
  const ink = vertices > 1 ? inkOf(await page.locator('#drawing').screenshot(), 4) : [];
  check(name + ': something is drawn', ink.filter(share => share > 0.01).length > 3, ink);
  await close();
}
await finish();
