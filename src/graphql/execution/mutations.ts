import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getVariableValues,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql';
import { requireScope } from '../../domain/identity/account.ts';
import type { Scope } from '../../domain/identity/token.ts';
import { Refusal } from '../../errors.ts';
import type { ArgumentsRule, MutationCheck } from '../schema/builder.ts';
import { schema } from '../schema/schema.ts';
import type { Context } from './context.ts';
import { fieldsIn, fragmentsOf, responseKeyOf } from './selections.ts';

type Variables = Readonly<Record<string, unknown>>;

/**
 * Executes the mutations of a document in their order, until one fails. Every payload is required, so `data` is then null
 * (GraphQL section 6.4.4), and `extensions.completed` has the payloads of the mutations before it: a secret is shown only
 * once. Runs none if the arguments of one are refused.
 */
export async function executeMutations(
  args: ExecutionArgs,
  operation: OperationDefinitionNode,
): Promise<ExecutionResult> {
  const { document, variableValues } = args;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {});
  if (!coerced) return execute(args);
  const fields = findFields(document, operation, coerced);
  if (fields.size < 2) return execute(args);

  const refused = [...fields.values()].flatMap(
    (nodes) => findRefusal(nodes, coerced, args.contextValue as Context) ?? [],
  );
  if (refused.length > 0) return { data: null, errors: refused };

  const data: Record<string, unknown> = Object.create(null);
  const errors: GraphQLError[] = [];
  for (const selections of fields.values()) {
    const result = await execute({ ...args, document: withSelections(document, operation, selections) });
    errors.push(...(result.errors ?? []));
    if (!result.data) {
      const isFirst = Object.keys(data).length === 0;
      return { data: null, errors, ...(!isFirst && { extensions: { completed: data } }) };
    }
    Object.assign(data, result.data);
  }
  return errors.length > 0 ? { data, errors } : { data };
}

/** Returns the root fields by their keys in the result, without those that a directive leaves out. */
function findFields(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
  variables: Variables,
): ReadonlyMap<string, readonly FieldNode[]> {
  const fields = fieldsIn([selectionSet], fragmentsOf(document), (selection) => isIncluded(selection, variables));
  return Map.groupBy(fields, responseKeyOf);
}

/** Applies the checks that a mutation makes before it writes anything. */
function findRefusal(nodes: readonly FieldNode[], variables: Variables, context: Context): GraphQLError | null {
  const [field] = nodes;
  const definition = field && schema.getMutationType()?.getFields()[field.name.value];
  if (!definition) return null;
  const {
    rule,
    check,
    scope = 'write',
  } = definition.extensions as {
    readonly rule?: ArgumentsRule;
    readonly check?: MutationCheck;
    readonly scope?: Scope;
  };
  try {
    const args = getArgumentValues(definition, field, variables);
    requireScope(context.identity, scope);
    rule?.(args, context.pagePolicy);
    check?.(args, context);
    return null;
  } catch (error) {
    const isRefusal = error instanceof Refusal;
    if (!isRefusal && !(error instanceof GraphQLError)) throw error;
    const options = { nodes, path: [responseKeyOf(field)], ...(isRefusal && { originalError: error }) };
    return new GraphQLError(error.message, options);
  }
}

function isIncluded(node: SelectionNode, variables: Variables): boolean {
  const isSkipped = getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true;
  return !isSkipped && getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;
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
