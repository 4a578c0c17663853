import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DriverAdapterError, isDriverAdapterError } from '@prisma/driver-adapter-utils';
import type { Log } from '../../log.ts';
import { TROUBLES, type Trouble, troubleOf } from './errors.ts';
import type { OpenFiles } from './open-files.ts';

/** Sees how every statement ends, and tells the operator when the database cannot work and when it can again. */
export interface HealthMonitor {
  /** Sets the files of the newest connection; null for a database in memory. */
  useFiles(files: OpenFiles | null): void;
  /** Runs one statement. A write is refused, before and after it is made, when the next start would not find it. */
  run<T>(isWrite: boolean, statement: () => Promise<T>): Promise<T>;
  /** What kept the last write from being made; null when it was made. Damage stays until the process ends. */
  readonly trouble: Trouble | null;
  /**
   * Looks whether the files are there and may be written, a full disk has room again, and no damage was found.
   * @throws {DriverAdapterError} when not
   */
  inspect(): void;
}

/** A trouble that lasts, or comes and goes, is told again this often. */
const REPEAT_MS = 60_000;
/** A disk that was full is so until this much is free, or a write works: a small one may where others do not. */
const ROOM_BYTES = 1024 * 1024;

export function createHealthMonitor(file: string, log?: Log): HealthMonitor {
  let files: OpenFiles | null = null;
  let trouble: Trouble | null = null;
  const toldAt = new Map<Trouble, number>();
  let isTold = false;

  function note(found: Trouble, reason: string): void {
    if (trouble !== 'damaged') trouble = found;
    if (performance.now() - (toldAt.get(found) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
    toldAt.set(found, performance.now());
    isTold = true;
    log?.error({ file, reason }, TROUBLES[found]);
  }

  function noteWrite(): void {
    if (trouble === null || trouble === 'damaged') return;
    trouble = null;
    if (!isTold) return;
    isTold = false;
    log?.info({ file }, 'the database can be written again');
  }

  /** A write into files that have lost their names would be answered with success, and gone with the process. */
  function requireFiles(): void {
    const fault = files?.findFault();
    if (fault) throw refuse(fault.code, fault.reason);
  }

  async function run<T>(isWrite: boolean, statement: () => Promise<T>): Promise<T> {
    try {
      if (!isWrite) return await statement();
      requireFiles();
      const result = await statement();
      requireFiles();
      noteWrite();
      return result;
    } catch (error) {
      const { originalCode = '', originalMessage = '' } = isDriverAdapterError(error) ? error.cause : {};
      const found = troubleOf(originalCode);
      if (found) note(found, `${originalCode}: ${originalMessage}`);
      throw error;
    }
  }

  return {
    run,
    useFiles(opened) {
      files = opened;
    },
    get trouble() {
      return trouble;
    },
    inspect() {
      if (trouble === 'damaged') throw refuse('SQLITE_CORRUPT', 'damage was found');
      if (files === null) return;
      try {
        requireFiles();
        accessSync(file, constants.W_OK);
        if (trouble === 'full') requireFreeDiskSpace(file);
      } catch (error) {
        const { message } = error as Error;
        const refusal = isDriverAdapterError(error) ? error : refuse('SQLITE_READONLY', message);
        note(troubleOf(refusal.cause.originalCode ?? '') ?? 'failing', message);
        throw refusal;
      }
    },
  };
}

function requireFreeDiskSpace(file: string): void {
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize < ROOM_BYTES) throw refuse('SQLITE_FULL', 'the disk is still full');
}

/** An error as the driver would throw it. */
function refuse(originalCode: string, message: string): DriverAdapterError {
  return new DriverAdapterError({ kind: 'sqlite', extendedCode: 1, message, originalCode, originalMessage: message });
}
