import { Presets, SingleBar } from 'cli-progress';

/** The progress of a command on standard error: a bar on a terminal, elsewhere a line every few seconds. */
export interface Progress {
  begin(phase: string, total: number): void;
  /** @param by in the unit of the total, which is rows by default */
  advance(by: number, rows?: number): void;
  /** @returns the rows of the last phase */
  end(): number;
}

const LINE_INTERVAL_MS = 5_000;

export function createProgress(): Progress {
  return process.stderr.isTTY ? createBar() : createLines();
}

function createBar(): Progress {
  const format = '{phase} {bar} {percentage}% | {rows} rows | {eta_formatted} left';
  const bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true, stopOnComplete: true }, Presets.rect);
  let rows = 0;
  return {
    begin(phase, total) {
      rows = 0;
      bar.stop();
      bar.start(total, 0, { phase, rows });
    },
    advance(by, more = by) {
      rows += more;
      if (by > 0) bar.increment(by, { rows });
    },
    end() {
      bar.stop();
      return rows;
    },
  };
}

/** A command that is shorter than the interval prints nothing. */
function createLines(): Progress {
  let timer: NodeJS.Timeout | undefined;
  let [done, rows] = [0, 0];
  return {
    begin(phase, total) {
      [done, rows] = [0, 0];
      clearInterval(timer);
      timer = setInterval(() => {
        console.error(`${phase}: ${Math.floor((100 * done) / Math.max(total, 1))} %, ${rows} rows`);
      }, LINE_INTERVAL_MS).unref();
    },
    advance(by, more = by) {
      done += by;
      rows += more;
    },
    end() {
      clearInterval(timer);
      return rows;
    },
  };
}
