import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { DatabaseError } from '../../store/database-errors.ts';
import { InputError } from '../run.ts';

/** A file that is there whole, or not at all: it takes its name, and the place of what had it, when it is done. */
export interface AtomicFile {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  /** Leaves no trace; does nothing when it is finished. */
  discard(): Promise<void>;
}

/** @throws {InputError} when no file can be made there; later {DatabaseError} when the disk fails */
export async function openAtomicFile(name: string): Promise<AtomicFile> {
  const part = `${name}.${process.pid}.part`;
  const file = await openPart(name, part);
  let isOpen = true;
  const close = async () => {
    isOpen = false;
    await file.close();
  };
  return {
    write: (text) => explained(name, () => file.appendFile(text)),
    finish: () =>
      explained(name, async () => {
        await file.sync();
        await close();
        await rename(part, name);
      }),
    async discard() {
      if (isOpen) await close();
      await rm(part, { force: true });
    },
  };
}

async function explained(name: string, work: () => Promise<void>): Promise<void> {
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
    throw new InputError(`${name} cannot be written: ${(error as Error).message}.`);
  }
}
