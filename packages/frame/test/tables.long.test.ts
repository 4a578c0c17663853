import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../test/browser.ts';
import { readArticle } from '../../reader/src/article/article.ts';
import { readSource } from '../../reader/src/sources/source.ts';
import { tableScript } from '../src/render/client-code.ts';
import { frameAt, hasSidewaysScroll, openPage, saveScreenshot, useEmbeds } from './browser/embeds-in-browser.ts';
import { sampleArticle } from './samples.ts';

const PROSE = `<p>${'The tides of the harbours were measured by hand, and the tables say when and by whom. '.repeat(8)}</p>`;
const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  `<table><thead><tr>${head.map((name) => `<th>${name}</th>`).join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`;

const NUMBERS = ['1.234,5', '–3', '€ 20', '7 %', '1.000', '0,5', '', '12.345.678', '4,25 €'];
const GERMAN_DATES = [
  '3.12.2024',
  '1. März 2023',
  '28.2.2024',
  '12. Mai 2022',
  '1.1.2020',
  '2021-06-30',
  '–',
  '5. Okt 2024',
  '9.9.1999',
];
const NAMES = ['Ärmel', 'Zug', 'apfel', 'Band 10', 'Band 9', 'öl', 'Ofen', 'Uhr', 'über'];

const csvOf = (lines: readonly string[]) => lines.join('\n');
const CSV = csvOf([
  'id,harbour,found,height',
  ...Array.from(
    { length: 30 },
    (_, i) =>
      `${i + 1},${['Leith', 'Hull', 'Brest'][i % 3]},${12 - (i % 12)}/${(i % 28) + 1}/2024,"${(i * 997) % 5000}.5"`,
  ),
]);
const JSON_LIST = JSON.stringify(
  Array.from({ length: 12 }, (_, i) => ({ name: `=SUM(${i})`, value: (i * 7) % 12, at: `2024-0${(i % 9) + 1}-15` })),
);

async function readFileAs(name: string, mediaType: string, content: string) {
  const file = {
    url: `https://tides.example/${name}`,
    mediaType,
    content,
    robots: null,
    fileName: null,
    isWhole: true,
    byteLength: content.length,
  };
  return (await readSource(file as never, 'respect')).article;
}

/** The texts of the visible cells of a column. */
const columnOf = (page: Page, column: number) =>
  page.locator(`.live tbody tr:not([hidden]) > :nth-child(${column})`).allInnerTexts();
const sortBy = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('the script of tables takes less than 3 kB compressed', () => {
  expect(brotliCompressSync(tableScript.text).length).toBeLessThan(3_000);
});

describe.skipIf(noBrowser)('long tables', () => {
  const { serveEmbed, openHost, snippetOf, script } = useEmbeds();
  const openPageOf = async (markup: string, width = 900, locale = 'en') => {
    const page = await openPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce', locale });
    const { article } = readArticle(markup, { url: 'https://tides.example/', robots: null });
    await page.goto(serveEmbed({ mode: 'AUTO' }, { article }));
    return page;
  };
  const openArticle = (html: string, options: { language?: string; width?: number } = {}) => {
    const { language = 'en', width = 900 } = options;
    const markup = `<!doctype html><html lang="${language}"><title>Tides</title><article><h1>Tides</h1>${PROSE}${html}${PROSE}</article>`;
    return openPageOf(markup, width, language);
  };

  test('take the focus only if they scroll', async () => {
    const rowsOf = (count: number) => Array.from({ length: count }, (_, i) => [`Harbour ${i}`, String(i)]);
    const page = await openArticle([10, 60].map((count) => tableOf(['Name', 'Height'], rowsOf(count))).join(''));
    await expect
      .poll(() => page.locator('.live').evaluateAll((boxes) => boxes.map((box) => box.getAttribute('tabindex'))))
      .toEqual([null, '0']);
  });

  test('in German sort numbers, dates and words as Germans do, and cells without a value come last', async () => {
    const rows = NAMES.map((name, i) => [name, NUMBERS[i] ?? '', GERMAN_DATES[i] ?? '']);
    const page = await openArticle(tableOf(['Name', 'Höhe', 'Datum'], rows), { language: 'de' });
    await sortBy(page, 'Höhe');
    expect(await columnOf(page, 2)).toEqual([
      '–3',
      '0,5',
      '4,25 €',
      '7 %',
      '€ 20',
      '1.000',
      '1.234,5',
      '12.345.678',
      '',
    ]);
    await sortBy(page, 'Höhe');
    expect((await columnOf(page, 2)).at(0)).toBe('12.345.678');
    expect((await columnOf(page, 2)).at(-1)).toBe('');
    expect(await page.locator('[aria-sort="descending"]').innerText()).toMatch(/^Höhe/);
    await sortBy(page, 'Datum');
    expect(await columnOf(page, 3)).toEqual([
      ...[
        '9.9.1999',
        '1.1.2020',
        '2021-06-30',
        '12. Mai 2022',
        '1. März 2023',
        '28.2.2024',
        '5. Okt 2024',
        '3.12.2024',
        '–',
      ],
    ]);
    await sortBy(page, 'Name');
    expect(await columnOf(page, 1)).toEqual([
      'apfel',
      'Ärmel',
      'Band 9',
      'Band 10',
      'Ofen',
      'öl',
      'über',
      'Uhr',
      'Zug',
    ]);
    expect(await page.getByRole('status').innerText()).toBe('9 von 9 Zeilen');
    const alignments = await page
      .locator('.live tr:nth-child(2) > *')
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign));
    expect(alignments).toEqual(['start', 'right', 'start']);
  });

  test('sort times of one day, and values of several units as words; a filter includes its last day', async () => {
    const rows = Array.from({ length: 9 }, (_, i) => [
      `2026-03-${i === 0 ? 13 : 12}T${String((i * 7) % 24).padStart(2, '0')}:15:00Z`,
      [`${i} MB`, `${i} GB`][i % 2] ?? '',
    ]);
    const page = await openArticle(tableOf(['At', 'Size'], rows));
    await sortBy(page, 'At');
    const times = await columnOf(page, 1);
    expect(times).toEqual(times.toSorted());
    await page.getByLabel('Filter by').selectOption('At');
    await page.getByLabel('To').fill('2026-03-12');
    expect(await page.getByRole('status').innerText()).toBe('8 of 9 rows');
    expect(await page.locator('.live .number').count()).toBe(0);
  });

  test('sort amounts after the name of a currency, and years of two digits', async () => {
    const rows = Array.from({ length: 9 }, (_, i) => {
      const value = ((i * 7) % 9) * 1_000 + 5;
      return [
        `CHF ${String(value).replace(/(\d)(\d{3})$/, "$1'$2")}.50`,
        `R$ ${value},5`,
        `${String(i + 1).padStart(2, '0')}.03.${[26, 99, 25][i % 3]}`,
      ];
    });
    const page = await openArticle(tableOf(['Basel', 'Bahia', 'Day'], rows), { language: 'de' });
    for (const [i, name] of ['Basel', 'Bahia'].entries()) {
      await sortBy(page, name);
      const values = (await columnOf(page, i + 1)).map((text) => Number(text.replace(/,5$|\.50$|\D/g, '')));
      expect(values).toEqual(values.toSorted((a, b) => a - b));
    }
    await sortBy(page, 'Day');
    const days = await columnOf(page, 3);
    expect([days.at(0), days.at(3), days.at(8)]).toEqual(['02.03.99', '03.03.25', '07.03.26']);
  });

  test.each([
    ['number', 'en', ['100', '999', '5,432', '12,345', '45,678', '1,234,567', '2,000,000', '3,210,000', '9,876,543']],
    ['number', 'de', ['999', '5.432', '12.345', '1.234.567', '2.000.000', '3.210.000', '9.876.543', '1.000.000.000']],
    ['text', 'en', ['1,050', '1.2k', '3.4k', '12', '77', '640', '850']],
    ['text', 'en', ['$1', '$12', '€3', '€40']],
    ['number', 'en', ['$1', '3', '$12', '40']],
    [
      'date',
      'en',
      [
        'Mar 11, 2026 8:00 PM',
        'Mar 12, 2026 12:15 AM',
        'Mar 12, 2026 9:00am',
        'Mar 12, 2026 12:05 p.m.',
        'Mar 12, 2026 1:30 PM',
      ],
    ],
    ['date', 'fr', ['mar. 3 févr. 2026', 'mar. 12 mai 2026', 'lun. 1 juin 2026', 'mar. 6 oct. 2026']],
    ['date', 'ru', ['9 декабря 2024', '5 мая 2025', 'октябрь 2025', '1 января 2026', '30 апреля 2026']],
    ['number', 'hi', ['999', '12,345', '1,23,456', '10,00,000', '1,00,00,000']],
  ] as const)('sort values as a %s in the language %s', async (type, language, values) => {
    // as many rows as have tools, in no order
    const rows = [...values, ...values, ...values].map((value, i) => [`Row ${i}`, value]).reverse();
    const page = await openArticle(tableOf(['Name', 'Value'], rows), { language });
    expect(await page.locator('.live tbody td').last().getAttribute('class')).toBe(type);
    await sortBy(page, 'Value');
    expect([...new Set(await columnOf(page, 2))]).toEqual(values);
  });

  test('of CSV files are searched and filtered by type, and say how many rows are shown', async () => {
    const page = await openPage({ viewport: { width: 390, height: 800 }, reducedMotion: 'reduce' });
    const article = await readFileAs('heights.csv', 'text/csv', CSV);
    await page.goto(serveEmbed({ mode: 'LIGHT' }, { article: { ...sampleArticle(), ...article, language: 'en-US' } }));
    await page.getByLabel('Search the table').fill('leith');
    const status = () => page.getByRole('status').innerText();
    expect(await status()).toBe('10 of 30 rows');
    await page.getByLabel('Filter by').selectOption('height');
    await page.getByLabel('From').fill('3000');
    const heights = (await columnOf(page, 4)).map(Number);
    expect(heights.length).toBeGreaterThan(0);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(3_000);
    await page.getByLabel('Search the table').fill('');
    await page.getByLabel('Filter by').selectOption('harbour');
    await page.getByLabel('Value').selectOption('Hull');
    expect(new Set(await columnOf(page, 2))).toEqual(new Set(['Hull']));
    // month first, as the third column has days above 12
    await page.getByLabel('Filter by').selectOption('found');
    await page.getByLabel('To').fill('2024-02-01');
    expect((await columnOf(page, 3)).every((date) => date.startsWith('1/'))).toBe(true);
    await page.getByLabel('To').fill('');
    await sortBy(page, 'found');
    expect((await columnOf(page, 3)).at(0)).toBe('1/12/2024');
    expect(await hasSidewaysScroll(page)).toBe(false);
    await saveScreenshot(page, 'table-csv-390');
  });

  test('of JSON lists are downloaded as they are shown, and no spreadsheet runs a cell', async () => {
    const page = await openPage({ viewport: { width: 700, height: 600 }, acceptDownloads: true } as never);
    const article = await readFileAs('list.json', 'application/json', JSON_LIST);
    const url = serveEmbed({ mode: 'LIGHT' }, { article: { ...sampleArticle(), ...article, title: 'Tides: "all"' } });
    await openHost(page, snippetOf(url) + script());
    const frame = page.frameLocator('iframe');
    await frame.getByLabel('Search the table').fill('2024-01');
    await frame.getByRole('button', { name: 'value', exact: true }).press('Enter');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      frame.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Tides_ _all_.csv');
    expect(await readFile(await download.path(), 'utf8')).toBe(
      '\ufeff"name","value","at"\r\n"\'=SUM(0)","0","2024-01-15"\r\n"\'=SUM(9)","3","2024-01-15"\r\n',
    );
    expect(frameAt(page, url)).toBeDefined();
  });

  test('separate the words of lines in a cell, and give a number to a column without a name', async () => {
    const rows = Array.from({ length: 9 }, (_, i) => [`<p>Port</p>of<br>${i % 3 ? 'Hull' : 'Leith'}`, `${i}<p>m</p>`]);
    const table = tableOf(['', 'High<br>water'], rows);
    const page = await openArticle(`<details><summary>More</summary>${table}</details>`);
    await page.getByText('More').click();
    await page.getByLabel('Search the table').fill('port of hull');
    expect(await page.getByRole('status').innerText()).toBe('6 of 9 rows');
    await page.getByLabel('Filter by').selectOption('1');
    await page.getByLabel('Value').selectOption('Port of Hull');
    await page.getByLabel('Search the table').fill('');
    expect(await page.getByRole('status').innerText()).toBe('6 of 9 rows');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines.slice(0, 2)).toEqual(['\ufeff"1","High water"', '"Port of Hull","1 m"']);
  });

  test('of Notion and of pages without thead, and right-to-left ones, have tools; short ones have none', async () => {
    const arabic = Array.from({ length: 10 }, (_, i) => [
      `ميناء ${i}`,
      `${String((i * 7) % 10).replace(/\d/g, (d) => String.fromCharCode(0x660 + Number(d)))}٫٥`,
    ]);
    const page = await openArticle(tableOf(['الاسم', 'الارتفاع'], arabic), { language: 'ar-EG' });
    await sortBy(page, 'الارتفاع');
    expect((await columnOf(page, 2)).at(0)).toBe('٠٫٥');
    expect(await page.getByLabel('ابحث في الجدول').count()).toBe(1);
    expect(await page.getByRole('status').innerText()).toBe('١٠ من ١٠ صفوف');
    await saveScreenshot(page, 'table-arabic');

    const cells = (texts: readonly string[]) =>
      texts.map((text) => `<div class="notion-table-view-cell">${text}</div>`);
    const notion = Array.from({ length: 10 }, (_, i) => cells([`Task ${i}`, `June ${10 - i}, 2024`]).join(''));
    const heads = ['Name', 'Due'].map((name) => `<div class="notion-table-view-header-cell">${name}</div>`).join('');
    const notionRows = notion.map((row) => `<div class="notion-table-view-row">${row}</div>`).join('');
    const view = `<div id="notion-app"><div class="notion-collection_view_page-block"><h1>Tasks</h1></div><div class="notion-table-view">${heads}${notionRows}</div></div>`;
    const database = await openPageOf(`<html><title>Notion</title><body>${view}</body></html>`);
    await sortBy(database, 'Due');
    expect(await columnOf(database, 1)).toEqual(Array.from({ length: 10 }, (_, i) => `Task ${9 - i}`));

    const rows = Array.from({ length: 10 }, (_, i) => `<tr><td>Row ${i}</td><td>${i}</td></tr>`).join('');
    const bare = await openArticle(`<table><tr><th>Name</th><th>No.</th></tr>${rows}</table>`);
    expect(await bare.locator('.live').count()).toBe(1);
    const long = 'Gezeitenkraftwerksbetriebsgenehmigungsverfahrensverordnung';
    const worded = await openArticle(tableOf(['Name', long], arabic));
    const [header, button] = await Promise.all(
      [worded.locator('.live th').last(), worded.getByRole('button', { name: long })].map((one) => one.boundingBox()),
    );
    expect(button?.width).toBeLessThan(header?.width ?? 0);
    const short = await openArticle(tableOf(['Name'], [['a'], ['b']]));
    expect(await short.locator('.live, .table-tools').count()).toBe(0);
  });

  test('with merged cells are sorted by rows that share a cell, searched, and downloaded with each cell in all its rows', async () => {
    const head =
      '<thead><tr><th rowspan="2">Coast</th><th rowspan="2">Port</th><th colspan="2">Tide</th></tr><tr><th>High</th><th>Low</th></tr></thead>';
    const rows = Array.from({ length: 12 }, (_, i) => {
      const coast = i % 3 === 0 ? `<td rowspan="3">Coast ${i / 3}</td>` : '';
      return `<tr>${coast}<td>Port ${i}</td><td>${(i * 7) % 12}</td><td>${i}</td></tr>`;
    });
    const page = await openArticle(`<table>${head}<tbody>${rows.join('')}</tbody></table>`);
    await sortBy(page, 'Tide High');
    const coasts = () => page.locator('.live td[rowspan]:visible').allInnerTexts();
    expect(await coasts()).toEqual(['Coast 0', 'Coast 3', 'Coast 2', 'Coast 1']);
    await page.getByLabel('Search the table').fill('port 4');
    expect(await coasts()).toEqual(['Coast 1']);
    expect(await page.getByRole('status').innerText()).toBe('3 of 12 rows');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect((await readFile(await download.path(), 'utf8')).split('\r\n').slice(0, 3)).toEqual([
      '\ufeff"Coast","Port","Tide High","Tide Low"',
      '"Coast 1","Port 3","9","3"',
      '"Coast 1","Port 4","4","4"',
    ]);
    await page.getByLabel('Search the table').fill('');
    await page.locator('.live').evaluate((box) => box.scrollTo(0, 300));
    await expect.poll(() => violationsOf(page)).toEqual([]);
    await saveScreenshot(page, 'table-merged');

    const parts = `<tr><th colspan="4">North</th></tr>${rows.join('')}<tr><th colspan="999">South</th></tr>`;
    const divided = await openArticle(`<table>${head}<tbody>${parts}</tbody></table>`);
    expect(await divided.locator('.live button').count()).toBe(0);
    await divided.getByLabel('Search the table').fill('south');
    expect(await divided.locator('.live tbody tr:visible').allInnerTexts()).toEqual(['South']);
    const [part] = await Promise.all([
      divided.waitForEvent('download'),
      divided.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect((await readFile(await part.path(), 'utf8')).split('\r\n').at(1)).toBe('"South","South","South","South"');
  });

  test('with a head of several rows or with spans that end nowhere are sorted below their head, or have no tools', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, i) => `<tr><td>Port ${i}</td><td>${(i * 7) % 12}</td><td>${i}</td></tr>`,
    );
    const pair = '<tr><th>High</th><th>Low</th></tr>';
    const headOf = (rowspan: string, span = 'colspan="2"') =>
      `<tr><th rowspan="${rowspan}">Port</th><th ${span}>Tide</th></tr>${pair}`;
    const open = (parts: string) => openArticle(`<table>${parts}</table>`);

    const page = await open(headOf('2') + rows.join(''));
    await sortBy(page, 'Tide High');
    expect(await page.locator('.live tr').nth(1).innerText()).toMatch(/^High\s+Low/);
    expect(await page.getByRole('status').innerText()).toBe('12 of 12 rows');
    expect((await columnOf(page, 1)).at(-1)).toBe('Port 5');

    for (const none of [
      // the cell is in all rows
      headOf('0') + rows.join(''),
      `<tr><th colspan="3">Tides</th></tr><tr><th>Port</th>${pair.slice(4)}${rows.join('')}`,
      `<thead><tr><th colspan="999">Tides</th></tr></thead><tbody>${rows.join('')}</tbody>`,
    ])
      expect(await (await open(none)).locator('.live').count(), none.slice(0, 40)).toBe(0);

    // browsers end a cell with the part of the table that it is in
    const ended = await open(
      `<thead>${headOf('9')}</thead><tbody>${rows.join('')}<tr><td rowspan="0">Last</td><td>0</td><td>0</td></tr><tr><td>1</td><td>1</td></tr></tbody>`,
    );
    await ended.getByLabel('Search the table').fill('last');
    expect(await ended.getByRole('status').innerText()).toBe('2 of 14 rows');
    await sortBy(ended, 'Port');
    await ended.getByLabel('Search the table').fill('');
    expect((await columnOf(ended, 1)).slice(0, 2)).toEqual(['Last', '1']);
  });

  test('are sorted by their other columns if a header is over two, and by columns of one name', async () => {
    const rows = Array.from({ length: 12 }, (_, i) => [i % 2 ? '▲' : '▼', `Port ${i}`, `${(i * 7) % 12}`, `${i}`]);
    const table = tableOf(['Port', 'Level', 'Level'], rows).replace('<th>', '<th colspan="2">');
    const page = await openArticle(table);
    expect(await page.locator('.live button').allInnerTexts()).toEqual(['Level', 'Level']);
    await sortBy(page, 'Level');
    expect((await columnOf(page, 2)).at(-1)).toBe('Port 5');
    await sortBy(page, 'Level 4');
    expect((await columnOf(page, 2)).at(-1)).toBe('Port 11');
    expect(await page.getByLabel('Filter by').locator('option').allInnerTexts()).toEqual([
      'All columns',
      'Port',
      'Port 2',
      'Level',
      'Level 4',
    ]);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('name no column by a title over all of them, and filter by no column of one value', async () => {
    const rows = Array.from({ length: 12 }, (_, i) => [`Port ${i % 3}`, `${i}`, 'Hull']);
    const title = '<tr><th colspan="3">Tides of the east</th></tr>';
    const page = await openArticle(tableOf(['Port', 'High', 'By'], rows).replace('<thead>', `<thead>${title}`));
    const options = () => page.getByLabel('Filter by').locator('option').allInnerTexts();
    expect(await options()).toEqual(['All columns', 'Port', 'High']);
    const list = await openArticle(
      tableOf(
        ['Port'],
        rows.map(([, number = '']) => [`Port ${number}`]),
      ),
    );
    expect(await list.locator('.live button').getAttribute('aria-label')).toBe('Port');
  });

  test('without thead have all rows of header cells above the data as headers', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, i) => `<tr><td>Port ${i}</td><td>${(i * 7) % 12}</td><td>${i}</td></tr>`,
    );
    const head = '<tr><th>Port</th><th colspan="2">Tide</th></tr><tr><th></th><th>High</th><th>Low</th></tr>';
    const page = await openArticle(`<table>${head}${rows.join('')}</table>`);
    await sortBy(page, 'Tide High');
    expect(await page.locator('.live tr').nth(1).innerText()).toMatch(/^\s*High\s+Low/);
    expect(await page.getByRole('status').innerText()).toBe('12 of 12 rows');
    expect((await columnOf(page, 1)).at(-1)).toBe('Port 5');
    expect(await violationsOf(page)).toEqual([]);
  });

  test('of documents that write all spans are sorted', async () => {
    const cell = (text: string) => `<td colspan="1" rowspan="1">${text}</td>`;
    const rows = Array.from({ length: 12 }, (_, i) => `<tr>${cell(`Port ${i}`)}${cell(String((i * 7) % 12))}</tr>`);
    const page = await openArticle(`<table><tr><th>Port</th><th>High</th></tr>${rows.join('')}</table>`);
    await sortBy(page, 'High');
    expect((await columnOf(page, 1)).at(-1)).toBe('Port 5');
  });

  test('with many columns use the room of a wide frame, and scroll inside a narrow one', async () => {
    const head = ['Harbour', 'First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];
    const short = tableOf(['1', '2', '3', '4', '5', '6', '7'], [['a', 'b', 'c', 'd', 'e', 'f', 'g']]);
    const wide = `<div><div><div>${tableOf(head, [head.map((name) => `${name} 2026`)])}</div></div></div>`;
    for (const [width, direction] of [
      [390, 'ltr'],
      [1280, 'ltr'],
      [1280, 'rtl'],
    ] as const) {
      const page = await openArticle(PROSE + wide + PROSE + short, { width });
      await page.evaluate((dir) => document.querySelector('.content')?.setAttribute('dir', dir), direction);
      const [text, table, last] = await Promise.all(
        [page.locator('.content p'), page.locator('.content table'), page.locator('.content table').last()].map(
          (found) => found.first().boundingBox(),
        ),
      );
      expect(await hasSidewaysScroll(page), String(width)).toBe(false);
      const box = page.locator('.embed-table').first();
      const isScrolled = await box.evaluate((element) => element.scrollWidth > element.clientWidth);
      await saveScreenshot(page, `table-wide-${width}-${direction}`);
      expect([width, isScrolled]).toEqual([width, width === 390]);
      if (!text || !table || !last) throw new Error('The article has no table.');
      if (width === 1280) {
        expect(table.width).toBeGreaterThan(text.width);
        // in the middle of the frame, like the text
        expect(Math.abs(2 * table.x + table.width - 2 * text.x - text.width)).toBeLessThan(4);
        expect(Math.abs(last.x - text.x)).toBeLessThan(2);
      }
    }
  });

  test('are accessible, fit on a phone, and keep their header in sight', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => [
      `Harbour ${i}`,
      `${i * 3}`,
      `2024-0${(i % 9) + 1}-01`,
      ['calm', 'rough'][i % 2] ?? '',
    ]);
    const table = tableOf(['Harbour', 'Height', 'Date', 'Sea'], rows);
    for (const [width, scheme] of [
      [320, 'light'],
      [390, 'dark'],
      [1280, 'light'],
      [1280, 'dark'],
    ] as const) {
      const page = await openArticle(table, { width });
      await page.emulateMedia({ colorScheme: scheme });
      await sortBy(page, 'Height');
      await page.getByLabel('Filter by').selectOption('Height');
      expect(await hasSidewaysScroll(page), String(width)).toBe(false);
      await expect.poll(() => violationsOf(page)).toEqual([]);
      await page.locator('.live').evaluate((box) => box.scrollTo(0, 400));
      const [box, header] = await page.evaluate(() => {
        const topOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().top ?? Number.NaN;
        return [topOf('.live'), topOf('.live th')];
      });
      expect(Math.abs((header ?? 0) - (box ?? 0))).toBeLessThan(3);
      await page.getByLabel('Search the table').scrollIntoViewIfNeeded();
      await saveScreenshot(page, `table-${width}-${scheme}`);
    }
  });
});
