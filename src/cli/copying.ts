import type { Copy } from '../store/sqlite/backup.ts';

/** What a copy holds, in words. */
export function contentsOf({ embeds, accounts, bytes }: Copy): string {
  return `${embeds} embeds of ${accounts} accounts (${(bytes / 1_000_000).toFixed(1)} MB)`;
}

/** Aborts when the operator ends the command, so that nothing half done is left. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
