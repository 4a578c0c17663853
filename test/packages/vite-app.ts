/**
 * Packs the packages, installs the tarballs in a Vite app with strict TypeScript, builds it with React 19 and 18, and uses
 * it in Chromium with a service. Prints why it is skipped if the npm registry or Chromium is missing.
 *
 *   npm run test:kit
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { installPackages } from '../own-packages.ts';
import { startService, TOKEN } from '../programs/faults/harness/service.ts';

const APP = join(import.meta.dirname, 'app');
const CHROMIUM = '/usr/bin/chromium';
/** Builds of the app, by Vite's mode, and their TypeScript configurations. */
const BUILDS = { production: 'tsconfig.json', 'react-18': 'tsconfig.react-18.json' };
const STEP_TIMEOUT_MS = 300_000;
const ARTICLE = `<!doctype html><title>Meal Planner</title><article><h1>Meal Planner</h1><p>${'Soup, bread and apples for the week. '.repeat(40)}</p></article>`;

const execute = promisify(execFile);

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await execute(command, args, { cwd, timeout: STEP_TIMEOUT_MS }).catch((error) => {
    throw new Error(`${command} ${args.join(' ')} failed: ${error.message}\n${error.stdout}`);
  });
  return stdout;
}

function expectEqual(actual: unknown, expected: unknown, description: string): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`${description}: expected ${wanted}, found ${found}`);
}

/** Packs both packages and installs the tarballs beside the packages of the app's lockfile. */
async function installTarballs(folder: string): Promise<void> {
  const tarballs: string[] = [];
  for (const name of ['client', 'embed']) {
    const output = await run('npm', ['pack', '--silent', '--pack-destination', folder], join('packages', name));
    tarballs.push(join(folder, output.trim().split('\n').at(-1) ?? ''));
  }
  await run('npm', ['install', '--no-save', '--no-package-lock', '--ignore-scripts', ...tarballs], APP);
}

async function buildApp(): Promise<void> {
  const examples = [...readFileSync('docs/kit.md', 'utf8').matchAll(/^```tsx\n([\s\S]+?)^```$/gm)];
  const [component = '', list = ''] = examples.map(([, example]) => example);
  expectEqual(component.includes('<PageEmbed'), true, 'the documentation has an example of the component');
  expectEqual(list.includes('EmbedList'), true, 'the documentation has an example of a list');
  writeFileSync(join(APP, 'src', 'documented.tsx'), component);
  writeFileSync(join(APP, 'src', 'documented-list.tsx'), list);
  const bin = (name: string) => join(APP, 'node_modules', '.bin', name);
  for (const [mode, configuration] of Object.entries(BUILDS)) {
    await run(bin('tsc'), ['--project', configuration], APP);
    const build = ['build', '--mode', mode, '--logLevel', 'error'];
    await run(bin('vite'), build, APP);
    await run(bin('vite'), [...build, '--ssr', 'src/server.tsx'], APP);
    const { html } = (await import(join(APP, `dist/${mode}-server/server.js`))) as { html: string };
    const rendered = /^<page-embed src="[^"]+" title="Meal Planner" class="component" style="[^"]+"><a href="[^"]+">/;
    expectEqual(rendered.test(html), true, `the server renders the element (${mode}): ${html}`);
  }
}

/** Serves the article and the files of a build. */
async function serveFiles(root: string) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/Meal-Planner') return response.setHeader('content-type', 'text/html').end(ARTICLE);
    const file = join(root, pathname === '/' ? 'index.html' : pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    return response
      .setHeader('content-type', file.endsWith('.js') ? 'text/javascript' : 'text/html')
      .end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Opens the app: it creates an embed, and shows it with the component, with the element in JSX, and in `innerHTML`. */
async function useApp(page: Page, root: string, service: string): Promise<void> {
  const files = await serveFiles(root);
  const errors: string[] = [];
  page.removeAllListeners();
  page.on('pageerror', (error) => errors.push(String(error)));
  try {
    const query = new URLSearchParams({ service, token: TOKEN, page: `${files.origin}/Meal-Planner` });
    await page.goto(`${files.origin}/?${query}`);
    for (const selector of ['.component', '#element', '#markup page-embed']) {
      await page.frameLocator(`${selector} iframe`).getByText('Soup, bread and apples').waitFor();
      // the height of the content, not the 600 px until then
      await page.waitForFunction((css) => document.querySelector(css)?.clientHeight !== 600, selector);
    }
    const results = await page.evaluate(() => (window as unknown as { findResults: () => object }).findResults());
    const { etag, ids, ...others } = results as { etag: string; ids: readonly string[] };
    expectEqual([etag.startsWith('"'), ids.length > 0], [true, true], 'the client creates and lists');
    expectEqual(
      others,
      {
        title: 'Meal Planner',
        isMissing: true,
        tags: ['page-embed', 'page-embed', 'component'],
        colorScheme: 'light',
      },
      'the results in the browser',
    );
    expectEqual(errors, [], 'errors in the page');
  } finally {
    files.close();
  }
}

async function main(): Promise<void> {
  const start = performance.now();
  try {
    await installPackages(APP);
    await installPackages(join(APP, 'react-18'));
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    if (!/\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ENETUNREACH|ETIMEDOUT)\b/.test(stderr)) throw error;
    console.warn('skipped: the npm registry cannot be reached, and the packages of the app are not installed');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'embed-gateway-kit-'));
  try {
    await installTarballs(folder);
    await buildApp();
    console.log('The packages install, compile in strict mode and build, with React 19 and 18.');
    if (!existsSync(CHROMIUM)) {
      console.warn(`skipped: the app is not opened, because ${CHROMIUM} does not exist`);
      return;
    }
    const service = await startService(join(folder, 'embeds.db'), { ALLOW_PRIVATE_PAGES: 'true' });
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    });
    try {
      const page = await browser.newPage();
      for (const mode of Object.keys(BUILDS)) await useApp(page, join(APP, 'dist', mode), service.origin);
      const { SCREENSHOTS } = process.env;
      if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, 'kit.png') });
    } finally {
      await browser.close();
      await service.stop();
    }
    console.log(`The embeds show in Chromium. ${((performance.now() - start) / 1_000).toFixed(0)} s in all.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
