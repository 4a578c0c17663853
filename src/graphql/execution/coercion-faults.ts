import {
  type ASTNode,
  type FieldNode,
  type GraphQLError,
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
import { type DefinedField, definedFieldsOf, type OperationRequest, validateArguments } from './validate-arguments.ts';

// GraphQL stops at the first value that does not fit, and names no parameter. So the rules of the fields are applied first

/** Finds the refusal of an operation with variables that do not fit their types; null if all fit. */
export function findVariablesRefusal(request: OperationRequest): Refusal | null {
  const { operation, variables } = request;
  const misfits = (operation.variableDefinitions ?? []).flatMap((definition) => {
    const error = getVariableValues(schema, [definition], variables, { maxErrors: 1 }).errors?.[0];
    return error ? [{ path: definition.variable.name.value, message: error.message }] : [];
  });
  if (misfits.length === 0) return null;
  const argumentFaults = validateArguments(request);
  const covered = new Set<string>();
  for (const { field } of argumentFaults) visit(field, { Variable: ({ name }) => void covered.add(name.value) });
  const faults = argumentFaults.flatMap((found) => found.faults);
  return refuse([...faults, ...misfits.filter(({ path }) => !covered.has(path))], request);
}

/** Finds the refusal of a field's arguments; null if the field failed for another reason. */
export function findArgumentsRefusal({ path, message }: GraphQLError, request: OperationRequest): Refusal | null {
  const argument = /^Argument "(\w+)" /.exec(message)?.[1];
  if (argument === undefined) return null;
  const key = path?.findLast((part) => typeof part === 'string');
  const found = validateArguments(request).find(({ field }) => responseKeyOf(field) === key);
  return refuse(found?.faults ?? [{ path: argument, message }], request);
}

/** Splits validation errors into a refusal of literal values (null if all are valid) and the errors of the document itself. */
export function splitErrors(
  errors: readonly GraphQLError[],
  request: OperationRequest,
): { readonly refusal: Refusal | null; readonly documentErrors: readonly GraphQLError[] } {
  const positions = findArgumentPositions(request);
  const fields = definedFieldsOf(request);
  const argumentFaults = validateArguments(request);
  const faults = argumentFaults.flatMap((found) => found.faults);
  const documentErrors = errors.filter((error) => {
    const [node] = error.nodes ?? [];
    const position = node && (findMissingArgument(error, node, fields) ?? positions.get(node));
    if (!position) return true;
    const ofField = argumentFaults.find(({ field }) => field === position.field)?.faults ?? [];
    // for an object, GraphQL does not say which of its fields is missing
    const isReported = position.isObject ? ofField.length > 0 : ofField.some(({ path }) => path === position.parameter);
    const message = position.isMissing ? 'is required' : describeMisfit(error);
    if (!isReported) faults.push({ path: position.parameter, message });
    return false;
  });
  return { refusal: documentErrors.length < errors.length ? refuse(faults, request) : null, documentErrors };
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
  const rootFields = schema.getRootType(operation.operation)?.getFields() ?? {};
  const missing = definedFieldsOf(request)
    .filter(({ field, definition }) => rootFields[field.name.value] === definition)
    .map(({ definition }) => (definition.extensions.scope ?? usual) as Scope)
    .find((scope) => !identity.scopes.includes(scope));
  return missing ? insufficientScope(missing) : refuseFaults(faults);
}

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
  fields: readonly DefinedField[],
): ArgumentPosition | null {
  const name = MISSING_ARGUMENT.exec(message)?.[1];
  const found = fields.find(({ field }) => field === node);
  const argument = found?.definition.args.find((candidate) => candidate.name === name);
  if (!found || !argument) return null;
  const isObject = isInputObjectType(getNamedType(argument.type));
  return { field: found.field, parameter: argument.name, isObject, isMissing: true };
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
