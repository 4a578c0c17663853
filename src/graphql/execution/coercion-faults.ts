import {
  type ASTNode,
  type FieldNode,
  type GraphQLError,
  getArgumentValues,
  getNamedType,
  getVariableValues,
  isEnumType,
  isInputObjectType,
  Kind,
  visit,
} from 'graphql';
import { insufficientScope } from '../../domain/identity/account.ts';
import type { Scope } from '../../domain/identity/token.ts';
import { type Fault, type Refusal, refuseFaults } from '../../errors.ts';
import { schema } from '../schema/schema.ts';
import { responseKeyOf } from './selections.ts';
import {
  type ArgumentFaults,
  type DefinedField,
  definedFieldsOf,
  findFieldDefinition,
  findVariableNames,
  type OperationRequest,
  rootFieldsOf,
  validateArguments,
} from './validate-arguments.ts';

// GraphQL stops at the first value that does not fit, and names no parameter. So the rules of the fields are applied first

export function findVariablesRefusal(request: OperationRequest): Refusal | null {
  if (!coerceVariables(request).errors) return null;
  const argumentFaults = validateArguments(request);
  const faults = argumentFaults.flatMap((found) => found.faults);
  return refuse([...faults, ...findVariableFaults(request, argumentFaults)], request);
}

/** Finds the refusal of a field's arguments; null if the field failed for another reason. */
export function findArgumentsRefusal({ path, message }: GraphQLError, request: OperationRequest): Refusal | null {
  const key = path?.findLast((part) => typeof part === 'string');
  const variables = coerceVariables(request).coerced ?? {};
  const refused = definedFieldsOf(request).find(
    (candidate) => responseKeyOf(candidate.field) === key && !canCoerceArguments(candidate, variables),
  );
  if (!refused) return null;
  const { field } = refused;
  const faults = validateArguments(request).find((found) => found.field === field)?.faults;
  return refuse(faults ?? [{ path: field.arguments?.[0]?.name.value ?? 'query', message }], request);
}

function canCoerceArguments(
  { field, definition }: DefinedField,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  try {
    getArgumentValues(definition, field, variables);
    return true;
  } catch {
    return false;
  }
}

/** Splits validation errors into a refusal of literal values (null if all are valid) and the errors of the document itself. */
export function splitErrors(
  errors: readonly GraphQLError[],
  request: OperationRequest,
): { readonly refusal: Refusal | null; readonly documentErrors: readonly GraphQLError[] } {
  const positions = findArgumentPositions(request);
  const definitions = new Map<ASTNode, Definition>(
    definedFieldsOf(request).map(({ field, definition }) => [field, definition]),
  );
  const located = errors.map((error) => {
    const [node] = error.nodes ?? [];
    const position = node && (findMissingArgument(error, node, definitions) ?? positions.get(node));
    return { error, position };
  });
  const documentErrors = located.filter(({ position }) => !position).map(({ error }) => error);
  if (documentErrors.length === errors.length) return { refusal: null, documentErrors };
  const argumentFaults = validateArguments(request);
  const faults = argumentFaults.flatMap((found) => found.faults);
  for (const { error, position } of located) {
    if (!position) continue;
    const ofField = argumentFaults.find(({ field }) => field === position.field)?.faults ?? [];
    // for an object, GraphQL does not say which of its fields is missing
    const isReported = position.isObject ? ofField.length > 0 : ofField.some(({ path }) => path === position.parameter);
    const message = position.isMissing ? 'is required' : describeMisfit(error);
    if (!isReported) faults.push({ path: position.parameter, message });
  }
  return { refusal: refuse(faults, request), documentErrors };
}

const ENUM_MISFIT = /^(?:Enum |Value ".*" does not exist in )"(\w+)"/;

/** Describes a literal that does not fit its type. GraphQL's own message about an enum does not list its values. */
function describeMisfit({ nodes, message }: GraphQLError): string {
  const type = schema.getType(ENUM_MISFIT.exec(message)?.[1] ?? '');
  if (!isEnumType(type)) return message;
  const node = nodes?.[0];
  const names = type.getValues().map(({ name }) => name);
  const isQuoted = node?.kind === Kind.STRING && names.includes(node.value);
  return isQuoted ? `must be written without quotes: ${node.value}` : `must be one of ${names.join(', ')}`;
}

/** Faults are shown only to callers with the scopes of all root fields: `insufficient_scope` otherwise. */
function refuse(faults: readonly Fault[], request: OperationRequest): Refusal {
  const { operation, identity } = request;
  const usual = operation.operation === 'mutation' ? 'write' : 'read';
  const scopes = rootFieldsOf(request).map((field) => findFieldDefinition(field, request)?.extensions.scope ?? usual);
  const missing = (scopes as Scope[]).find((scope) => !identity.scopes.includes(scope));
  return missing ? insufficientScope(missing) : refuseFaults(faults);
}

function coerceVariables(
  { operation, variables }: OperationRequest,
  definitions = operation.variableDefinitions ?? [],
) {
  return getVariableValues(schema, definitions, variables, { maxErrors: 1 });
}

/** Finds one fault for each variable that does not fit its type and is in no field with faults. */
function findVariableFaults(request: OperationRequest, argumentFaults: readonly ArgumentFaults[]): readonly Fault[] {
  const covered = new Set(argumentFaults.flatMap(({ field }) => findVariableNames(field)));
  return (request.operation.variableDefinitions ?? []).flatMap((definition) => {
    const path = definition.variable.name.value;
    const message = covered.has(path) ? undefined : coerceVariables(request, [definition]).errors?.[0]?.message;
    return message === undefined ? [] : [{ path, message }];
  });
}

type Definition = DefinedField['definition'];

interface ArgumentPosition {
  readonly field: FieldNode | undefined;
  readonly parameter: string;
  readonly isObject: boolean;
  readonly isMissing?: boolean;
}

const MISSING_ARGUMENT = /^Field "\w+" argument "(\w+)" of type .* is required, but it was not provided\.$/;

/** Finds the argument that a field needs and does not have. GraphQL names it only in the message. */
function findMissingArgument(
  { message }: GraphQLError,
  node: ASTNode,
  definitions: ReadonlyMap<ASTNode, Definition>,
): ArgumentPosition | null {
  const name = MISSING_ARGUMENT.exec(message)?.[1];
  const argument = definitions.get(node)?.args.find((candidate) => candidate.name === name);
  if (!argument || node.kind !== Kind.FIELD) return null;
  const isObject = isInputObjectType(getNamedType(argument.type));
  return { field: node, parameter: argument.name, isObject, isMissing: true };
}

function findArgumentPositions({ document }: OperationRequest): ReadonlyMap<ASTNode, ArgumentPosition> {
  const positions = new Map<ASTNode, ArgumentPosition>();
  let field: FieldNode | undefined;
  const parameters: string[] = [];
  visit(document, {
    enter(node) {
      if (node.kind === Kind.FIELD) field = node;
      if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) parameters.push(node.name.value);
      // the name of the argument itself is not part of the path of its fields
      const parameter = parameters.length > 1 ? parameters.slice(1).join('.') : parameters[0];
      if (parameter !== undefined) positions.set(node, { field, parameter, isObject: node.kind === Kind.OBJECT });
    },
    leave(node) {
      if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) parameters.pop();
    },
  });
  return positions;
}
