import { accessSync, constants, existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { dialDirectly, findBrowser, openBrowser, resolveByDns } from '#fetcher';
import { createProvider } from '../auth/provider.ts';
import { type Config, readConfig } from '../config.ts';
import { openDatabase } from '../store/database.ts';
import { describeLocation, locationOf } from '../store/database-url.ts';
import { refuseLostDatabase } from '../store/sqlite/file.ts';
import { createResultCommand, EXIT, printResult, type ResultOptions, toTable } from './program.ts';

type State = 'ok' | 'note' | 'wrong';

interface Finding {
  readonly check: string;
  readonly state: State;
  /** The finding, and the remedy if it is a fault. */
  readonly message: string;
}

const MIN_FREE_BYTES = 1_000_000_000;
const MAX_CLOCK_DIFFERENCE_MS = 2_000;
const NETWORK_TIMEOUT_MS = 3_000;
/** Reserved for examples and documentation (RFC 2606), and served. */
const PROBED_HOST = 'example.com';
const LOG = { info: () => {}, warn: () => {}, error: () => {} };

async function checkDatabase({ databaseUrl }: Config): Promise<readonly Finding[]> {
  const place = locationOf(databaseUrl);
  if ('file' in place && !existsSync(place.file)) {
    refuseLostDatabase(place.file);
    return [{ check: 'database', state: 'note', message: `${place.file} does not exist; the first start creates it.` }];
  }
  const database = await openDatabase(databaseUrl, { poolSize: 1, log: LOG, auditLog: LOG });
  try {
    await database.ping();
    const name = Object.values(describeLocation(databaseUrl)).join(' ');
    const found: Finding = { check: 'database', state: 'ok', message: `${name} can be read.` };
    return database.isRemote ? [found, compareClocks('the database', database.now())] : [found];
  } finally {
    await database.close();
  }
}

function compareClocks(other: string, time: Date): Finding {
  const differenceMs = Math.abs(time.getTime() - Date.now());
  const isExact = differenceMs <= MAX_CLOCK_DIFFERENCE_MS;
  const clock = `The clock differs from that of ${other} by ${(differenceMs / 1_000).toFixed(1)} s`;
  return { check: 'clock', state: isExact ? 'ok' : 'wrong', message: isExact ? `${clock}.` : `${clock}: run NTP.` };
}

/** A SQLite file has no clock of its own. */
async function checkClock({ databaseUrl }: Config): Promise<readonly Finding[]> {
  if (!('file' in locationOf(databaseUrl))) return [];
  try {
    const socket = await connectToProbed(80);
    socket.end(`HEAD / HTTP/1.1\r\nHost: ${PROBED_HOST}\r\nConnection: close\r\n\r\n`);
    const date = /^date: (.+)$/im.exec(await text(socket))?.[1];
    if (date !== undefined) return [compareClocks(PROBED_HOST, new Date(date))];
  } catch {
    // the check of the network says more
  }
  return [{ check: 'clock', state: 'note', message: `The clock was not compared: ${PROBED_HOST} did not respond.` }];
}

async function checkDisk({ databaseUrl }: Config): Promise<readonly Finding[]> {
  const place = locationOf(databaseUrl);
  if (!('file' in place)) return [];
  let folder = dirname(place.file);
  while (!existsSync(folder)) folder = dirname(folder);
  accessSync(folder, constants.W_OK);
  const { bavail, bsize } = await statfs(folder);
  const free = `${folder} can be written, and has ${((Number(bavail) * Number(bsize)) / 1e9).toFixed(1)} GB free`;
  const isEnough = Number(bavail) * Number(bsize) >= MIN_FREE_BYTES;
  return [{ check: 'disk', state: isEnough ? 'ok' : 'wrong', message: isEnough ? `${free}.` : `${free}: make room.` }];
}

async function checkBrowser({ renderer, rendererSandbox }: Config): Promise<readonly Finding[]> {
  const source = findBrowser(renderer, rendererSandbox);
  const cards = 'pages that are built by JavaScript are shown as cards';
  if ('reason' in source) return [{ check: 'browser', state: 'note', message: `${source.reason}: ${cards}.` }];
  const browser = await openBrowser(source);
  await browser.close();
  // the URL of a remote browser may have a token
  const place = source.kind === 'local' ? source.path : new URL(source.url).host;
  return [{ check: 'browser', state: 'ok', message: `${place} starts.` }];
}

/** Resolves and connects as the page fetcher does. */
async function connectToProbed(port: number) {
  const signal = AbortSignal.timeout(NETWORK_TIMEOUT_MS);
  const addresses = await resolveByDns(PROBED_HOST, signal);
  if (addresses.length === 0) throw new Error(`The name ${PROBED_HOST} cannot be resolved.`);
  const socket = await dialDirectly(addresses, port, signal);
  signal.addEventListener('abort', () => socket.destroy());
  return socket;
}

async function checkNetwork(): Promise<readonly Finding[]> {
  (await connectToProbed(443)).destroy();
  return [{ check: 'network', state: 'ok', message: `${PROBED_HOST} can be reached.` }];
}

/** Reads the metadata of the provider. No one is signed in. */
async function checkSignIn({ console: hasConsole, oidc }: Config): Promise<readonly Finding[]> {
  if (!hasConsole || !oidc) return [];
  await createProvider(oidc).begin('http://localhost', '', new Date());
  return [{ check: 'sign-in', state: 'ok', message: `${oidc.issuer} responds.` }];
}

async function checkDocuments({ trustedDocuments }: Config): Promise<readonly Finding[]> {
  if (trustedDocuments === null) return [];
  const { readTrustedDocuments } = await import('../graphql/execution/trusted-documents.ts');
  await readTrustedDocuments(trustedDocuments);
  return [{ check: 'documents', state: 'ok', message: `${trustedDocuments} can be used.` }];
}

const CHECKS: Readonly<
  Record<string, { readonly run: (config: Config) => Promise<readonly Finding[]>; readonly help: string }>
> = {
  database: {
    run: checkDatabase,
    help: 'Check DATABASE_URL: a file in a folder that can be written, or a server that runs.',
  },
  disk: { run: checkDisk, help: 'The folder of the database must be writable.' },
  browser: { run: checkBrowser, help: 'Set RENDERER to a Chromium that starts, or to off.' },
  network: {
    run: checkNetwork,
    help: 'Without DNS and port 443, no page can be fetched: check resolver and firewall.',
  },
  clock: { run: checkClock, help: 'Run NTP.' },
  'sign-in': { run: checkSignIn, help: 'Check OIDC_ISSUER, and that this machine can reach it.' },
  documents: { run: checkDocuments, help: 'Set TRUSTED_DOCUMENTS to a manifest, or remove it.' },
};

async function doctor(options: ResultOptions): Promise<void> {
  const config = readConfig();
  const findings: Finding[] = [{ check: 'configuration', state: 'ok', message: 'All variables are valid.' }];
  for (const [check, { run, help }] of Object.entries(CHECKS)) {
    try {
      findings.push(...(await run(config)));
    } catch (error) {
      const reason = (error as Error).message.replace(/\s+/g, ' ').replace(/[^.!?]$/, '$&.');
      findings.push({ check, state: 'wrong', message: `${reason} ${help}` });
    }
  }
  printResult(options, { findings }, toTable(findings.map(({ check, state, message }) => [state, check, message])));
  if (findings.some(({ state }) => state === 'wrong')) process.exitCode = EXIT.FAILED;
}

export function createDoctorCommand(): Command {
  return createResultCommand(
    'doctor',
    'Checks what the service needs, and says what is wrong.',
    'Checks the configuration, the database, the disk, the clock, the browser, the network, the sign-in provider and the trusted documents, and says what to do. A SQLite file of an earlier version is migrated.',
  ).action(doctor);
}
