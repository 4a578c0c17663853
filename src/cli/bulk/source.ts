import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { DatabaseError } from '../../store/database-errors.ts';
import { InputError } from '../run.ts';
import { readLines } from './lines.ts';

/** The bytes to import, which can be read more than once. */
export interface Source {
  /** For messages. */
  readonly name: string;
  readonly bytes: number;
  /** Enough text to detect the format. */
  readonly beginning: string;
  read(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

const BEGINNING_BYTES = 4_096;
const CHUNK_BYTES = 64 * 1024;

/**
 * Opens a file, or standard input for `-`. Pipes and devices are copied to a temporary file first.
 * @throws {InputError} if the source is unreadable or empty, or a pipe or device without lines of text
 * @throws {DatabaseError} if the operator stops the command
 */
export async function openSource(name: string, signal: AbortSignal): Promise<Source> {
  const file = name === '-' ? await spool(process.stdin, signal) : await openFile(name, signal);
  const shownName = name === '-' ? 'standard input' : name;
  const { size } = await file.stat();
  if (size === 0) {
    await file.close();
    throw new InputError(`There is nothing to import: ${shownName} is empty.`);
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
  return {
    name: shownName,
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
      throw new InputError(`${name} is a folder. Name a file.`);
    }
    return await spool(file.createReadStream(), signal);
  } catch (error) {
    if (error instanceof InputError || error instanceof DatabaseError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new InputError(`There is no file ${name}.`);
    throw new InputError(`${name} cannot be read: ${message}.`);
  }
}

/** Stops at the original size, so that every call returns the same bytes of a file that grows. */
async function* readBytes(file: FileHandle, bytes: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < bytes; ) {
    const length = Math.min(CHUNK_BYTES, bytes - position);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Copies a stream to a temporary file. Stops at the first line that is too long or not UTF-8, because a device such as
 * /dev/zero has no end. The file is unlinked first, so that it disappears with the process, even after a kill.
 */
async function spool(input: Readable, signal: AbortSignal): Promise<FileHandle> {
  const file = await openTemporaryFile();
  async function* copyChunks(): AsyncGenerator<Buffer> {
    for await (const chunk of addAbortSignal(signal, input)) {
      await file.appendFile(chunk as Buffer);
      yield chunk as Buffer;
    }
  }
  try {
    const lines = readLines(copyChunks());
    while (!(await lines.next()).done);
    return file;
  } catch (error) {
    await file.close();
    if (error instanceof InputError) throw error;
    if (signal.aborted) throw new DatabaseError('Stopped: nothing was imported.');
    throw cannotCopy(error);
  }
}

async function openTemporaryFile(): Promise<FileHandle> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'embeds-'));
    const file = await open(join(folder, 'input'), 'wx+', 0o600);
    await rm(folder, { recursive: true });
    return file;
  } catch (error) {
    throw cannotCopy(error);
  }
}

function cannotCopy(error: unknown): InputError {
  return new InputError(`The input cannot be copied to ${tmpdir()}: ${(error as Error).message}.`);
}
