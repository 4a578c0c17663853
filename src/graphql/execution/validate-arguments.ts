import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  getNamedType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { PagePolicy } from '#reader/page-url';
import type { Identity } from '../../domain/identity/account.ts';
import { type Fault, Refusal } from '../../errors.ts';
import type { ArgumentsRule } from '../schema/builder.ts';
import { schema } from '../schema/schema.ts';

/** An operation with the variables as the client sent them. */
export interface OperationRequest {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly identity: Identity;
  readonly pagePolicy: PagePolicy;
}

export interface DefinedField {
  readonly field: FieldNode;
  readonly definition: GraphQLField<unknown, unknown>;
}

/** The faults of a field's arguments: at least one. */
export interface ArgumentFaults {
  readonly field: FieldNode;
  readonly faults: readonly Fault[];
}

/** Applies the rules of the fields to the raw arguments. The rules accept values of any type. */
export function validateArguments(request: OperationRequest): readonly ArgumentFaults[] {
  const variables = rawVariables(request);
  return definedFieldsOf(request).flatMap(({ field, definition }) => {
    const rule = definition.extensions.rule as ArgumentsRule | undefined;
    if (!rule) return [];
    const nodes = field.arguments ?? [];
    const args = nodes.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]);
    const misplaced = findMisplacedNames(field, definition);
    const faults = [
      ...misplaced.map((path) => ({ path, message: 'is not an argument of this field; send it in `input`' })),
      ...collectFaults(() => rule(Object.fromEntries(args), request.pagePolicy)).filter(
        ({ path }) => !misplaced.includes(path),
      ),
    ];
    return faults.length > 0 ? [{ field, faults }] : [];
  });
}

/** Finds the arguments of a mutation that are fields of its `input`. */
function findMisplacedNames(field: FieldNode, { args }: DefinedField['definition']): readonly string[] {
  const input = args.find(({ name }) => name === 'input');
  const type = input && getNamedType(input.type);
  if (!isInputObjectType(type)) return [];
  const known = type.getFields();
  return (field.arguments ?? []).map(({ name }) => name.value).filter((name) => Object.hasOwn(known, name));
}

/** Finds the fields of the operation, at any depth, that the schema has. Each fragment is visited once. */
export function definedFieldsOf({ document, operation }: OperationRequest): readonly DefinedField[] {
  const found: DefinedField[] = [];
  const typeInfo = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(typeInfo, {
    Field(field) {
      const definition = typeInfo.getFieldDef();
      if (definition) found.push({ field, definition });
    },
    FragmentSpread({ name }) {
      for (const part of document.definitions) {
        if (part.kind === Kind.FRAGMENT_DEFINITION && part.name.value === name.value) parts.add(part);
      }
    },
  });
  const parts = new Set<OperationDefinitionNode | FragmentDefinitionNode>([operation]);
  for (const part of parts) visit(part, visitor);
  return found;
}

/** The variables as sent; omitted ones have their default. */
function rawVariables({ operation, variables }: OperationRequest): Record<string, unknown> {
  const raw: Record<string, unknown> = Object.create(null);
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    if (Object.hasOwn(variables, name)) raw[name] = variables[name];
    else if (defaultValue) raw[name] = valueFromASTUntyped(defaultValue);
  }
  return raw;
}

function collectFaults(rule: () => void): readonly Fault[] {
  try {
    rule();
    return [];
  } catch (error) {
    if (error instanceof Refusal) return error.faults;
    throw error;
  }
}
