import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type Awaitable, andThen } from '../../awaitable.ts';
import { schema } from '../schema/schema.ts';
import { createContext, type RequestContext, type Services } from './context.ts';
import { compileLater, type ExecuteDocument } from './jit.ts';

/** A typed operation of this service. It is compiled at its first run. */
export interface PreparedOperation<Result> {
  readonly document: TypedDocumentNode<Result, never>;
  readonly execute: ExecuteDocument;
}

export function prepareOperation<Result>(document: TypedDocumentNode<Result, never>): PreparedOperation<Result> {
  return { document, execute: compileLater(document) };
}

/**
 * Runs a prepared operation in this process. The caller has validated the variables: those that do not fit their types are a
 * bug.
 * @throws {Refusal} the refusal that a resolver threw; any other error is a bug
 */
export type RunOperation = <Result>(
  prepared: PreparedOperation<Result>,
  variables: Readonly<Record<string, unknown>>,
  request: RequestContext,
) => Awaitable<Result>;

/** Creates the way to the resolvers for doors other than GraphQL. */
export function createRunOperation(services: Services): RunOperation {
  return ({ document, execute }, variableValues, request) => {
    const contextValue = createContext(services, request);
    return andThen(execute({ schema, document, contextValue, variableValues }), ({ data, errors }) => {
      const error = errors?.[0];
      if (error) throw error.originalError ?? error;
      return data as never;
    });
  };
}
