import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';

type Datamodels = readonly { readonly path: string; readonly content: string }[];

/** Closes the engine's connections, because the engine locks its database and never releases it. */
export async function withSchemaEngine<T>(
  factory: SqlMigrationAwareDriverAdapterFactory,
  datamodels: Datamodels,
  work: (engine: engineModule.SchemaEngine) => Promise<T>,
): Promise<T> {
  instantiated ??= instantiate();
  await instantiated;
  const connections: SqlDriverAdapter[] = [];
  const tracked: SqlMigrationAwareDriverAdapterFactory = {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connectToShadowDb: () => factory.connectToShadowDb(),
    connect: async () => {
      const connection = await factory.connect();
      connections.push(connection);
      return connection;
    },
  };
  const options = { datamodels: datamodels.map(({ path, content }): [string, string] => [path, content]) };
  const engine = await engineModule.SchemaEngine.new(options, () => {}, bindMigrationAwareSqlAdapterFactory(tracked));
  try {
    return await work(engine);
  } finally {
    engine.free();
    for (const connection of connections) await connection.dispose();
  }
}

/** The module holds one instance per process: a second one would break the first. */
let instantiated: Promise<void> | undefined;

/** The package expects a bundler to do this; Prisma's CLI would download a native engine. Can go when it has an entry for Node.js. */
async function instantiate(): Promise<void> {
  const glue = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const { instance } = await WebAssembly.instantiate(await readFile(join(dirname(glue), 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': engineModule as unknown as WebAssembly.ModuleImports,
  });
  engineModule.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
}
