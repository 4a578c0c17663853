import type { ChangeListener, ChangeSource } from '../changes.ts';

const CHECK_INTERVAL_MS = 1_000;

/**
 * Detects changes by other processes while there is a subscription. They cannot be read one by one: `data_version` only
 * shows that there are some.
 */
export function openSqliteChanges(dataVersion: () => number, { onLost }: Pick<ChangeListener, 'onLost'>): ChangeSource {
  let subscriptions = 0;
  let lastVersion = 0;
  let timer: NodeJS.Timeout | undefined;

  function checkOtherProcesses(): void {
    const version = dataVersion();
    if (version !== lastVersion) onLost();
    lastVersion = version;
  }

  async function start(): Promise<void> {
    lastVersion = dataVersion();
    timer = setInterval(checkOtherProcesses, CHECK_INTERVAL_MS).unref();
  }

  return {
    readsOwnChanges: false,
    subscribe() {
      subscriptions++;
      return {
        ready: subscriptions === 1 ? start() : Promise.resolve(),
        unsubscribe() {
          subscriptions--;
          if (subscriptions === 0) clearInterval(timer);
        },
      };
    },
  };
}
