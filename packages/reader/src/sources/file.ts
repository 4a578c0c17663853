import { parse } from 'content-disposition';
import type { PageReading } from '../article/article.ts';
import { MARKER } from '../article/blocks/tree.ts';
import { MAX_TITLE } from '../article/metadata.ts';
import { plainText } from '../article/plain-text.ts';
import { sanitise } from '../article/sanitise.ts';
import { stabilise } from '../article/stable-html.ts';
import { type Article, createCard } from '../article.ts';
import { cleanTitle, decodeSegment } from '../page-url.ts';

/** A resource that is not HTML. */
export interface SourceFile {
  /** The URL after all redirects. */
  readonly url: string;
  readonly robots: string | null;
  /** In lower case, without parameters. */
  readonly mediaType: string;
  /** The `Content-Disposition`, which may have a name for the file. */
  readonly disposition: string | null;
  /** The size of the whole file in bytes, if known. */
  readonly size: number | null;
  /** The text, or the first bytes, of the file. */
  readonly content: string | Uint8Array;
  readonly isWhole: boolean;
}

/** Parts of an article that its source knows; the others follow from its URL. */
type Findings = Partial<
  Pick<Article, 'headTitle' | 'language' | 'direction' | 'description' | 'image' | 'byline' | 'publishedAt'>
>;

/** Sanitises markup, in the form in which a browser serialises it. Null if there is no such form. */
export function renderMarkup({ url }: Pick<SourceFile, 'url'>, markup: string): string | null {
  return stabilise(sanitise(markup, { url, ids: new Set() }));
}

/** Creates the reading of a file that is shown; without content, of one that can only be opened. */
export function createReading(file: SourceFile, content: string | null, findings: Findings = {}): PageReading {
  if (content === null) return createFileReading(file, findings);
  return { status: { state: 'SHOWN', reason: null }, article: { ...createFileCard(file, findings), content } };
}

/** Creates the reading of a file that can only be opened: its name, type and size (`PDF, 1.2 MB`). */
export function createFileReading(file: SourceFile, findings: Findings = {}): PageReading {
  const size = file.size === null ? '' : formatSize(file.size);
  const facts = [typeOf(file), size].filter((fact) => fact !== '').join(', ');
  const reason = `The URL leads to a file, which can only be opened${facts && `: ${facts}`}.`;
  return {
    status: { state: 'NOT_A_PAGE', reason },
    article: createFileCard(file, { ...findings, description: facts || null }),
  };
}

/** Creates an article without content, titled by its name unless its source knows a title. */
export function createFileCard(file: Pick<SourceFile, 'url' | 'disposition'>, findings: Findings): Article {
  const title = findings.headTitle ?? fileNameOf(file);
  return { ...createCard({ title, pageUrl: file.url }), ...findings };
}

/** Returns the name by which a browser would save the file, or else its host. */
export function fileNameOf({ url, disposition }: Pick<SourceFile, 'url' | 'disposition'>): string {
  const { hostname, pathname } = new URL(url);
  const segment = pathname.split('/').findLast((part) => part !== '') ?? '';
  return plainText(findDeclaredName(disposition), MAX_TITLE) ?? (cleanTitle(decodeSegment(segment)) || hostname);
}

/** Returns the end of a file name after its last dot in lower case, without the dot. */
export function extensionOf(file: Pick<SourceFile, 'url' | 'disposition'>): string {
  return /\.([a-z\d]{1,12})$/i.exec(fileNameOf(file))?.[1]?.toLowerCase() ?? '';
}

function findDeclaredName(disposition: string | null): string | null {
  if (disposition === null) return null;
  try {
    // Node decodes headers as Latin-1, but sites write them in UTF-8
    const { parameters } = parse(Buffer.from(disposition, 'latin1').toString());
    return parameters.filename?.split(/[/\\]/).at(-1) ?? null;
  } catch {
    return null;
  }
}

/** Extensions of media types, for files without one in their name. */
const EXTENSIONS = new Map(
  Object.entries({
    'application/pdf': 'pdf',
    'application/msword': 'doc',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.oasis.opendocument.text': 'odt',
    'application/rtf': 'rtf',
    'text/rtf': 'rtf',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.oasis.opendocument.spreadsheet': 'ods',
    'application/vnd.ms-powerpoint': 'ppt',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
    'application/vnd.oasis.opendocument.presentation': 'odp',
    'application/epub+zip': 'epub',
    'application/postscript': 'ps',
    'application/zip': 'zip',
    'application/x-zip-compressed': 'zip',
    'application/gzip': 'gz',
    'application/x-gzip': 'gz',
    'application/x-tar': 'tar',
    'application/x-7z-compressed': '7z',
    'application/vnd.rar': 'rar',
    'image/tiff': 'tiff',
    'image/heic': 'heic',
  }),
);

/** Returns the type of a file as its usual extension, which all languages share; empty if it is unknown. */
function typeOf(file: SourceFile): string {
  const extension = extensionOf(file);
  const isKnown = [...EXTENSIONS.values()].includes(extension);
  return ((isKnown ? null : EXTENSIONS.get(file.mediaType)) ?? extension).toUpperCase();
}

/** Marks words of the frame, which it shows in the language of the reader. Each number in them stays. */
export function wordsOfFrame(text: string): string {
  return `<span lang="en" ${MARKER}="frame-words">${text}</span>`;
}

const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

function formatSize(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZE_UNITS.length - 1);
  const unitDisplay = step === 0 ? 'long' : 'short';
  const format = { style: 'unit', unit: SIZE_UNITS[step], unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat('en', format).format(bytes / 1_000 ** step);
}
