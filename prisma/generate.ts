/**
 * Generates the client of each database, as `prisma generate` does. Prisma's command line would add 200 MB for other
 * commands, and would try to download an engine.
 */
import { createRequire } from 'node:module';

// Node cannot load the ES modules of these packages, because they import folders
const require = createRequire(import.meta.url);
const generators: typeof import('@prisma/client-generator-ts') = require('@prisma/client-generator-ts');
const internals: typeof import('@prisma/internals') = require('@prisma/internals');

const generator = new generators.PrismaClientTsGenerator();

for (const cliProvidedPath of ['prisma/schema.prisma', 'prisma/postgresql']) {
  const schemaContext = await internals.loadSchemaContext({ schemaPath: { cliProvidedPath }, printLoadMessage: false });
  const loaded = await internals.getGenerators({
    schemaContext,
    registry: { 'prisma-client': { type: 'in-process', generator } },
    skipDownload: true,
    cliCommand: 'generate',
  });
  for (const client of loaded) {
    await client.generate();
    client.stop();
  }
}
