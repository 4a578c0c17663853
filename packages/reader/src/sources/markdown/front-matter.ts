import { MAX_BYLINE_LENGTH } from '../../article/head/byline.ts';
import { parsePublished } from '../../article/head/published.ts';
import { MAX_TITLE } from '../../article/metadata.ts';
import { plainText } from '../../article/plain-text.ts';

/** Metadata in YAML (`---`) or TOML (`+++`) before the text, as site generators and editors write it. */
const FRONT_MATTER =
  /^(?:---[ \t]*\r?\n(.{0,20000}?)\r?\n---|\+\+\+[ \t]*\r?\n(.{0,20000}?)\r?\n\+\+\+)[ \t]*(?:\r?\n|$)/s;
const FIELD = /^([\w-]{1,40})[ \t]*[:=][ \t]*(.{0,500})$/;
/** An item of a list, or the name of a person that is an item. */
const ITEM = /^[ \t]*-[ \t]+(?:name:[ \t]*)?(.{1,200})$/;
const MAX_AUTHORS = 10;

export interface FrontMatter {
  /** In characters, with its marks. */
  readonly length: number;
  readonly title: string | null;
  readonly byline: string | null;
  readonly publishedAt: string | null;
}

/** Reads the metadata before a text. Reads texts and lists of them, and nothing else of YAML and TOML. */
export function readFrontMatter(text: string): FrontMatter {
  const [whole = '', yaml, toml] = FRONT_MATTER.exec(text) ?? [];
  const fields = readFields(yaml ?? toml ?? '');
  const first = (...names: readonly string[]) => names.map((name) => fields.get(name)?.[0]).find((value) => value);
  const authors = fields.get('author') ?? fields.get('authors') ?? [];
  const date = first('date', 'published', 'pubdate', 'publishdate', 'created');
  return {
    length: whole.length,
    title: plainText(first('title'), MAX_TITLE),
    byline: plainText(authors.slice(0, MAX_AUTHORS).join(', '), MAX_BYLINE_LENGTH),
    // Jekyll writes a blank before the zone
    publishedAt: parsePublished(date?.replace(/ ([+-]\d{2}:?\d{2})$/, '$1')),
  };
}

function readFields(metadata: string): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  let open: string[] = [];
  for (const line of metadata.split(/\r?\n/)) {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    const item = ITEM.exec(line)?.[1];
    if (name !== undefined) {
      open = valuesOf(value);
      if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), open);
    } else if (item !== undefined) {
      open.push(unquote(item));
    }
  }
  return fields;
}

function valuesOf(value: string): string[] {
  const list = /^\[(.*)\]$/.exec(value.trim())?.[1];
  return (list?.split(',') ?? [value]).map(unquote).filter((text) => text !== '');
}

function unquote(value: string): string {
  const trimmed = value.trim();
  return /^(["'])(.*)\1$/.exec(trimmed)?.[2] ?? trimmed.replace(/\s#.*$/, '');
}
