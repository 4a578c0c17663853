import { Refusal } from '../../errors.ts';
import type { RequestContext, RunOperation } from '../../graphql/execution/run-operation.ts';
import { type Coalesce, createCoalescer } from '../../http/coalesce.ts';
import type { Exchange, Route } from '../../http/exchange.ts';
import { problemOf, problemResponse } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { readBodyParameters, readQuery, type Translation, translate } from './parameters.ts';
import { type Method, type Operation, RESOURCES, type Resource } from './resources.ts';

type Identity = RequestContext['identity'];

interface Options {
  readonly run: RunOperation;
  readonly identify: (exchange: Exchange) => Promise<Identity>;
}

interface Tools extends Options {
  /** Equal reads of one account that wait for each other are answered once. */
  readonly share: Coalesce<Reply>;
}

/** The REST door: finds what answers at a path, or null. */
export function createRestRoutes({ run, identify }: Options): (url: URL) => Route | null {
  const share = createCoalescer<Reply>();
  return ({ pathname }) => {
    for (const resource of RESOURCES) {
      const match = resource.path.exec(pathname);
      if (match) return createRoute(resource, match[1] ?? '', { run, identify, share });
    }
    return null;
  };
}

function createRoute({ name, operations }: Resource, id: string, { run, identify, share }: Tools): Route {
  return {
    name,
    methods: Object.keys(operations),

    async handle(exchange) {
      const { method } = exchange;
      const operation = operations[method as Method];
      if (!operation) throw new Error(`no operation answers ${method}`);
      const identity = await identify(exchange);
      if (method !== 'GET') return perform(exchange, operation, identity);
      const key = keyOfRead(exchange, identity);
      const { status, headers, body } = await share(key, () => perform(exchange, operation, identity));
      return reply(body, { status, headers });
    },

    refuse: (error, exchange) => problemResponse(problemOf(error), exchange.id),
  };

  async function perform(exchange: Exchange, operation: Operation, identity: Identity): Promise<Reply> {
    const { request, url } = exchange;
    let isReplay = false;
    const context: RequestContext = {
      identity,
      requestId: exchange.id,
      idempotencyKey: request.headers.get('idempotency-key'),
      ...(request.headers.has('if-match') && { readVersions: new Map() }),
      onReplay: () => {
        isReplay = true;
      },
    };
    const { variables, toRestName } = await readVariables(exchange, operation);
    const done = await spelling(toRestName, () =>
      operation.answer({
        headers: request.headers,
        url,
        id,
        variables,
        run: (document, variables) => run(document, variables, context),
      }),
    );
    return isReplay ? { ...done, headers: { ...done.headers, 'idempotent-replayed': 'true' } } : done;
  }
}

/** What makes two reads equal: who asks, for what, and under which condition. */
function keyOfRead({ request, url }: Exchange, { accountId, scopes }: Identity): string {
  const { headers } = request;
  const conditions = [headers.get('if-none-match'), headers.get('if-match')];
  return [accountId, ...scopes, url.pathname + url.search, ...conditions].join('\n');
}

async function readVariables(
  { request, url }: Exchange,
  { parametersIn, parameters: takes }: Operation,
): Promise<Translation> {
  const query = readQuery(url);
  return parametersIn === 'query'
    ? translate({ parameters: query, unexpected: {}, takes })
    : translate({ parameters: await readBodyParameters(request), unexpected: query, takes });
}

/** Faults leave this door under the names that the caller sent. */
async function spelling<T>(spell: Translation['toRestName'], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refusal
      ? new Refusal(error.code, error.message, error.faults.map(spell), error.retryAfterS)
      : error;
  }
}
