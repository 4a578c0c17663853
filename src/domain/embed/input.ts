import {
  faultOfPageUrl,
  findCarriedTitle,
  type PagePolicy,
  pageIdOf,
  parsePageId,
  storedPageUrl,
} from '../page/url.ts';
import {
  DEFAULT_FONT,
  DEFAULT_MODE,
  DEFAULT_SHOW_TOP_BAR,
  type Draft,
  EMBED_MODES,
  type EmbedMode,
  FONT,
  type Patch,
  type Source,
} from './embed.ts';
import { InputReader } from './input-reader.ts';

/** What an embed looks like, of an input that sets it or looks for it. */
export function readAppearance(reader: InputReader) {
  return {
    mode: reader.read<EmbedMode>('mode', (value) =>
      EMBED_MODES.includes(value as EmbedMode) ? null : { message: 'must be one of', allowed: EMBED_MODES },
    ),
    font: reader.read<string>('font', (value) =>
      typeof value === 'string' && FONT.test(value)
        ? null
        : 'must be "default" or a font family: 1 to 64 letters, digits, spaces and hyphens, beginning with a letter or digit',
    ),
  };
}

function readSettings(reader: InputReader) {
  return {
    ...readAppearance(reader),
    showTopBar: reader.read<boolean>('showTopBar', (value) =>
      typeof value === 'boolean' ? null : 'must be true or false',
    ),
  };
}

export function readPageUrl(reader: InputReader, policy: PagePolicy): string | undefined {
  return reader.read<string>('pageUrl', (value) => faultOfPageUrl(value, policy));
}

export function readPageId(reader: InputReader): string | undefined {
  return reader.read<string>('pageId', (value) =>
    typeof value === 'string' && parsePageId(value) !== null ? null : 'must be a UUID, with or without its hyphens',
  );
}

/**
 * The draft of an embed from the input of a create, with its defaults.
 * @throws {Refusal} `invalid`, with every fault at once.
 */
export function parseDraft(input: unknown, policy: PagePolicy): Draft {
  const reader = new InputReader(input, ['pageUrl', 'mode', 'font', 'showTopBar']);
  reader.require('pageUrl');
  const pageUrl = readPageUrl(reader, policy);
  const { mode = DEFAULT_MODE, font = DEFAULT_FONT, showTopBar = DEFAULT_SHOW_TOP_BAR } = readSettings(reader);
  reader.refuseIfFaulty();
  if (pageUrl === undefined) throw new Error('a draft without a page URL passed its rules');
  return { ...sourceOf(pageUrl), mode, font, showTopBar: showTopBar || mode === 'USER_DEFINED' };
}

/**
 * The patch from the input of an update.
 * @throws {Refusal} `invalid`, with every fault at once.
 */
export function parsePatch(input: unknown, policy: PagePolicy): Patch {
  const reader = new InputReader(input, ['id', 'pageUrl', 'pageId', 'mode', 'font', 'showTopBar']);
  readId(reader);
  const pageUrl = readPageUrl(reader, policy);
  const pageId = readPageId(reader);
  if (reader.has('pageUrl') && reader.has('pageId')) {
    reader.faults.push({ path: 'pageId', message: 'must not be sent together with the URL of the page' });
  }
  const settings = readSettings(reader);
  reader.refuseIfFaulty();
  return { source: pageUrl === undefined ? undefined : sourceOf(pageUrl), pageId, ...settings };
}

/**
 * The id from the input of a delete.
 * @throws {Refusal} `invalid`, with every fault at once.
 */
export function parseTarget(input: unknown): string {
  const reader = new InputReader(input, ['id']);
  const id = readId(reader);
  reader.refuseIfFaulty();
  if (id === undefined) throw new Error('a target without an id passed its rules');
  return id;
}

/** GraphQL's ids may be written as whole numbers. */
function readId(reader: InputReader): string | undefined {
  reader.require('id');
  const id = reader.read<string | number>('id', (value) =>
    typeof value === 'string' || Number.isInteger(value) ? null : 'must be one string',
  );
  return id === undefined ? undefined : String(id);
}

function sourceOf(pageUrl: string): Source {
  const kept = storedPageUrl(pageUrl);
  return { pageUrl: kept, pageId: pageIdOf(kept), title: findCarriedTitle(kept) };
}
