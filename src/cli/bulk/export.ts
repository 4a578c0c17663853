import type { EmbedHost } from '../../domain/embed/url.ts';
import { DatabaseError } from '../../store/database-errors.ts';
import type { EmbedStore } from '../../store/embeds.ts';
import type { Format } from './format.ts';
import type { Progress } from './progress.ts';
import { EXPORTED_COLUMNS, exportedRowOf } from './row.ts';

/** The number of embeds in one query. */
const PAGE_EMBEDS = 1_000;

interface Options extends EmbedHost {
  readonly accountId: string;
  readonly embeds: EmbedStore;
  readonly format: Format;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Writes an account's embeds as text, oldest first, so that an import gives them ids in the same order. Holds one page in memory. */
export async function* exportEmbeds(options: Options): AsyncGenerator<string> {
  const { accountId, embeds, format, progress, signal } = options;
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
      page.embeds.toReversed().map((embed) => exportedRowOf(embed, options)),
      EXPORTED_COLUMNS,
    );
    progress.advance(page.embeds.length);
    newest = page.embeds[0]?.id;
    isCut = page.isCut;
  }
}
