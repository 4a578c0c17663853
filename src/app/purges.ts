import type { Config } from '../config.ts';
import { accountKeyOf, embedKeyOf, sourceKeyOf } from '../domain/embed/cache-keys.ts';
import { ACCOUNT_MAX_AGE_MS } from '../domain/embed/settings.ts';
import { embedUrlOf } from '../domain/embed/url.ts';
import { createPurger, type PurgeEvent } from '../edge/purger.ts';
import type { Log } from '../log.ts';
import type { EmbedWrite } from '../store/embeds.ts';
import type { Observer } from '../telemetry/instrument.ts';

/** A gateway that reads settings just before they change may do so for this time. */
const REREAD_MS = 1_000;

/** Creates the purges of the configured CDNs, and logs their failures; null without a CDN. */
export function createPurges(config: Config, log: Log, observers: readonly Observer[]) {
  if (config.purgeTargets.length === 0) return null;
  const purger = createPurger(config.purgeTargets, onEvent);

  function onEvent(event: PurgeEvent): void {
    if (event.kind === 'counted') {
      for (const observer of observers) observer.purged(event);
      return;
    }
    const { kind, host, ...reason } = event;
    if (kind === 'failing') log.warn({ host, ...reason }, 'the CDN does not take purges: they are retried');
    else log.info({ host }, 'the CDN takes purges again');
  }

  return {
    /** Purges the pages of an embed that was changed or deleted. */
    purgeEmbed({ embedId, before, after }: EmbedWrite): void {
      const urls = [before, after].flatMap((embed) => (embed ? [embedUrlOf(embed, config)] : []));
      purger.purge([{ key: embedKeyOf(embedId), urls: [...new Set(urls)] }]);
    },
    /** Purges the pages of all embeds of a source page. `urls` are those that this process knows. */
    purgeSource: (pageUrl: string, urls: readonly string[]) => purger.purge([{ key: sourceKeyOf(pageUrl), urls }]),
    /** Purges the pages of all embeds of an account: now, and again when no gateway caches the former settings any more. */
    purgeAccount(accountId: string, urls: readonly string[]): void {
      const purge = () => purger.purge([{ key: accountKeyOf(accountId), urls }]);
      purge();
      setTimeout(purge, ACCOUNT_MAX_AGE_MS + REREAD_MS).unref();
    },
    close: purger.close,
  };
}
