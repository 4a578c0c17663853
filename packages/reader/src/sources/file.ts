import { parse } from 'content-disposition';
import type { PageReading } from '../article/article.ts';
import { plainText } from '../article/plain-text.ts';
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

const MAX_TITLE = 200;

/** Parts of an article that its source knows; the others follow from its URL. */
type Findings = Partial<
  Pick<Article, 'headTitle' | 'language' | 'direction' | 'description' | 'image' | 'byline' | 'publishedAt'>
>;

/** Creates the reading of a file that is shown. */
export function createReading(file: SourceFile, content: string, findings: Findings = {}): PageReading {
  return { status: { state: 'SHOWN', reason: null }, article: { ...createFileCard(file, findings), content } };
}

/** Creates the reading of a file that can only be opened: its name, type and size. */
export function createFileReading(file: SourceFile, findings: Findings = {}): PageReading {
  const type = typeOf(file);
  const facts = file.size === null ? type : `${type}, ${formatSize(file.size)}`;
  return {
    status: { state: 'NOT_A_PAGE', reason: `The URL leads to a file, which can only be opened: ${facts}.` },
    article: createFileCard(file, { ...findings, description: facts }),
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

const TYPES: Readonly<Record<string, string>> = {
  pdf: 'PDF document',
  doc: 'Word document',
  docx: 'Word document',
  odt: 'OpenDocument text',
  rtf: 'Rich text document',
  pages: 'Pages document',
  xls: 'Excel workbook',
  xlsx: 'Excel workbook',
  ods: 'OpenDocument spreadsheet',
  numbers: 'Numbers spreadsheet',
  ppt: 'PowerPoint presentation',
  pptx: 'PowerPoint presentation',
  odp: 'OpenDocument presentation',
  key: 'Keynote presentation',
  epub: 'EPUB book',
  ps: 'PostScript document',
  zip: 'ZIP archive',
  gz: 'Gzip archive',
  tgz: 'Gzip archive',
  tar: 'TAR archive',
  '7z': '7-Zip archive',
  rar: 'RAR archive',
  exe: 'Windows program',
  msi: 'Windows installer',
  dmg: 'macOS disk image',
  apk: 'Android app',
  iso: 'Disk image',
  tif: 'TIFF picture',
  tiff: 'TIFF picture',
  heic: 'HEIC picture',
  psd: 'Photoshop picture',
};

/** Extensions of media types, for files without one in their name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
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
};

const TOP_LEVEL_TYPES: Readonly<Record<string, string>> = {
  image: 'Picture',
  video: 'Video',
  audio: 'Audio recording',
  font: 'Font',
};

function typeOf(file: SourceFile): string {
  const extension = extensionOf(file);
  const known = TYPES[extension] ?? TYPES[EXTENSIONS[file.mediaType] ?? ''];
  if (known) return known;
  const topLevel = TOP_LEVEL_TYPES[file.mediaType.split('/')[0] ?? ''];
  return topLevel ?? (extension === '' ? 'File' : `${extension.toUpperCase()} file`);
}

const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

function formatSize(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZE_UNITS.length - 1);
  const unitDisplay = step === 0 ? 'long' : 'short';
  const format = { style: 'unit', unit: SIZE_UNITS[step], unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat('en', format).format(bytes / 1_000 ** step);
}
