import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parseHTML } from 'linkedom/worker';
import { expect, test } from 'vitest';
import { isMatch, selectAll, selectClosest, selectFirst } from '../src/article/tree/select.ts';

const HTML = `<main id="m" class="page  wide"><h1>A</h1><p class="lead">B <a href="#n1" class="note ref">1</a></p>
<figure><img alt=""><figcaption>C</figcaption></figure><ul><li id="n1">D <a href="#m">back</a></li><li>E<p>F</p></li></ul>
<p lang="EN">G</p><div class=""><br></div><section><h2>H</h2><p>I</p><p>J</p></section>
<template><p><a href="#t">K</a></p></template><p>L</p></main>`;

const SELECTORS = [
  '*, p',
  'p, li > p',
  '.page.wide',
  '[class~="wide"], [class*="ea"], [class^="note"], [class$="ref"], [class]',
  '[lang="en" i], a:not([class])',
  'a[href^="#"]:not(.note)',
  ':is(h1, h2) + p, h2 ~ p',
  'main :is(p, li):has(> a[href])',
  'section:has(h2):has(p)',
  'div:empty, br:only-child, p:first-child, li:last-child, p:nth-of-type(2), :root',
  '#n1, [id]',
  ':is(h1, h2, li)[id], ul > li:not(.ref), P.lead',
  '.note, .lead > a, main.page :is(.ref, figcaption)',
  '[class~="NOTE" i], .none, *.wide',
];

function parse(): Document {
  return parseHTML(`<!doctype html><html><head></head><body>${HTML}</body></html>`).document;
}

test.each(SELECTORS)('%s selects what the DOM selects', (selector) => {
  const document = parse();
  const main = document.querySelector('main') as Element;
  for (const root of [document, main]) {
    expect(selectAll(root, selector)).toEqual([...root.querySelectorAll(selector)]);
    expect(selectFirst(root, selector)).toBe(root.querySelector(selector));
  }
  for (const element of document.querySelectorAll('*')) {
    expect(isMatch(element, selector)).toBe(element.matches(selector));
    expect(selectClosest(element, selector)).toBe(element.closest(selector));
  }
});

test('selects again after the tree has changed', () => {
  const document = parse();
  const selector = 'section p, p.lead a';
  expect(selectAll(document, selector)).toHaveLength(3);
  document.querySelector('section p')?.remove();
  document.querySelector('p.lead')?.removeAttribute('class');
  for (const paragraph of document.querySelectorAll('ul p')) document.querySelector('section')?.append(paragraph);
  expect(selectAll(document, selector).map(({ textContent }) => textContent)).toEqual(['J', 'F']);
});

test('selects an element that is created by a name in capital letters', () => {
  const document = parse();
  document.querySelector('section')?.append(document.createElement('DIV'));
  expect(selectAll(document, 'section > div')).toHaveLength(1);
});

test('looks at no element behind the first that matches', () => {
  const document = parse();
  const last = document.querySelector('section') as Element;
  Object.defineProperty(last, 'nodeType', { get: () => expect.fail('looked at the section') });
  expect(selectFirst(document, 'h1')?.textContent).toBe('A');
});

test('keeps no document', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const documents = ['li:has(> a)', 'p'].map((selector) => {
    const document = parse();
    expect(selectAll(document, selector)).not.toEqual([]);
    return new WeakRef(document);
  });
  // a reference is strong until the end of the job that made it, and compiled code may hold one for a while
  const isKept = () => documents.some((document) => document.deref() !== undefined);
  for (let round = 0; round < 50 && isKept(); round++) {
    await new Promise(setImmediate);
    collectGarbage();
  }
  expect(isKept()).toBe(false);
});

test('finds nothing at nothing', () => {
  expect(selectAll(null, 'p')).toEqual([]);
  expect(selectFirst(undefined, 'p')).toBeNull();
  expect(selectClosest(null, 'p')).toBeNull();
  expect(isMatch(undefined, 'p')).toBe(false);
});
