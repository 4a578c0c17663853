import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  type GraphQLError,
  getArgumentValues,
  getVariableValues,
  Kind,
  locatedError,
  type OperationDefinitionNode,
} from 'graphql';
import { collectFields } from 'graphql/execution/collectFields.js';
import type { MutationCheck } from '../schema/builder.ts';
import { schema } from '../schema/schema.ts';
import type { Context } from './context.ts';

const MUTATIONS = schema.getMutationType();

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
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], args.variableValues ?? {});
  if (!coerced || !MUTATIONS) return execute(args);
  const parts = args.document.definitions.filter((part) => part.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = Object.fromEntries(parts.map((part) => [part.name.value, part]));
  let fields: ReturnType<typeof collectFields>;
  try {
    fields = collectFields(schema, fragments, coerced, MUTATIONS, operation.selectionSet);
  } catch {
    // a condition of @include or @skip is null
    return execute(args);
  }
  const refused = [...fields].flatMap(([key, nodes]) => {
    try {
      checkMutation(nodes[0] as FieldNode, coerced, args.contextValue as Context);
      return [];
    } catch (error) {
      return [locatedError(error, nodes, [key])];
    }
  });
  if (refused.length > 0) return { data: null, errors: refused };

  const data: Record<string, unknown> = Object.create(null);
  const errors: GraphQLError[] = [];
  for (const nodes of fields.values()) {
    const part = { ...operation, selectionSet: { ...operation.selectionSet, selections: nodes } };
    const result = await execute({ ...args, document: { ...args.document, definitions: [part, ...parts] } });
    errors.push(...(result.errors ?? []));
    if (!result.data) {
      const isFirst = Object.keys(data).length === 0;
      return { data: null, errors, ...(!isFirst && { extensions: { completed: data } }) };
    }
    Object.assign(data, result.data);
  }
  return errors.length > 0 ? { data, errors } : { data };
}

/** Makes the checks before a write. `__typename` has none. */
function checkMutation(node: FieldNode, variables: Record<string, unknown>, context: Context): void {
  const field = MUTATIONS?.getFields()[node.name.value];
  if (!field) return;
  const check = field.extensions.check as MutationCheck;
  check(getArgumentValues(field, node, variables), context);
}
