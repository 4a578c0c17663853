import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DriverAdapterError, isDriverAdapterError } from '@prisma/driver-adapter-utils';
import type { Log } from '../../log.ts';
import { createHealthLog } from '../database-log.ts';
import { findDriverError } from '../prisma/errors.ts';
import { OPERATOR_MESSAGES, reasonOfSqliteCode, type SqliteReason } from './errors.ts';
import type { OpenFiles } from './open-files.ts';

export interface HealthMonitor {
  useFiles(files: OpenFiles): void;
  /** @param code of SQLite, as reported by another connection */
  report(code: string, message: string): void;
  /** Runs one statement. A write is rejected, before or after it is made, if the next start would not find it. */
  run<T>(isWrite: boolean, statement: () => Promise<T>): Promise<T>;
  /** Why the last write failed; null after a successful one. `damaged` stays until the process ends. */
  readonly unavailableReason: SqliteReason | null;
  /** @throws {DriverAdapterError} unless the files are there and writable, with room on the disk and without known damage */
  inspect(): void;
}

/** Free space below which a disk that was full still counts as full, until a write succeeds. */
const REQUIRED_FREE_BYTES = 1024 * 1024;

export function createHealthMonitor(file: string, log?: Log): HealthMonitor {
  const healthLog = createHealthLog(
    log,
    { file },
    { unavailable: OPERATOR_MESSAGES, available: 'the database can be written again' },
  );
  let files: OpenFiles | null = null;
  let current: SqliteReason | null = null;

  function report(code: string, message: string): void {
    reportFailure(reasonOfSqliteCode(code), `${code}: ${message}`);
  }

  function reportFailure(reason: SqliteReason | null, detail: string): void {
    if (reason === null || reason === 'busy') return;
    if (current !== 'damaged') current = reason;
    healthLog.unavailable(reason, detail);
  }

  function reportWrite(): void {
    if (current === null || current === 'damaged') return;
    current = null;
    healthLog.available();
  }

  /** SQLite reports success for a write into a file that has lost its name, and the write is lost at the next start. */
  function requireFiles(): void {
    const fault = files?.findFault();
    if (fault) throw driverError(fault.code, fault.reason);
  }

  async function run<T>(isWrite: boolean, statement: () => Promise<T>): Promise<T> {
    try {
      if (!isWrite) return await statement();
      requireFiles();
      const result = await statement();
      requireFiles();
      reportWrite();
      return result;
    } catch (error) {
      const failure = findDriverError(error);
      report(failure?.code ?? '', failure?.message ?? '');
      throw error;
    }
  }

  return {
    run,
    report,
    useFiles(opened) {
      files = opened;
    },
    get unavailableReason() {
      return current;
    },
    inspect() {
      if (current === 'damaged') throw driverError('SQLITE_CORRUPT', 'damage was found');
      if (files === null) return;
      try {
        requireFiles();
        accessSync(file, constants.W_OK);
        if (current === 'full') requireFreeDiskSpace(file);
      } catch (error) {
        const { message } = error as Error;
        const failure = isDriverAdapterError(error) ? error : driverError('SQLITE_READONLY', message);
        reportFailure(reasonOfSqliteCode(failure.cause.originalCode ?? '') ?? 'failing', message);
        throw failure;
      }
    },
  };
}

function requireFreeDiskSpace(file: string): void {
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize < REQUIRED_FREE_BYTES) throw driverError('SQLITE_FULL', 'the disk is still full');
}

function driverError(originalCode: string, message: string): DriverAdapterError {
  return new DriverAdapterError({ kind: 'sqlite', extendedCode: 1, message, originalCode, originalMessage: message });
}
