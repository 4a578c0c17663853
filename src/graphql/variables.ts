import {
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { type Fault, Refusal, refuseFaults } from '../errors.ts';
import type { ArgumentsRule } from './builder.ts';
import type { Context } from './context.ts';

/** Each error prints the whole input: without a bound, a wide one would take seconds. */
const MAX_ERRORS = 50;

type Variables = Readonly<Record<string, unknown>>;

/** The operation of a request, with the variables as they came. */
export interface Asked {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly variables: Variables;
  readonly context: Context;
}

/**
 * The refusal of variables that do not fit their types, or null when they fit. GraphQL stops at the types; the caller
 * is to learn every fault at once. So the rules of the operation's fields, which judge any value, look at the raw
 * variables too, and GraphQL's own words stand only where no rule found a fault.
 */
export function findVariablesRefusal(asked: Asked): Refusal | null {
  const definitions = asked.operation.variableDefinitions ?? [];
  const { errors } = getVariableValues(asked.schema, definitions, asked.variables, { maxErrors: MAX_ERRORS });
  if (!errors) return null;
  const { faults, judged } = judge(asked);
  for (const { nodes, message } of errors) {
    const definition = nodes?.find((node) => node.kind === Kind.VARIABLE_DEFINITION);
    const path = definition?.variable.name.value ?? 'variables';
    if (!judged.has(path)) faults.push({ path, message });
  }
  return refuseFaults(faults);
}

/** The faults that the rules of the root fields find, and the variables that they found them in. */
export function judge({ schema, operation, variables, context }: Asked): { faults: Fault[]; judged: Set<string> } {
  const faults: Fault[] = [];
  const judged = new Set<string>();
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {};
  for (const selection of operation.selectionSet.selections) {
    if (selection.kind !== Kind.FIELD) continue;
    const rule = fields[selection.name.value]?.extensions.rule as ArgumentsRule | undefined;
    if (!rule) continue;
    const nodes = selection.arguments ?? [];
    const args = Object.fromEntries(
      nodes.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]),
    );
    const found = faultsOf(() => rule(args, context));
    faults.push(...found);
    if (found.length > 0) for (const { value } of nodes) for (const name of variablesIn(value)) judged.add(name);
  }
  return { faults, judged };
}

function faultsOf(rule: () => void): readonly Fault[] {
  try {
    rule();
    return [];
  } catch (error) {
    if (error instanceof Refusal) return error.faults;
    throw error;
  }
}

function variablesIn(value: ValueNode): string[] {
  const names: string[] = [];
  visit(value, { Variable: ({ name }) => void names.push(name.value) });
  return names;
}
