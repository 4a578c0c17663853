import {
  type ASTNode,
  type FieldNode,
  type GraphQLError,
  getArgumentValues,
  getVariableValues,
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

/** Finds the refusal of a root field's arguments; null if the field failed for another reason. */
export function findArgumentsRefusal({ path, message }: GraphQLError, request: OperationRequest): Refusal | null {
  const field = rootFieldsOf(request).find((candidate) => responseKeyOf(candidate) === path?.[0]);
  const definition = field && findFieldDefinition(field, request);
  if (!definition || path?.length !== 1) return null;
  try {
    getArgumentValues(definition, field, coerceVariables(request).coerced ?? {});
    return null;
  } catch {
    const faults = validateArguments(request).find((found) => found.field === field)?.faults;
    return refuse(faults ?? [{ path: field.arguments?.[0]?.name.value ?? 'query', message }], request);
  }
}

/** Splits validation errors into a refusal of literal values (null if all are valid) and the errors of the document itself. */
export function splitErrors(
  errors: readonly GraphQLError[],
  request: OperationRequest,
): { readonly refusal: Refusal | null; readonly documentErrors: readonly GraphQLError[] } {
  const positions = findArgumentPositions(request);
  const positionOf = ({ nodes }: GraphQLError) => nodes?.[0] && positions.get(nodes[0]);
  const documentErrors = errors.filter((error) => !positionOf(error));
  if (documentErrors.length === errors.length) return { refusal: null, documentErrors };
  const argumentFaults = validateArguments(request);
  const faults = argumentFaults.flatMap((found) => found.faults);
  for (const error of errors) {
    const position = positionOf(error);
    if (!position) continue;
    const ofField = argumentFaults.find(({ field }) => field === position.field)?.faults ?? [];
    // for an object, GraphQL does not say which of its fields is missing
    const isReported = position.isObject ? ofField.length > 0 : ofField.some(({ path }) => path === position.parameter);
    if (!isReported) faults.push({ path: position.parameter, message: describeMisfit(error) });
  }
  return { refusal: refuse(faults, request), documentErrors };
}

/** Describes a literal that does not fit its type. GraphQL's own message for a quoted enum value suggests what was sent. */
function describeMisfit({ nodes, message }: GraphQLError): string {
  const node = nodes?.[0];
  const isQuotedEnum = node?.kind === Kind.STRING && message.startsWith('Enum ');
  return isQuotedEnum ? `must be written without quotes: ${node.value}` : message;
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

interface ArgumentPosition {
  readonly field: FieldNode | undefined;
  readonly parameter: string;
  readonly isObject: boolean;
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
