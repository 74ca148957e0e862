/**
 * Takes the pictures of the console and the report that the documentation shows, from a real stack:
 *
 *     npm run build && node docs/images/take-screenshots.js
 *
 * It takes about five minutes and needs Chromium (CHROMIUM says where). `--runs-dir DIR` keeps the runs there, and uses those
 * that it finds; `--to DIR` writes elsewhere.
 */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { palettePng } from './palette-png.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const MAIN = path.join(here, '../../lab/dist/main.js');
const flags = readFlags();

/** Seconds of the loads; those of runs that are compared are equal. */
const SECONDS = { throttled: 60, serial: 40, parallel: 40, mystery: 20 };
const PATIENCE_MS = 180_000;
const WIDE = { width: 1360, height: 1000 };

const temporary = mkdtempSync(path.join(os.tmpdir(), 'lab-pictures-'));
const runsDir = path.resolve(flags['runs-dir'] ?? path.join(temporary, 'runs'));
mkdirSync(runsDir, { recursive: true });
mkdirSync(flags.to, { recursive: true });
const env = { LAB_STATE_DIR: path.join(temporary, 'state'), ...process.env, NO_COLOR: '1' };

const server = await startConsole();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--hide-scrollbars'],
});
try {
  const page = await browser.newPage({ viewport: WIDE });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(server.url);
  await takePictures(page);
} finally {
  await browser.close();
  await server.stop();
  rmSync(temporary, { recursive: true, force: true });
}

function readFlags() {
  try {
    return parseArgs({
      options: { to: { type: 'string', default: here }, 'runs-dir': { type: 'string' } },
    }).values;
  } catch (error) {
    console.error(`${error.message}\nallowed are --runs-dir DIR and --to DIR`);
    process.exit(2);
  }
}

async function takePictures(page) {
  const throttled = newestRun('throttled') ?? (await run(page, 'throttled'));
  const turned = newestRun('throttled', { turned: 2 }) ?? (await turnKnobs(page));
  const serial = newestRun('serial') ?? (await run(page, 'serial'));
  const parallel = newestRun('parallel') ?? (await run(page, 'parallel'));

  await show(page, `run?run=${throttled}`, '.chart canvas');
  await picture(page, 'console-run', { fit: true });
  await page.getByRole('button', { name: 'Dark' }).click();
  await picture(page, 'console-dark');
  await page.getByRole('button', { name: 'Dark' }).click();

  await show(page, `transactions?run=${turned}&list=throttled`, '.operations a');
  await page.locator('.operations a').first().click();
  await page.locator('.waterfall tr[data-kind="wait"]').first().waitFor();
  await picture(page, 'console-transaction');

  const query = readFileSync(path.join(here, '../../lab/queries/cosmos-results-over-time.kql'), 'utf8');
  await show(page, `queries?${new URLSearchParams({ run: turned, q: query })}`, '[data-rows]');
  await picture(page, 'console-queries');
  await show(page, `map?run=${turned}`, '.map rect');
  await picture(page, 'console-map', { fit: true });
  await show(page, `compare?runs=${serial},${parallel}`, '.judgement');
  await picture(page, 'console-compare', { height: 1500 });

  await takeRoomView(throttled);
  await takeReport(throttled);
  await playMystery(page);
}

/** The room's view, as the back row sees it. */
async function takeRoomView(id) {
  const page = await browser.newPage({ viewport: WIDE });
  await page.goto(server.room);
  await page.getByRole('button', { name: 'Large type' }).click();
  await show(page, `run?run=${id}`, '.chart canvas');
  await picture(page, 'console-room');
  await page.close();
}

async function takeReport(id) {
  const page = await browser.newPage({ viewport: { width: 1100, height: 1300 } });
  await page.goto(pathToFileURL(path.join(runsDir, id, 'report.html')).href);
  await picture(page, 'report', { height: 1300 });
  await page.close();
}

/** A wrong answer and the reply to it; what it was stays hidden. */
async function playMystery(page) {
  await run(page, 'mystery');
  await show(page, 'workshop?exercise=mystery', 'form[aria-label="Answer"]');
  const form = page.getByRole('form', { name: 'Answer' });
  await form.getByLabel('What holds it back').selectOption('cpu-saturation');
  await form.getByLabel('What would help').selectOption('more-cpu');
  await form.getByRole('button', { name: 'Judge' }).click();
  await page.locator('[data-right], .answer-form .error').first().waitFor();
  await picture(page, 'console-workshop', { fit: true });
}

/** More users bring 429s, more request units end them; the picture is taken under load. */
async function turnKnobs(page) {
  await start(page, 'throttled');
  await reached(page, 12);
  await turn(page, 'users', '60');
  await reached(page, 34);
  await turn(page, 'ruPerSecond', '2500');
  await reached(page, 50);
  await picture(page, 'console-knobs');
  await ended(page);
  return newestRun('throttled', { turned: 2 });
}

async function turn(page, name, value) {
  const knob = page.locator(`[data-knob="${name}"]`);
  await knob.getByRole('spinbutton').fill(value);
  await knob.getByRole('button').click();
  await page.locator('.turn-mark').getByText(`${name} ${value}`).first().waitFor();
}

async function run(page, scenario) {
  await start(page, scenario);
  await ended(page);
  return newestRun(scenario);
}

async function start(page, scenario) {
  await page.goto(`${server.url}#/run`);
  await page.getByLabel('Scenario').selectOption(scenario);
  await page.locator('.controls').getByLabel('Seconds').fill(String(SECONDS[scenario]));
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator('[data-state="loading"]').waitFor();
}

function reached(page, second) {
  return page.waitForFunction(
    (wanted) =>
      Number.parseInt(document.querySelector('[data-tile="second"] dd')?.textContent ?? '', 10) >= wanted,
    second,
  );
}

function ended(page) {
  return page.locator('[data-state="complete"]').waitFor();
}

/** A view, once what it is about is there. */
async function show(page, view, selector) {
  await page.goto(`${page.url().replace(/#.*/, '')}#/${view}`);
  await page.locator(selector).first().waitFor();
  // Charts are drawn in the next frame.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** `fit`: as high as the page's content. */
async function picture(page, name, { height = WIDE.height, fit = false } = {}) {
  const { width } = page.viewportSize();
  const content = fit
    ? await page.evaluate(() => Math.ceil(document.querySelector('main').getBoundingClientRect().bottom) + 16)
    : height;
  await page.setViewportSize({ width, height: Math.min(content, 1600) });
  const png = await page.screenshot();
  await page.setViewportSize({ width, height: WIDE.height });
  const file = path.join(flags.to, `${name}.png`);
  const bytes = await reduced(png);
  writeFileSync(file, bytes);
  process.stdout.write(`${file}  ${Math.round(bytes.length / 1000)} kB\n`);
}

/** The same picture in few colours. */
async function reduced(png) {
  const page = await browser.newPage();
  const { width, height, data } = await page.evaluate(
    async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const { width, height } = image;
      const context = new OffscreenCanvas(width, height).getContext('2d');
      context.drawImage(image, 0, 0);
      const bytes = context.getImageData(0, 0, width, height).data;
      const reader = new FileReader();
      const read = new Promise((resolve) => reader.addEventListener('load', resolve));
      reader.readAsDataURL(new Blob([bytes]));
      await read;
      return { width, height, data: reader.result.replace(/^[^,]*,/, '') };
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await page.close();
  return palettePng({ width, height, rgba: Buffer.from(data, 'base64') });
}

/** Of a scenario, with so many knobs turned. */
function newestRun(scenario, { turned = 0 } = {}) {
  return readdirSync(runsDir)
    .filter((name) => name.includes(`-${scenario}-`) && existsSync(path.join(runsDir, name, 'result.json')))
    .sort()
    .findLast((name) => {
      const { status, turnedKnobs } = JSON.parse(
        readFileSync(path.join(runsDir, name, 'result.json'), 'utf8'),
      );
      return status === 'complete' && turnedKnobs.length === turned;
    });
}

async function startConsole() {
  const args = [MAIN, 'console', '--json', '--port', '0', '--host', '127.0.0.1', '--runs-dir', runsDir];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    void ended.then((code) => reject(new Error(`the console ended with ${code}`)));
  });
  const { console: url, room } = JSON.parse(line);
  return {
    url,
    room: room[0],
    stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}
