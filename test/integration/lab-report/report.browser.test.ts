import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { progressionHtml } from '../../../lab/src/report/html/progression-page.js';
import { type ReportedRun, reportedRun } from '../../../lab/src/report/html/reported-run.js';
import { runHtml } from '../../../lab/src/report/html/run-page.js';
import { buildResult } from '../../../lab/src/results/index.js';
import { findOperation } from '../../../lab/src/telemetry/find-operation.js';
import { readOperation } from '../../../lab/src/telemetry/operation.js';
import { folderSource } from '../../../lab/src/telemetry/telemetry-source.js';
import { cachedRecording } from '../../unit/lab-analysis/model/cached.js';
import { writeSyntheticRun } from '../../unit/lab-telemetry/synthetic-run.js';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PATIENCE_MS = 120_000;

if (!existsSync(CHROMIUM)) {
  it('the report in a browser', ({ skip }) => {
    skip(`there is no Chromium at ${CHROMIUM}; set CHROMIUM to where it is`);
  });
}

describe.skipIf(!existsSync(CHROMIUM))('the report in a browser', { timeout: PATIENCE_MS }, () => {
  let folder: string;
  let browser: Browser;
  const pages: Record<string, string> = {};

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'lab-report-page-'));
    const runs = await reportedRuns();
    for (const [name, text] of Object.entries({
      run: runHtml(runs[0] as ReportedRun),
      progression: progressionHtml(runs),
    })) {
      const file = path.join(folder, `${name}.html`);
      writeFileSync(file, text);
      pages[name] = pathToFileURL(file).href;
    }
    // Root may not use Chromium's sandbox, and containers are often root's.
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  }, PATIENCE_MS);

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a page and notes everything that it asks for or complains about. */
  async function open(name: string, options: Parameters<Browser['newPage']>[0] = {}) {
    const page = await browser.newPage(options);
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(pages[name] as string);
    return { page, asked, complaints };
  }

  it.each(['run', 'progression'])(
    '%s: asks for nothing but itself, and nothing is wrong with it',
    async (name) => {
      const { page, asked, complaints } = await open(name);
      expect(asked).toEqual([pages[name]]);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  it.each([
    ['run', 'light'],
    ['run', 'dark'],
    ['progression', 'light'],
    ['progression', 'dark'],
  ] as const)('%s, %s: axe finds nothing serious', async (name, colorScheme) => {
    const { page } = await open(name, { colorScheme });
    // The page allows no script, so axe is run from outside of its policy.
    const violations = await seriousViolations(page);
    expect(violations).toEqual([]);
    await page.close();
  });

  it.each([1280, 380])(
    'at a width of %i fits without scrolling sideways, and no chart is empty',
    async (width) => {
      const { page } = await open('run', { viewport: { width, height: 900 } });
      expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBeLessThanOrEqual(width);
      for (let number = 1; number <= 8; number++) {
        const boxes = await page.locator(`#figure-${number} svg[role=img]`).evaluateAll((list) =>
          list.map((one) => {
            const { width: wide, height } = one.getBoundingClientRect();
            return { wide, height, drawn: one.querySelectorAll('path.line, rect.bar, rect.span').length };
          }),
        );
        expect(boxes.length, `chart ${number}`).toBeGreaterThan(0);
        for (const box of boxes) {
          expect(box.wide, `chart ${number}`).toBeGreaterThan(width / 4);
          expect(box.drawn, `chart ${number}`).toBeGreaterThan(0);
        }
      }
      await page.close();
    },
  );

  it('keeps what is drawn inside its chart', async () => {
    const { page } = await open('run');
    const outside = await page.locator('svg[role=img]').evaluateAll((list) =>
      list.flatMap((svg) => {
        const frame = svg.getBoundingClientRect();
        return [...svg.querySelectorAll('path.line, path.area, rect.bar, rect.span')]
          .map((mark) => mark.getBoundingClientRect())
          .filter(
            (box) =>
              box.left < frame.left - 1 ||
              box.right > frame.right + 1 ||
              box.top < frame.top - 1 ||
              box.bottom > frame.bottom + 1,
          )
          .map(() => svg.id);
      }),
    );
    expect(outside).toEqual([]);
    await page.close();
  });

  it.each(['run', 'progression'])(
    '%s: prints on A4, in black on white, with every chart whole',
    async (name) => {
      const { page } = await open(name, { colorScheme: 'dark' });
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      // A4 is 595 by 842 points.
      const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
      expect(boxes.length).toBeGreaterThan(2);
      expect(boxes.length).toBeLessThan(20);
      for (const [, wide, high] of boxes) {
        expect(Math.round(Number(wide))).toBe(595);
        expect(Math.round(Number(high))).toBe(842);
      }
      await page.emulateMedia({ media: 'print' });
      expect(await style(page, 'color')).toBe('rgb(27, 31, 36)');
      expect(await style(page, 'background-color')).toBe('rgb(255, 255, 255)');
      const broken = await page
        .locator('figure')
        .evaluateAll(
          (list) =>
            list.filter((one) => one.computedStyleMap().get('break-inside')?.toString() !== 'avoid').length,
        );
      expect(broken).toBe(0);
      await page.close();
    },
  );

  it('opens the figures of a chart by keyboard', async () => {
    const { page } = await open('run');
    const summary = page.locator('#figure-1 summary');
    await summary.focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('#figure-1 details tbody tr').count()).toBe(60);
    await expect.poll(() => page.locator('#figure-1 details table').isVisible()).toBe(true);
    await page.close();
  });
});

const style = (page: Page, property: string) =>
  page.locator('body').evaluate((body, name) => body.computedStyleMap().get(name)?.toString(), property);

async function seriousViolations(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setBypassCSP', { enabled: true });
  await page.reload();
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{
          passes: unknown[];
          violations: { id: string; impact: string; nodes: { html: string }[] }[];
        }>;
      };
    };
    const { passes, violations } = await axe.run();
    if (passes.length < 10) return [`axe looked at too little: ${passes.length} rules passed`];
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

/** The article's tests from the model; the first with a transaction that was throttled. */
async function reportedRuns(): Promise<ReportedRun[]> {
  using written = writeSyntheticRun({ calls: 9, throttled: true });
  const source = await folderSource(written.folder);
  const operation = await readOperation(source, await findOperation(source, 'throttled'));
  if (operation === null) throw new Error('the synthetic telemetry has a throttled operation');
  return ['throttled', 'serial', 'parallel', 'partition-key'].map((scenario, at) => {
    const recording = cachedRecording({ scenario, seed: 1 });
    const result = buildResult(recording);
    return at === 0
      ? reportedRun(recording, result, { shown: [{ what: 'a throttled operation', operation }] })
      : reportedRun(recording, result);
  });
}
