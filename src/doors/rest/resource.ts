import type { PagePolicy } from '#reader/page-url';
import type { Awaitable } from '../../awaitable.ts';
import type { Scope } from '../../domain/identity/token.ts';
import { readValues, type SentParameters } from '../../domain/input/input-reader.ts';
import { ParameterList } from '../../domain/input/parameters.ts';
import type { RunOperation } from '../../graphql/execution/run-operation.ts';
import type { RequestHeaders } from '../../http/exchange.ts';
import type { Reply } from '../../http/reply.ts';
import type { OperationId } from './openapi/examples.ts';
import type { RequestHeader, ResponseHeader } from './openapi/headers.ts';

type Variables = Readonly<Record<string, unknown>>;

/** A request to an operation, authenticated and with valid parameters. */
export interface Call {
  readonly headers: RequestHeaders;
  readonly url: URL;
  /** The id in the path; empty if the path has none. */
  readonly id: string;
  /** The valid parameters, by the names of the schema. */
  readonly variables: Variables;
  readonly run: RunOperation;
}

/** An operation of the specification, and its description in the OpenAPI document. */
export interface Operation {
  readonly parameters: ParameterList;
  /** If `body`, parameters in the query string are rejected. */
  readonly parametersIn: 'query' | 'body';
  /**
   * Validates the parameters, and translates them to the names of the schema.
   * @throws {Refusal} `invalid`, with all faults
   */
  readonly validate: (sent: SentParameters, policy: PagePolicy, now: Date) => Variables;
  /** Headers that only some operations read. */
  readonly requestHeaders: readonly RequestHeader[];
  readonly scope: Scope;
  readonly handle: (call: Call) => Awaitable<Reply>;
  readonly success: Success;
  readonly id: OperationId;
  readonly summary: string;
  readonly description: string;
}

interface Success {
  readonly status: number;
  readonly description: string;
  /** The name of the schema. */
  readonly body: string;
  /** Another status of the same response. */
  readonly otherStatus?: { readonly status: number; readonly description: string };
  /** Media types of texts that the client can ask for instead of JSON. */
  readonly texts?: readonly string[];
  /** Headers that only some responses have. */
  readonly headers: readonly ResponseHeader[];
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Resource {
  /** The path, with `{id}` for the id. */
  readonly name: string;
  /** The group, if any, is the id. */
  readonly path: RegExp;
  readonly operations: Readonly<Partial<Record<Method, Operation>>>;
}

const NO_PARAMETERS = new ParameterList([], 'rest');

/** An operation as the tables write it: what is usual is left out. */
type OperationSpec = Pick<Operation, 'scope' | 'handle' | 'id' | 'summary' | 'description'> &
  Partial<Pick<Operation, 'parameters' | 'validate' | 'requestHeaders'>> & {
    readonly success: Omit<Success, 'status' | 'headers'> & Partial<Success>;
  };

/** The operations of paths, by method. */
export type ResourceSpecs = Readonly<Record<string, Readonly<Partial<Record<Method, OperationSpec>>>>>;

export function completeResources(specs: ResourceSpecs): readonly Resource[] {
  return Object.entries(specs).map(([name, operations]) => ({
    name,
    path: new RegExp(`^${name.replace('{id}', '([^/]+)')}$`),
    operations: Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [method, completeOperation(method, operation)]),
    ),
  }));
}

function completeOperation(method: string, { success, parameters = NO_PARAMETERS, ...rest }: OperationSpec): Operation {
  return {
    parameters,
    parametersIn: method === 'GET' || method === 'DELETE' ? 'query' : 'body',
    validate: (sent, policy) => readValues(sent, parameters, policy),
    requestHeaders: [],
    ...rest,
    success: { status: 200, headers: success.body.endsWith('List') ? ['Link'] : [], ...success },
  };
}
