import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { findFreePort } from '../../free-port.ts';
import { newDatabase, openRaw } from '../../open-app.ts';

test('a single host that is read-only, and hosts of which none accepts writes, end the start with one line', async () => {
  const writable = await newDatabase();
  const { host, hostname, port, pathname } = new URL(writable);
  const nothing = `127.0.0.1:${await findFreePort()}`;
  const open = async (hosts: readonly string[], parameters = '?target_session_attrs=read-write') => {
    const database = await openDatabase(writable.replace(host, hosts.join(',')) + parameters);
    await database.tokens.ensureAccount('ada', new Date());
    await database.close();
  };
  await open([nothing, host]);
  await open(['ignored'], `?host=127.0.0.1,${hostname}&port=${nothing.split(':')[1]},${port || 5_432}`);

  const raw = await openRaw(writable);
  await raw.query(`ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = on`);
  const expected =
    /^The database \w+ at [\w.]+:\d+(,[\w.]+:\d+)* is read-only, but [^\n]*no host of the URL accepts writes\.$/;
  for (const hosts of [[host], [nothing, host], [host, nothing]]) await expect(open(hosts)).rejects.toThrow(expected);
  await expect(open([nothing, nothing])).rejects.toThrow('cannot be reached: connect ECONNREFUSED');
  // without the parameter, several hosts need one that accepts writes too
  await expect(open([host, nothing], '')).rejects.toThrow(expected);
});
