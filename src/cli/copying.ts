import type { Copy } from '../store/sqlite/backup.ts';

/** Describes the contents of a copy for the operator. */
export function contentsOf({ embeds, accounts, bytes }: Copy): string {
  return `${embeds} embeds of ${accounts} accounts (${(bytes / 1_000_000).toFixed(1)} MB)`;
}

/** Returns a signal that aborts on SIGINT or SIGTERM, so that a stopped command leaves no unfinished files. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
