import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { DocumentNode } from 'graphql';
import { type Awaitable, andThen } from '../../awaitable.ts';
import { schema } from '../schema/schema.ts';
import { createContext, type RequestContext, type Services } from './context.ts';
import { compileLater, type ExecuteDocument } from './jit.ts';

/**
 * Runs an operation of this service, which is a constant, in this process. The caller has validated the variables: those that
 * do not fit their types are a bug.
 * @throws {Refusal} the refusal that a resolver threw; any other error is a bug
 */
export type RunOperation = <Result>(
  document: TypedDocumentNode<Result, never>,
  variables: Readonly<Record<string, unknown>>,
) => Awaitable<Result>;

/** Each operation is compiled at its first run. */
const executions = new Map<DocumentNode, ExecuteDocument>();

function executionOf(document: DocumentNode): ExecuteDocument {
  const existing = executions.get(document);
  if (existing) return existing;
  const execution = compileLater(document);
  executions.set(document, execution);
  return execution;
}

export type OperationRunner = (request: RequestContext) => RunOperation;

/** Creates the way to the resolvers for doors other than GraphQL: a function that returns the runner of a request's operations. */
export function createOperationRunner(services: Services): OperationRunner {
  return (request) => (document, variableValues) => {
    const contextValue = createContext(services, request);
    const executed = executionOf(document)({ schema, document, contextValue, variableValues });
    return andThen(executed, ({ data, errors }) => {
      const error = errors?.[0];
      if (error) throw error.originalError ?? error;
      return data as never;
    });
  };
}
