import type { Embed } from '../../../src/domain/embed/embed.ts';
import { DEFAULT_SETTINGS } from '../../../src/domain/embed/fields.ts';
import { createEmbedIdGenerator } from '../../../src/domain/embed/id.ts';

const nextIdentity = createEmbedIdGenerator();

/** A new embed of an account. */
export function embedOf(accountId: string, changes: Partial<Embed> = {}): Embed {
  return {
    ...nextIdentity(accountId),
    accountId,
    pageUrl: 'https://example.com/',
    pageId: '95747105-f402-490e-ba51-d52e00496c1c',
    title: 'x',
    ...DEFAULT_SETTINGS,
    settings: null,
    version: 1,
    updatedAt: null,
    externalId: null,
    ...changes,
  };
}
