import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type ExecutionResult, getOperationAST } from 'graphql';
import { type Fault, refuseFaults } from '../../errors.ts';
import { schema } from '../schema/schema.ts';
import { findVariablesRefusal } from './coercion-faults.ts';
import { contextOf, type RequestContext, type Services } from './context.ts';
import { createExecutor } from './jit.ts';
import type { OperationRequest } from './validate-arguments.ts';

export { embedChanged, embedNotFound } from '../../domain/embed/embed.ts';
export type { RequestContext } from './context.ts';

/** Runs one of our own, typed operations on the schema, in this process. */
export type RunOperation = <Result, Variables>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Readonly<Record<string, unknown>>,
  request: RequestContext,
) => Promise<Result>;

/**
 * How doors that speak another language than GraphQL climb to the resolvers. Variables may be anything that a caller
 * sent: they are coerced and judged here, and a variable that the operation does not declare is a fault.
 * @returns a function that rejects with the {@link Refusal} of a resolver as it was thrown, and with any other error as a bug
 */
export function createRunOperation(services: Services): RunOperation {
  const execute = createExecutor();
  return async (document, variables, request) => {
    const contextValue = contextOf(services, request);
    const operation = getOperationAST(document);
    if (!operation) throw new Error('a prepared document must hold exactly one operation');
    const asked = { document, operation, variables, identity: request.identity, pagePolicy: services.pagePolicy };
    const undeclared = faultsOfUndeclared(asked);
    if (undeclared.length > 0) throw findVariablesRefusal(asked, undeclared) ?? refuseFaults(undeclared);
    const result = (await execute({ schema, document, contextValue, variableValues: variables })) as ExecutionResult;
    const error = result.errors?.[0];
    if (!error) return result.data as never;
    // without data nothing ran: the variables do not fit
    throw (result.data === undefined ? findVariablesRefusal(asked) : null) ?? error.originalError ?? error;
  };
}

function faultsOfUndeclared({ operation, variables }: OperationRequest): readonly Fault[] {
  const declared = operation.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
  const undeclared = Object.keys(variables).filter((name) => !declared.includes(name));
  return undeclared.map((path) => ({ path, message: 'is not a parameter of this operation' }));
}
