import type { PagePolicy } from '#reader/page-url';
import type { Identify } from '../../auth/identify.ts';
import { authorizationOf } from '../../auth/session-cookie.ts';
import { type Awaitable, andThen } from '../../awaitable.ts';
import { type Identity, requireScope } from '../../domain/identity/account.ts';
import type { SentParameters } from '../../domain/input/input-reader.ts';
import type { OperationRunner } from '../../graphql/execution/run-operation.ts';
import type { Exchange, Route } from '../../http/exchange.ts';
import type { Reply } from '../../http/reply.ts';
import { readBodyParameters, readQuery } from './parameters.ts';
import type { Method, Operation, Resource } from './resource.ts';
import { RESOURCES } from './resources.ts';

interface Options {
  readonly runFor: OperationRunner;
  readonly identify: Identify;
  readonly pagePolicy: PagePolicy;
  readonly now: () => Date;
}

/** Creates the REST door: a function that returns the route of a path, or null. */
export function createRestRoutes(options: Options): (url: URL) => Route | null {
  const routes = RESOURCES.map((resource) => ({ path: resource.path, route: createRoute(resource, options) }));
  return ({ pathname }) => routes.find(({ path }) => path.test(pathname))?.route ?? null;
}

function createRoute({ name, path, operations }: Resource, { runFor, identify, pagePolicy, now }: Options): Route {
  return {
    name,
    methods: Object.keys(operations),

    accept(exchange) {
      const { method, address } = exchange;
      const operation = operations[method as Method];
      if (!operation) throw new Error(`no operation answers ${method}`);
      const identified = identify({ authorization: authorizationOf(exchange), address });
      return andThen(identified, (caller) => ({
        caller,
        handle: (exchange) => runOperation(exchange, operation, caller.identity),
      }));
    },
  };

  function runOperation(exchange: Exchange, operation: Operation, identity: Identity): Awaitable<Reply> {
    const { request, url } = exchange;
    const { headers } = request;
    return andThen(readParameters(exchange, operation), (sent) => {
      requireScope(identity, operation.scope);
      return operation.handle({
        headers,
        url,
        id: path.exec(url.pathname)?.[1] ?? '',
        variables: operation.validate(sent, pagePolicy, now()),
        run: runFor({ identity, requestId: exchange.id, idempotencyKey: headers.get('idempotency-key') }),
      });
    });
  }
}

function readParameters(
  { request, url }: Exchange,
  { parametersIn, parameters }: Operation,
): Awaitable<SentParameters> {
  const query = readQuery(url, parameters);
  if (parametersIn === 'query') return query;
  const misplaced = Object.keys(query.values);
  return readBodyParameters(request, parameters).then((sent) => ({ ...sent, misplaced }));
}
