/* What the tests of reports in a browser share: counted checks, pages, pictures. */
import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inflateSync } from 'node:zlib';

export const folder = resolve(process.argv[2]);
let checks = 0, failures = 0;
export function check(what, truth, detail) {
  checks++;
  if (truth)
    return;
  failures++;
  console.log('FAILED: ' + what + (detail === undefined ? '' : ': ' + JSON.stringify(detail)));
}

export const browser = await chromium.launch({executablePath: process.env.CHROMIUM, ignoreDefaultArgs: ['--hide-scrollbars'], args: ['--no-sandbox', '--disable-gpu']});

/* Opens a report; nothing may be written to the console, and nothing may be asked of any network. */
export async function open(name, options) {
  const context = await browser.newContext({viewport: {width: 1300, height: 900}, acceptDownloads: true, ...options});
  const page = await context.newPage();
  page.setDefaultTimeout(8000);
  const said = [], asked = [], session = await context.newCDPSession(page);
  await session.send('Performance.enable', {timeDomain: 'threadTicks'});
  page.on('console', message => said.push(message.text()));
  page.on('pageerror', error => said.push(String(error)));
  page.on('dialog', dialog => { said.push('dialog ' + dialog.message()); dialog.dismiss(); });
  page.on('request', request => asked.push(request.url()));
  const begin = Date.now();
  await page.goto('file://' + folder + '/' + name);
  try {
    await page.waitForFunction(() => document.documentElement.dataset.ready, null, {timeout: 60000});
  } catch {
    check(name + ': the page is ready', false, said);
  }
  const seconds = (Date.now() - begin) / 1000;
  const used = (await session.send('Performance.getMetrics')).metrics.find(metric => metric.name === 'TaskDuration').value;
  return {page, said, asked, seconds, used, close: async () => {
    check(name + ': nothing on the console', said.length === 0, said);
    check(name + ': no request but the file', asked.filter(url => !/^(blob|data):/.test(url)).length === 1, asked);
    await context.close();
  }};
}

export const cells = (page, i) => page.locator('.grid-row').nth(i).locator('[role=gridcell]').allTextContents();
export const count = page => page.locator('#count').textContent();
export async function filter(page, text) {
  await page.fill('#filter', text);
  await page.waitForTimeout(200);
}
export async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  return {name: download.suggestedFilename(), bytes: readFileSync(await download.path())};
}
export const drawn = page => page.waitForFunction(() => network.cy !== null);
export const nodesDrawn = page => page.evaluate(() => network.cy.nodes().length);

/* ---- pictures: how much of each part is not background ---------------------------------------------- */

/* Decodes a PNG of 8 bits a channel without interlacing, as Chromium writes it. */
export function decodePng(bytes) {
  let at = 8, width, height, channels;
  const parts = [];
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at), type = bytes.toString('latin1', at + 4, at + 8), body = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      channels = body[9] === 6 ? 4 : body[9] === 2 ? 3 : 1;
    }
    if (type === 'IDAT')
      parts.push(body);
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts)), stride = width * channels, pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const kind = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? pixels[y * stride + x - channels] : 0, up = y ? pixels[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y ? pixels[(y - 1) * stride + x - channels] : 0, p = left + up - corner;
      const paeth = Math.abs(p - left) <= Math.abs(p - up) && Math.abs(p - left) <= Math.abs(p - corner) ? left : Math.abs(p - up) <= Math.abs(p - corner) ? up : corner;
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + [0, left, up, (left + up) >> 1, paeth][kind];
    }
  }
  return {width, height, channels, pixels};
}

/* Returns the share of pixels in each of n x n parts that differ from the colour in the upper left corner. */
export function inkOf(png, n) {
  const {width, height, channels, pixels} = decodePng(png), ink = new Float64Array(n * n), all = new Float64Array(n * n);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const part = Math.floor(y * n / height) * n + Math.floor(x * n / width), at = (y * width + x) * channels;
      all[part]++;
      ink[part] += [0, 1, 2].some(c => Math.abs(pixels[at + c] - pixels[c]) > 40);
    }
  return Array.from(ink, (x, i) => x / all[i]);
}

/* The mean brightness of a picture, from 0 to 255. */
export function brightness(png) {
  const {channels, pixels} = decodePng(png);
  let sum = 0;
  for (let i = 0; i < pixels.length; i += channels)
    sum += pixels[i];
  return sum / (pixels.length / channels);
}

/* Prints the number of checks and ends the program. */
export async function finish() {
  await browser.close();
  console.log(Math.floor(100 * (checks - failures) / checks) + '%: Checks: ' + checks + ', Failures: ' + failures + ', Errors: 0');
  process.exit(failures ? 1 : 0);
}
