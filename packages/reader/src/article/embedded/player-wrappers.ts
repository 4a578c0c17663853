import { findPlayer } from '../../players.ts';
import { createElement, textLengthBefore } from '../blocks/tree.ts';
import { resolveWebUrl } from '../links.ts';
import { sanitise } from '../sanitise.ts';
import { selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { renderPlayer } from './frame.ts';
import { PART_MARKER, type Parts, PLAYER_SOURCE } from './parts.ts';

const BESIDE = 'aside, nav, footer, li, a, [class*="related"], [class*="sidebar"]';
/** In characters. */
const MAX_TEXT_BEFORE = 300;

/** Replaces the bare URLs that WordPress leaves where it could not load an embed. */
export function linkEmbeds(document: Document, parts: Parts): void {
  for (const wrapper of selectAll(document, '.wp-block-embed__wrapper')) {
    const text = wrapper.textContent.trim();
    const url = wrapper.children.length === 0 && /^https?:\/\/\S+$/.test(text) ? resolveWebUrl(text, text) : null;
    if (url === null) continue;
    const player = findPlayer(url);
    const marker = player && parts.add(renderPlayer(player, null));
    wrapper.replaceChildren(
      marker ? createPlaceholder(document, marker) : createElement(document, 'a', { href: url }, url),
    );
  }
}

/** Replaces recordings by placeholders: Readability keeps frames in a box without text, and drops `audio`. */
export function keepRecordings(document: Document, parts: Parts, url: string): void {
  for (const audio of selectAll(document, 'audio')) {
    if (!audio.hasAttribute('src') && selectFirst(audio, 'source[src]') === null) continue;
    const marker = parts.add(sanitise(audio.outerHTML, { url, ids: new Set() }));
    if (marker) audio.replaceWith(createPlaceholder(document, marker));
  }
}

function createPlaceholder(document: Document, marker: Readonly<Record<string, string>>): Element {
  return createElement(document, 'iframe', { ...marker, src: PLAYER_SOURCE });
}

/** Finds the only player of an article if it stands before the text, such as that of an episode. */
export function findLeadPlayer(document: Document): Element | null {
  const [player, ...others] = selectAll(document, `:is(article, main) iframe[${PART_MARKER}]`);
  const article = selectClosest(player, 'article, main');
  if (!player || !article || others.length > 0 || selectClosest(player, BESIDE) !== null) return null;
  return textLengthBefore(player, article, MAX_TEXT_BEFORE) <= MAX_TEXT_BEFORE ? player : null;
}

/** Puts a player back that Readability has lost with its box. */
export function restoreLeadPlayer(root: Element, player: Element | null): void {
  const marker = player?.getAttribute(PART_MARKER);
  if (player && selectFirst(root, `[${PART_MARKER}="${marker}"]`) === null) root.prepend(player);
}

/** Removes the names of elements that contain only a player: by names such as "media" Readability removes them. */
export function clearWrappers(document: Document): void {
  for (const player of selectAll(document, `iframe[${PART_MARKER}]`)) {
    for (let wrapper = player.parentElement; wrapper && isBare(wrapper); wrapper = wrapper.parentElement) {
      wrapper.removeAttribute('class');
      wrapper.removeAttribute('id');
    }
  }
}

function isBare(wrapper: Element): boolean {
  return wrapper.localName === 'div' && wrapper.children.length === 1 && wrapper.textContent.trim() === '';
}
