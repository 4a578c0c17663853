import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findDebianBinaries, findSystemUser } from '../../../databases/binaries.ts';
import { findFreePort } from '../../../free-port.ts';
import { createScratchFolder } from './service.ts';

/** The shortest lease that Patroni allows. A standby is promoted when the lease of a killed primary expires. */
const LEASE_S = 20;
const LOOP_S = 1;
const START_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 200;

interface Member {
  readonly name: string;
  readonly apiPort: number;
  readonly folder: string;
  readonly configuration: string;
  readonly line: string;
  process: ChildProcess | null;
}

export interface Cluster {
  /** The address of HAProxy, behind which the primary is. */
  readonly url: string;
  /** Sends SIGKILL to the primary and its Patroni, and returns a function that starts them again. */
  killPrimary(): Promise<() => void>;
  /** Waits until a primary has two standbys that follow it, one of them synchronously. */
  waitUntilComplete(): Promise<void>;
  readonly log: () => string;
  close(): Promise<void>;
}

/** Returns the programs, or prints which are missing. */
export function findPrograms(): { readonly postgresql: string } | null {
  const missing = ['etcd', 'patroni', 'haproxy'].filter((name) => {
    try {
      execFileSync('which', [name], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
  const postgresql = findDebianBinaries();
  if (postgresql === null) missing.push('postgresql');
  if (postgresql !== null && missing.length === 0) return { postgresql };
  console.log(`SKIPPED: there is no ${missing.join(', no ')}: apt-get install patroni etcd-server haproxy postgresql`);
  return null;
}

/** Starts three members, one etcd and one HAProxy. All of them end with the process. */
export async function openCluster({ postgresql }: { readonly postgresql: string }): Promise<Cluster> {
  const user = findSystemUser();
  const root = createScratchFolder();
  chmodSync(root, 0o755);
  if (user) chownSync(root, user.uid, user.gid);
  const running = new Set<ChildProcess>();
  let log = '';

  function start(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(command, args, {
      ...user,
      cwd: '/',
      env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: root, ETCD_UNSUPPORTED_ARCH: process.arch },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding('utf8').on('data', (text: string) => {
        log = (log + text).slice(-20_000);
      });
    }
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
  }

  const [etcdPort, peerPort, proxyPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  const etcdUrls = ['--listen-client-urls', client, '--advertise-client-urls', client];
  const peerUrls = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer];
  start('etcd', [
    ...['--name', 'etcd', '--data-dir', join(root, 'etcd'), '--initial-cluster', `etcd=${peer}`],
    ...etcdUrls,
    ...peerUrls,
  ]);

  async function createMember(name: string): Promise<Member> {
    const [port, apiPort] = [await findFreePort(), await findFreePort()];
    const folder = join(root, name);
    const configuration = join(root, `${name}.yml`);
    const login = (username: string) => ({ username, password: 'password' });
    // YAML contains JSON
    const content = {
      scope: 'embeds',
      name,
      restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      bootstrap: {
        dcs: {
          ttl: LEASE_S,
          loop_wait: LOOP_S,
          retry_timeout: 3,
          synchronous_mode: true,
          postgresql: { use_pg_rewind: true, parameters: { max_connections: 60, shared_buffers: '32MB' } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
        pg_hba: ['host all all 127.0.0.1/32 md5', 'host replication all 127.0.0.1/32 md5'],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: folder,
        bin_dir: postgresql,
        pgpass: join(root, `${name}.pgpass`),
        parameters: { unix_socket_directories: root },
        authentication: { superuser: login('postgres'), replication: login('replicator'), rewind: login('rewind') },
      },
    };
    writeFileSync(configuration, JSON.stringify(content));
    const check = `check port ${apiPort} inter 300 fall 2 rise 1 on-marked-down shutdown-sessions`;
    const line = `  server ${name} 127.0.0.1:${port} ${check}`;
    return { name, apiPort, folder, configuration, line, process: null };
  }

  const members: Member[] = [];
  for (const name of ['one', 'two', 'three']) members.push(await createMember(name));
  const startMember = (member: Member) => {
    member.process = start('patroni', [member.configuration]);
  };

  /** Returns whether the API of a member answers 200 at a path (https://patroni.readthedocs.io/en/latest/rest_api.html). */
  const is = (member: Member, role: string) =>
    fetch(`http://127.0.0.1:${member.apiPort}/${role}`).then(
      ({ ok }) => ok,
      () => false,
    );

  async function findMember(role: string): Promise<Member | null> {
    for (const member of members) if (await is(member, role)) return member;
    return null;
  }

  async function waitUntil(what: string, condition: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await condition())) {
      if (Date.now() > deadline) throw new Error(`${what} took more than ${START_TIMEOUT_MS} ms: ${log.slice(-3_000)}`);
      await pause(POLL_INTERVAL_MS);
    }
  }

  async function waitUntilComplete(): Promise<void> {
    await waitUntil('a complete cluster', async () => {
      const replicas = await Promise.all(members.map((member) => is(member, 'replica?lag=1MB')));
      const isComplete = replicas.filter(Boolean).length === 2;
      return isComplete && (await findMember('primary')) !== null && (await findMember('synchronous')) !== null;
    });
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** The first line of the file is the pid of the server, whose parent is not Patroni any more. */
  function killServer({ folder }: Member): void {
    try {
      process.kill(Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    } catch {
      // it has ended
    }
  }

  const killAll = () => {
    for (const child of running) child.kill('SIGKILL');
    for (const member of members) if (member.process) killServer(member);
  };
  process.prependOnceListener('exit', killAll);

  for (const member of members) startMember(member);
  const proxyConfiguration = join(root, 'haproxy.cfg');
  writeFileSync(
    proxyConfiguration,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind 127.0.0.1:${proxyPort}
  option httpchk GET /primary
  http-check expect status 200
${members.map(({ line }) => line).join('\n')}
`,
  );
  start('haproxy', ['-db', '-f', proxyConfiguration]);
  await waitUntilComplete();
  return {
    url: `postgresql://postgres:password@127.0.0.1:${proxyPort}/postgres`,
    waitUntilComplete,
    async killPrimary() {
      const primary = await findMember('primary');
      if (!primary?.process) throw new Error('there is no primary');
      const ended = end(primary.process);
      killServer(primary);
      await ended;
      return () => startMember(primary);
    },
    log: () => log,
    async close() {
      killAll();
      await Promise.all([...running].map(end));
      process.removeListener('exit', killAll);
    },
  };
}
