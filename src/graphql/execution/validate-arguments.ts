import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import type { Identity } from '../../domain/identity/account.ts';
import type { PagePolicy } from '../../domain/page/url.ts';
import { type Fault, Refusal } from '../../errors.ts';
import type { ArgumentsRule } from '../schema/builder.ts';
import { schema } from '../schema/schema.ts';
import { fieldsIn } from './selections.ts';

/** What a request asks for, with the variables as they came. */
export interface OperationRequest {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly identity: Identity;
  readonly pagePolicy: PagePolicy;
}

/** What the rule of a root field says of its arguments, where it finds fault with them. */
export interface ArgumentFaults {
  readonly field: FieldNode;
  readonly faults: readonly Fault[];
}

/** Lets the rules of an operation's fields, which judge any value, look at the raw arguments. */
export function validateArguments(asked: OperationRequest): readonly ArgumentFaults[] {
  const variables = rawVariables(asked);
  return rootFieldsOf(asked).flatMap((field) => {
    const rule = definitionOf(field, asked)?.extensions.rule as ArgumentsRule | undefined;
    if (!rule) return [];
    const nodes = field.arguments ?? [];
    const args = nodes.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]);
    const faults = faultsOf(() => rule(Object.fromEntries(args), asked.pagePolicy));
    return faults.length > 0 ? [{ field, faults }] : [];
  });
}

/** What the schema says of a root field; undefined when it has no such field. */
export function definitionOf({ name }: FieldNode, { operation }: OperationRequest) {
  return schema.getRootType(operation.operation)?.getFields()[name.value];
}

/** The root fields of an operation, those of its fragments too. */
export function rootFieldsOf({ document, operation }: OperationRequest): readonly FieldNode[] {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fieldsIn([operation.selectionSet], fragments);
}

/** The variables as they came, with the defaults of those that did not. */
function rawVariables({ operation, variables }: OperationRequest): Record<string, unknown> {
  const raw: Record<string, unknown> = Object.create(null);
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    if (Object.hasOwn(variables, name)) raw[name] = variables[name];
    else if (defaultValue) raw[name] = valueFromASTUntyped(defaultValue);
  }
  return raw;
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

/** The names of the variables in a node. */
export function variablesIn(root: ASTNode): string[] {
  const names: string[] = [];
  visit(root, { Variable: ({ name }) => void names.push(name.value) });
  return names;
}
