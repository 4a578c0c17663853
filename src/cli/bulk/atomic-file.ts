import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { DatabaseError } from '../../store/database-errors.ts';
import { InputError } from '../run.ts';

/** A file that replaces an existing one only when it is complete. */
export interface AtomicFile {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  /** Removes an unfinished file. */
  discard(): Promise<void>;
}

/** @throws {InputError} if the file cannot be created. Methods throw {DatabaseError} if writing fails. */
export async function openAtomicFile(name: string): Promise<AtomicFile> {
  // commands of several containers have the same process id
  const part = `${name}.${randomUUID()}.part`;
  const file = await openPart(name, part);
  return {
    write: (text) => mapWriteErrors(name, () => file.appendFile(text)),
    finish: () =>
      mapWriteErrors(name, async () => {
        await file.sync();
        await file.close();
        await rename(part, name);
      }),
    async discard() {
      // does nothing if it is closed
      await file.close();
      await rm(part, { force: true });
    },
  };
}

async function mapWriteErrors(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new DatabaseError(`${name} cannot be written: ${(error as Error).message}.`, { cause: error });
  }
}

async function openPart(name: string, part: string): Promise<FileHandle> {
  try {
    return await open(part, 'wx');
  } catch (error) {
    throw new InputError(`${name} cannot be written: ${(error as Error).message.replace(part, name)}.`);
  }
}
