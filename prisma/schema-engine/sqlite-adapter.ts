import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';

/** Prisma's adapter for Prisma's schema engine, on a database in memory. */
export class ScratchSqlite extends PrismaBetterSqlite3 {
  constructor() {
    super({ url: ':memory:' });
  }

  /**
   * The schema engine sends a whole migration as one statement to its shadow database, and the driver rejects several
   * statements in one. Can go when the adapter accepts them.
   */
  override async connectToShadowDb() {
    const shadow = await super.connectToShadowDb();
    const executeRaw = shadow.executeRaw.bind(shadow);
    shadow.executeRaw = async (query) => {
      if (query.args.length > 0) return executeRaw(query);
      await shadow.executeScript(query.sql);
      return 0;
    };
    // the engine quotes the name of a partial index as a column, which the driver's SQLite rejects
    const queryRaw = shadow.queryRaw.bind(shadow);
    shadow.queryRaw = async (query) => queryRaw({ ...query, sql: query.sql.replace(/name = "(\w+)"/, "name = '$1'") });
    return shadow;
  }
}
