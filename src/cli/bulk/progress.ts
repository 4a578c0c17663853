import { Presets, SingleBar } from 'cli-progress';

/** A progress bar, shown only on terminals. */
export interface Progress {
  begin(phase: string, total: number): void;
  advance(by: number): void;
  end(): void;
}

export function createProgress(): Progress {
  const format = '{phase} {bar} {percentage}% | {eta_formatted} left';
  const bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true, stopOnComplete: true }, Presets.rect);
  return {
    begin(phase, total) {
      bar.stop();
      bar.start(total, 0, { phase });
    },
    advance: (by) => bar.increment(by),
    end: () => bar.stop(),
  };
}
