import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { getOperationAST, type OperationDefinitionNode } from 'graphql';
import { type Awaitable, andThen } from '../../awaitable.ts';
import { type Fault, refuseFaults } from '../../errors.ts';
import { schema } from '../schema/schema.ts';
import { findVariablesRefusal } from './coercion-faults.ts';
import { createContext, type RequestContext, type Services } from './context.ts';
import { compileLater, type ExecuteDocument } from './jit.ts';
import type { OperationRequest } from './validate-arguments.ts';

export { embedChanged, embedNotFound } from '../../domain/embed/embed.ts';
export type { RequestContext } from './context.ts';

/** A typed operation of this service. It is compiled at its first run. */
export interface PreparedOperation<Result> {
  readonly document: TypedDocumentNode<Result, never>;
  readonly operation: OperationDefinitionNode;
  readonly execute: ExecuteDocument;
}

export function prepareOperation<Result>(document: TypedDocumentNode<Result, never>): PreparedOperation<Result> {
  const operation = getOperationAST(document);
  if (!operation) throw new Error('A prepared document must contain exactly one operation.');
  const getExecute = compileLater(document);
  return { document, operation, execute: (args) => andThen(getExecute(), (execute) => execute(args)) };
}

/**
 * Runs a prepared operation in this process. It coerces and validates the variables, which may be any JSON.
 * @throws {Refusal} `invalid` with every fault of the variables, or the refusal that a resolver threw; any other error is a bug
 */
export type RunOperation = <Result>(
  prepared: PreparedOperation<Result>,
  variables: Readonly<Record<string, unknown>>,
  request: RequestContext,
) => Awaitable<Result>;

/** Creates the way to the resolvers for doors other than GraphQL. */
export function createRunOperation(services: Services): RunOperation {
  return ({ document, operation, execute }, variables, request) => {
    const { identity } = request;
    const operationRequest = { document, operation, variables, identity, pagePolicy: services.pagePolicy };
    const undeclared = findUndeclaredVariables(operationRequest);
    if (undeclared.length > 0) throw findVariablesRefusal(operationRequest, undeclared) ?? refuseFaults(undeclared);
    const contextValue = createContext(services, request);
    return andThen(execute({ schema, document, contextValue, variableValues: variables }), ({ data, errors }) => {
      const error = errors?.[0];
      if (!error) return data as never;
      // without data nothing ran, so the variables do not fit
      throw (data === undefined ? findVariablesRefusal(operationRequest) : null) ?? error.originalError ?? error;
    });
  };
}

function findUndeclaredVariables({ operation, variables }: OperationRequest): readonly Fault[] {
  const declared = operation.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
  const undeclared = Object.keys(variables).filter((name) => !declared.includes(name));
  return undeclared.map((path) => ({ path, message: 'is not a parameter of this operation' }));
}
