import { globSync, readFileSync } from 'node:fs';

/** A fenced block of code. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

/** A page of the documentation. */
export interface Page {
  readonly path: string;
  /** Text without code blocks. */
  readonly prose: string;
  readonly blocks: readonly Block[];
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** All pages of the documentation. */
export const PAGES: readonly Page[] = ['*.md', 'docs/**/*.md']
  .flatMap((pattern) => globSync(pattern))
  .sort()
  .map((path) => {
    const text = readFileSync(path, 'utf8');
    const blocks = [...text.matchAll(FENCE)].map(([, language = '', code = '']) => ({ language, text: code }));
    return { path, prose: text.replace(FENCE, ''), blocks };
  });

export function pageAt(path: string): Page {
  const page = PAGES.find((candidate) => candidate.path === path);
  if (!page) throw new Error(`There is no page ${path}.`);
  return page;
}

/** Returns the cells of all table rows that start with code, without backticks. */
export function codeRowsOf({ prose }: Page): string[][] {
  const lines = prose.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** Computes the anchors that GitHub creates for the headings of a page. */
export function anchorsOf({ prose }: Page): string[] {
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
