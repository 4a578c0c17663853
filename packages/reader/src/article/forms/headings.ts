import type { Root } from 'hast';
import { headingIdOf } from '../blocks/headings.ts';
import { toLine } from '../plain-text.ts';
import { anchorOf, elementsOf, textOf } from './tree.ts';

export interface Heading {
  /** 2 to 6: the title of the article is the heading of level 1. */
  readonly level: number;
  readonly text: string;
  /** Names the part below the heading: the id that it has in its page, or else the one that GitHub would give to it. */
  readonly anchor: string;
}

const HEADING = /^h([1-6])$/;

/** Returns the headings of the content of an article. */
export function findHeadings(content: Root): readonly Heading[] {
  const taken = new Map<string, number>();
  return elementsOf(content).flatMap((element) => {
    const level = Number(HEADING.exec(element.tagName)?.[1] ?? 0);
    const text = toLine(textOf(element));
    if (level === 0 || text === '') return [];
    const own = headingIdOf(text);
    const repetitions = taken.get(own) ?? 0;
    taken.set(own, repetitions + 1);
    const anchor = anchorOf(element.properties.id) ?? (repetitions === 0 ? own : `${own}-${repetitions}`);
    return [{ level, text, anchor }];
  });
}
