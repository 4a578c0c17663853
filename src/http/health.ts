import { Refusal } from '../errors.ts';
import type { Route } from './exchange.ts';
import { problemOf, problemResponse } from './problem.ts';
import { reply } from './reply.ts';

/** `GET /livez`: the process answers. `GET /readyz`: so does the database. Neither needs a token. */
export function createHealthRoutes(database: { ping(): Promise<void> }): (url: URL) => Route | null {
  const live = createRoute('/livez', async () => {});
  const ready = createRoute('/readyz', async () => {
    try {
      await database.ping();
    } catch (error) {
      // a refusal says why
      throw error instanceof Refusal ? error : new Refusal('unavailable', 'The database does not answer.');
    }
  });
  const routes = new Map([
    ['/livez', live],
    ['/readyz', ready],
  ]);
  return ({ pathname }) => routes.get(pathname) ?? null;
}

function createRoute(name: string, check: () => Promise<void>): Route {
  return {
    name,
    methods: ['GET'],
    async handle() {
      await check();
      const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
      return reply('{"status":"ok"}', { headers });
    },
    refuse: (error, { id }) => problemResponse(problemOf(error), id),
  };
}
