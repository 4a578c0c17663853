import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  type GraphQLError,
  type GraphQLFieldConfig,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { requireScope } from '../../domain/identity/account.ts';
import type { Scope } from '../../domain/identity/token.ts';
import type { ArgumentsRule, MutationCheck } from '../schema/builder.ts';
import { schema } from '../schema/schema.ts';
import type { Context } from './context.ts';

/**
 * Executes the mutations of a document in their order, until one fails. Every payload is required, so `data` is then null
 * (GraphQL section 6.4.4), and `extensions.completed` has the payloads of the mutations before it: a secret is shown only
 * once. Runs none if the arguments of one are refused.
 */
export async function executeMutations(
  args: ExecutionArgs,
  operation: OperationDefinitionNode,
): Promise<ExecutionResult> {
  const { selections } = operation.selectionSet;
  if (selections.length === 1 && selections[0]?.kind === Kind.FIELD) return execute(args);
  const checked = await execute({ ...args, schema: CHECKS });
  const checkedFields = Object.entries(checked.data ?? {});
  if (checkedFields.length < 2) return execute(args);
  if (checked.errors) return { data: null, errors: checked.errors };

  const data: Record<string, unknown> = Object.create(null);
  const errors: GraphQLError[] = [];
  for (const [key, checkedField] of checkedFields) {
    const result = Array.isArray(checkedField)
      ? await execute({ ...args, document: withSelections(args.document, operation, checkedField) })
      : { data: { [key]: checkedField } };
    errors.push(...(result.errors ?? []));
    if (!result.data) {
      const isFirst = Object.keys(data).length === 0;
      return { data: null, errors, ...(!isFirst && { extensions: { completed: data } }) };
    }
    Object.assign(data, result.data);
  }
  return errors.length > 0 ? { data, errors } : { data };
}

/** The schema with mutations that only make the checks before a write. Each returns its selections; `__typename` is a text. */
const CHECKS = createChecks();

function createChecks(): GraphQLSchema {
  const { mutation, types, ...config } = schema.toConfig();
  const selections = new GraphQLScalarType({ name: 'Selections' });
  const fields = Object.entries(mutation?.toConfig().fields ?? {}).map(([name, { args = {}, extensions }]) => {
    const {
      rule,
      check,
      scope = 'write',
    } = extensions as {
      readonly rule?: ArgumentsRule;
      readonly check?: MutationCheck;
      readonly scope?: Scope;
    };
    const field: GraphQLFieldConfig<unknown, Context> = {
      type: selections,
      args,
      resolve(_, sent, context, { fieldNodes }) {
        requireScope(context.identity, scope);
        rule?.(sent, context.pagePolicy);
        check?.(sent, context);
        return fieldNodes;
      },
    };
    return [name, field] as const;
  });
  const checks = new GraphQLObjectType({ name: 'Mutation', fields: Object.fromEntries(fields) });
  return new GraphQLSchema({ ...config, mutation: checks, types: types.filter((type) => type !== mutation) });
}

function withSelections(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  selections: readonly FieldNode[],
): DocumentNode {
  const part = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
  const definitions = document.definitions.map((definition) => (definition === operation ? part : definition));
  return { ...document, definitions };
}
