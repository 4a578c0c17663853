import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { DatabaseError } from '../../store/database-errors.ts';
import { InputError } from '../run.ts';
import { readLines } from './lines.ts';

/** What is imported: bytes that can be read more than once. */
export interface Source {
  /** As the operator knows it. */
  readonly name: string;
  readonly bytes: number;
  /** How it begins, enough to tell its format. */
  readonly beginning: string;
  read(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

const BEGINNING_BYTES = 4_096;
const CHUNK_BYTES = 64 * 1024;

/**
 * Opens a file, or standard input. What can be read only once is put into a temporary file first.
 * @param name of the file, or `-`
 * @throws {InputError} when it cannot be read, is empty, or can be read only once and is no text; {DatabaseError} when it is
 *   stopped
 */
export async function openSource(name: string, signal: AbortSignal): Promise<Source> {
  const file = name === '-' ? await spool(process.stdin, signal) : await openFile(name, signal);
  const shown = name === '-' ? 'standard input' : name;
  const { size } = await file.stat();
  if (size === 0) {
    await file.close();
    throw new InputError(`There is nothing in ${shown}: it is empty.`);
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
  return {
    name: shown,
    bytes: size,
    beginning: buffer.toString('utf8', 0, bytesRead),
    read: () => readBytes(file, size),
    close: () => file.close(),
  };
}

async function openFile(name: string, signal: AbortSignal): Promise<FileHandle> {
  try {
    const file = await open(name, 'r');
    const status = await file.stat();
    if (status.isFile()) return file;
    if (status.isDirectory()) {
      await file.close();
      throw new InputError(`${name} is a folder: name a file.`);
    }
    return await spool(file.createReadStream(), signal);
  } catch (error) {
    if (error instanceof InputError || error instanceof DatabaseError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new InputError(`There is no file ${name}.`);
    throw new InputError(`${name} cannot be read: ${message}.`);
  }
}

/** Up to what was there at first: whoever reads it again reads the same. */
async function* readBytes(file: FileHandle, bytes: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < bytes; ) {
    const most = Math.min(CHUNK_BYTES, bytes - position);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(most), 0, most, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Keeps what can be read only once, as long as it is lines of text: a device such as /dev/zero has no end. A temporary file
 * has lost its name before anything is in it: it ends with the process, however that ends.
 */
async function spool(input: Readable, signal: AbortSignal): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'embeds-'));
  const file = await open(join(folder, 'input'), 'wx+', 0o600);
  await rm(folder, { recursive: true });
  async function* keep(): AsyncGenerator<Buffer> {
    for await (const chunk of addAbortSignal(signal, input)) {
      await file.appendFile(chunk as Buffer);
      yield chunk as Buffer;
    }
  }
  try {
    const lines = readLines(keep());
    while (!(await lines.next()).done);
    return file;
  } catch (error) {
    await file.close();
    if (error instanceof InputError) throw error;
    if (signal.aborted) throw new DatabaseError('Stopped: nothing was imported.');
    throw new InputError(`What is imported cannot be kept in ${tmpdir()}: ${(error as Error).message}.`);
  }
}
