import type { Embed } from '../../../src/domain/embed/embed.ts';
import type { Database } from '../../../src/store/database.ts';

/** As many as the connections of one process write within the time limit of a statement, also on a busy machine. */
const AT_ONCE = 500;

/** Inserts any number of embeds. More at once than a gateway accepts would be rejected as `unavailable`. */
export async function insertAll({ embeds: store }: Pick<Database, 'embeds'>, embeds: readonly Embed[]): Promise<void> {
  for (let start = 0; start < embeds.length; start += AT_ONCE) {
    await Promise.all(embeds.slice(start, start + AT_ONCE).map((embed) => store.insert(embed)));
  }
}
