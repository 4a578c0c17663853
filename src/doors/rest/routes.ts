import type { Caller, Identify } from '../../auth/identify.ts';
import { Refusal } from '../../errors.ts';
import type { RunOperation } from '../../graphql/execution/run-operation.ts';
import { type Coalesce, createCoalescer } from '../../http/coalesce.ts';
import type { Exchange, Route } from '../../http/exchange.ts';
import { problemOf, problemResponse } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { readBodyParameters, readQuery, type Translation, translate } from './parameters.ts';
import { type Method, type Operation, RESOURCES, type Resource } from './resources.ts';

type Identity = Caller['identity'];

interface Options {
  readonly run: RunOperation;
  readonly identify: Identify;
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

    async accept(exchange) {
      const { method, request, address } = exchange;
      const operation = operations[method as Method];
      if (!operation) throw new Error(`no operation answers ${method}`);
      const caller = await identify({ authorization: request.headers.get('authorization'), address });
      const run = () => runOperation(exchange, operation, caller.identity);
      return { caller, handle: method === 'GET' ? () => shareRead(exchange, caller.identity, run) : run };
    },

    refuse: (error, exchange) => problemResponse(problemOf(error), exchange.id),
  };

  async function shareRead(exchange: Exchange, identity: Identity, run: () => Promise<Reply>): Promise<Reply> {
    const { status, headers, body } = await share(keyOfRead(exchange, identity), run);
    // each request gets headers of its own: the pipeline adds to them
    return reply(body, { status, headers });
  }

  async function runOperation(exchange: Exchange, operation: Operation, identity: Identity): Promise<Reply> {
    const { request, url } = exchange;
    const { headers } = request;
    const context = { identity, requestId: exchange.id, idempotencyKey: headers.get('idempotency-key') };
    const { variables, toRestName } = await readVariables(exchange, operation);
    return spelling(toRestName, () =>
      operation.answer({
        headers,
        url,
        id,
        variables,
        run: (prepared, variables) => run(prepared, variables, context),
      }),
    );
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
