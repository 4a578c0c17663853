import type { Embed } from '../../domain/embed/embed.ts';
import { type EmbedHost, embedUrlOf } from '../../domain/embed/url.ts';
import type { EmbedStore } from '../../store/embeds.ts';
import { DatabaseError } from '../../store/open-options.ts';
import type { Format } from './format.ts';
import type { Progress } from './progress.ts';
import { DERIVED, READ } from './row.ts';

/** Rows in one query. */
const PAGE_EMBEDS = 1_000;

const EXPORTED_COLUMNS = [...DERIVED, ...READ];

interface Wish extends EmbedHost {
  readonly accountId: string;
  readonly embeds: EmbedStore;
  readonly format: Format;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** An account's embeds as text, oldest first: an import gives them ids in the same order. Holds one page at a time. */
export async function* exportEmbeds(wish: Wish): AsyncGenerator<string> {
  const { accountId, embeds, format, progress, signal } = wish;
  progress.begin('exporting', await embeds.count(accountId));
  yield format.head(EXPORTED_COLUMNS);
  for (let newest: string | undefined, isCut = true; isCut; ) {
    if (signal.aborted) throw new DatabaseError('Stopped.');
    const page = await embeds.findPage(accountId, {
      size: PAGE_EMBEDS,
      fromEnd: true,
      after: undefined,
      before: newest,
    });
    yield format.write(
      page.embeds.toReversed().map((embed) => rowOf(embed, wish)),
      EXPORTED_COLUMNS,
    );
    progress.advance(page.embeds.length);
    newest = page.embeds[0]?.id;
    isCut = page.isCut;
  }
}

/** In the words of REST. */
function rowOf(embed: Embed, host: EmbedHost): Record<string, unknown> {
  return {
    id: embed.id,
    created_at: embed.createdAt.toISOString(),
    embed_url: embedUrlOf(embed, host),
    page_id: embed.pageId,
    page_url: embed.pageUrl,
    mode: embed.mode.toLowerCase(),
    font: embed.font,
    show_top_bar: embed.showTopBar,
  };
}
