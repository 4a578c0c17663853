import { setTimeout as pause } from 'node:timers/promises';
import { type OpenPage, PLACE_OF } from '../page-scripts.ts';

const MAX_CLICKS = 40;
/** For the answer of the page to a click: looks at the panel, and the time between them. */
const MAX_LOOKS = 5;
const LOOK_INTERVAL_MS = 60;

/**
 * Finds buttons and their panels, and remembers the panels that were open in the world of the service's scripts, by the names
 * of their buttons: pages may build both anew.
 */
const PANELS = `
  const AROUND = '#notion-app, nav, header, footer, aside, form, dialog, menu, [role="navigation"], [role="dialog"], [role="menu"], [role="tree"], [role="toolbar"], [class*="sidebar" i], [class*="menu" i]';
  const HEAD = 'h2, h3, h4, h5, h6, dt, .opblock-summary';
  const NAME = /accordion|collaps|expan|disclosure|faq/i;
  const kept = (globalThis.embedPanels ??= new Map());
  const buttons = new Map();
  for (const button of document.querySelectorAll('summary, [aria-expanded]:not([aria-haspopup]), [role="tab"]')) {
    const name = button.textContent.trim();
    let number = 0;
    while (buttons.has(number + name)) number++;
    if (number < ${MAX_CLICKS} && !button.closest(AROUND)) buttons.set(number + name, button);
  }
  const hasText = (one) => one != null && one.textContent.trim() !== '';
  const isTab = (button) => button.matches('[role="tab"]');
  const isOpen = (button) => button.matches('[aria-expanded="true"], [aria-selected="true"]');
  const headOf = (button) => button.closest(HEAD) ?? button;
  const panelOf = (button) => {
    const controlled = document.getElementById(button.getAttribute('aria-controls') ?? '');
    if (controlled || !isTab(button)) return controlled ?? headOf(button).nextElementSibling;
    let box = button.parentElement;
    while (box && !box.querySelector('[role="tabpanel"]')) box = box.parentElement;
    return box?.querySelector('[role="tabpanel"]:not([hidden])') ?? null;
  };
  const keep = (name, button) => {
    const panel = panelOf(button);
    if (!kept.has(name) && hasText(panel)) kept.set(name, { panel, copy: panel.cloneNode(true) });
    return kept.has(name);
  };`;

/** Finds the next button that opens a panel without text: a part that the page builds only for a reader who clicks. */
const FIND_BUTTON = `(() => {
  ${PLACE_OF}
  ${PANELS}
  const tried = (globalThis.embedTried ??= new Set());
  const tabsBeside = (tab) => [...buttons].filter(([, other]) => isTab(other) && other.parentElement.closest('[role="tablist"]') === tab.closest('[role="tablist"]'));
  const isEmpty = (button) => {
    if (button.matches('summary')) return !button.parentElement.open && button.parentElement.textContent.trim() === button.textContent.trim();
    if (isOpen(button)) return false;
    const panel = panelOf(button);
    if (isTab(button) && !panel && !button.hasAttribute('aria-controls')) return false;
    if (isTab(button)) return !hasText(panel) || tabsBeside(button).some(([, tab]) => tab !== button && panelOf(tab) === panel);
    return !hasText(panel) && (headOf(button) !== button || [button, button.parentElement].some(({ localName, className }) => NAME.test(localName + ' ' + className)));
  };
  for (const [name, button] of buttons) {
    const href = button.getAttribute('href');
    if (tried.has(name) || kept.has(name) || (href && !href.startsWith('#')) || !isEmpty(button)) continue;
    tried.add(name);
    const place = placeOf(button);
    if (!place) continue;
    globalThis.embedClicked = name;
    globalThis.embedPlace = { path: location.pathname, entries: history.length };
    if (isTab(button)) for (const [other, tab] of tabsBeside(button)) if (isOpen(tab)) keep(other, tab);
    if (button.matches('summary')) button.parentElement.setAttribute('data-embed-opened', '');
    return place;
  }
  return null;
})()`;

/** Returns true if the panel of the button that was clicked has its text, and 'left' if the button led to another page of the application, which is undone. */
const KEEP_PANEL = `(() => {
  ${PANELS}
  if (location.pathname !== globalThis.embedPlace.path) {
    if (history.length > globalThis.embedPlace.entries) history.back();
    return 'left';
  }
  const button = buttons.get(globalThis.embedClicked);
  if (button?.matches('summary')) return button.parentElement.children.length > 1;
  return button !== undefined && isOpen(button) && keep(globalThis.embedClicked, button);
})()`;

/** Puts back what was in panels that closed when others opened. The panels of tabs follow each other in the order of the tabs. */
const RESTORE_PANELS = `(() => {
  ${PANELS}
  const isGone = (button, { copy }) => !panelOf(button)?.textContent.includes(copy.textContent);
  const lists = new Map();
  for (const [name, button] of buttons) {
    const one = kept.get(name);
    const list = isTab(button) && button.closest('[role="tablist"]');
    if (!one || (!list && !isGone(button, one))) continue;
    if (list) lists.set(list, [...(lists.get(list) ?? []), { ...one, button }]);
    else if (one.panel.isConnected) one.panel.replaceWith(one.copy);
    else headOf(button).after(one.copy);
  }
  for (const [list, panels] of lists) {
    const last = panelOf(list.querySelector('[aria-selected="true"]') ?? list);
    if (!last || !panels.some((one) => isGone(one.button, one))) continue;
    for (const { copy } of panels) copy.setAttribute('role', 'tabpanel');
    last.before(...panels.map(({ copy }) => copy));
    for (const panel of [last, ...panels.map(({ panel }) => panel)]) panel.remove();
  }
})()`;

/** Opens the parts of a page that it builds only when a reader opens them: accordions, tabs and `details`. */
export async function openPanels({ evaluate, click, waitUntilStill, signal }: OpenPage): Promise<void> {
  let count = 0;
  let state: unknown = null;
  while (count < MAX_CLICKS && state !== 'left' && !signal.aborted) {
    if (!(await click(FIND_BUTTON))) break;
    count++;
    state = false;
    for (let look = 0; look < MAX_LOOKS && state === false; look++) {
      state = await evaluate(KEEP_PANEL);
      if (state === false) await pause(LOOK_INTERVAL_MS);
    }
  }
  if (state === 'left') await waitUntilStill();
  if (count > 0) await evaluate(RESTORE_PANELS);
}
