import { defineConfig } from 'prisma/config';

// `prisma generate` needs no schema engine, but would try to download one. Any existing file ends the search.
// For other commands the variable stays unset: with it, `migrate` would do nothing and say that it worked.
if (process.argv.includes('generate')) {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;
}

export default defineConfig({ schema: 'prisma/schema.prisma', migrations: { path: 'prisma/migrations' } });
