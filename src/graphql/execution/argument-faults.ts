import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLField,
  getNamedType,
  getVariableValues,
  isEnumType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { insufficientScope } from '../../domain/identity/account.ts';
import type { Scope } from '../../domain/identity/token.ts';
import type { JsonObject } from '../../domain/json.ts';
import { type Fault, faultsOf, type Refusal, refuseFaults } from '../../errors.ts';
import type { ArgumentsRule } from '../schema/builder.ts';
import { schema } from '../schema/schema.ts';
import type { Context } from './context.ts';

// GraphQL stops at the first value that does not fit, and names no parameter. So the rules of the fields are applied first

/** An operation with the variables as the client sent them. */
export interface OperationRequest {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: JsonObject;
  readonly context: Pick<Context, 'identity' | 'pagePolicy' | 'now'>;
}

/** Splits errors without data into a refusal of values (null if all fit) and the errors of the document itself. */
export function splitErrors(errors: readonly GraphQLError[], request: OperationRequest | null, isValid: boolean) {
  if (!request) return { refusal: null, documentErrors: errors };
  const fields = checkFields(request);
  if (isValid) {
    const refusal = findVariablesRefusal(fields, request);
    return { refusal, documentErrors: refusal ? [] : errors };
  }
  const positions = findArgumentPositions(request.document);
  const faults = fields.flatMap((each) => each.faults);
  const documentErrors = errors.filter((error) => {
    const [node] = error.nodes ?? [];
    const position = node && (findMissingArgument(error, node, fields) ?? positions.get(node));
    if (!position) return true;
    const ofField = fields.find(({ field }) => field === position.field)?.faults ?? [];
    // for an object, GraphQL does not say which of its fields is missing
    const isReported = position.isObject ? ofField.length > 0 : ofField.some(({ path }) => path === position.parameter);
    const message = position.isMissing ? 'is required' : describeMisfit(error);
    if (!isReported) faults.push({ path: position.parameter, message });
    return false;
  });
  return { refusal: documentErrors.length < errors.length ? refuse(faults, fields, request) : null, documentErrors };
}

/** Finds the refusal of variables that do not fit their types; null if all fit. */
function findVariablesRefusal(fields: readonly CheckedField[], request: OperationRequest): Refusal | null {
  const { operation, variables } = request;
  const misfits = (operation.variableDefinitions ?? []).flatMap((definition) => {
    const error = getVariableValues(schema, [definition], variables, { maxErrors: 1 }).errors?.[0];
    return error ? [{ path: definition.variable.name.value, message: error.message }] : [];
  });
  if (misfits.length === 0) return null;
  const faults = fields.flatMap((each) => each.faults);
  const covered = new Set<string>();
  for (const { field } of fields.filter((each) => each.faults.length > 0)) {
    visit(field, { Variable: ({ name }) => void covered.add(name.value) });
  }
  return refuse([...faults, ...misfits.filter(({ path }) => !covered.has(path))], fields, request);
}

/** Creates what finds the refusal of a field's arguments; null if the field failed for another reason. */
export function createArgumentsExplainer(request: OperationRequest) {
  let checked: readonly CheckedField[] | null = null;
  return ({ path, message }: GraphQLError): Refusal | null => {
    const argument = /^Argument "(\w+)" /.exec(message)?.[1];
    if (argument === undefined) return null;
    checked ??= checkFields(request);
    const key = path?.findLast((part) => typeof part === 'string');
    const found = checked.find(({ field, faults }) => faults.length > 0 && (field.alias ?? field.name).value === key);
    return refuse(found?.faults ?? [{ path: argument, message }], checked, request);
  };
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
function refuse(faults: readonly Fault[], fields: readonly CheckedField[], request: OperationRequest): Refusal {
  const { operation, context } = request;
  const rootFields = schema.getRootType(operation.operation)?.getFields() ?? {};
  const missing = fields
    .filter(({ field, definition }) => rootFields[field.name.value] === definition)
    .flatMap(({ definition }) => (definition.extensions.scopes ?? ['read']) as readonly Scope[])
    .find((scope) => !context.identity.scopes.includes(scope));
  return missing ? insufficientScope(missing) : refuseFaults(faults);
}

interface ArgumentPosition {
  readonly field: ASTNode | undefined;
  readonly parameter: string;
  readonly isObject: boolean;
  readonly isMissing?: boolean;
}

const MISSING_ARGUMENT = /^Field "\w+" argument "(\w+)" of type .* is required, but it was not provided\.$/;

/** Finds the argument that a field needs and does not have. GraphQL names it only in the message. */
function findMissingArgument(
  { message }: GraphQLError,
  node: ASTNode,
  fields: readonly CheckedField[],
): ArgumentPosition | null {
  const name = MISSING_ARGUMENT.exec(message)?.[1];
  const argument = fields.find(({ field }) => field === node)?.definition.args.find((each) => each.name === name);
  const isObject = isInputObjectType(getNamedType(argument?.type));
  return argument ? { field: node, parameter: argument.name, isObject, isMissing: true } : null;
}

function findArgumentPositions(document: DocumentNode): ReadonlyMap<ASTNode, ArgumentPosition> {
  const positions = new Map<ASTNode, ArgumentPosition>();
  visit(document, {
    enter(node, _key, parent, _path, ancestors) {
      const nodes = [...ancestors, parent ?? [], node].filter((each): each is ASTNode => 'kind' in each);
      const field = nodes.findLast(({ kind }) => kind === Kind.FIELD);
      const [argument, ...names] = nodes.flatMap((each) =>
        each.kind === Kind.ARGUMENT || each.kind === Kind.OBJECT_FIELD ? each.name.value : [],
      );
      // the name of the argument itself is not part of the path of its fields
      const parameter = names.length > 0 ? names.join('.') : argument;
      if (parameter !== undefined) positions.set(node, { field, parameter, isObject: node.kind === Kind.OBJECT });
    },
  });
  return positions;
}

/** A field that the schema has, and the faults that its rule finds in the raw arguments. Rules accept values of any type. */
interface CheckedField {
  readonly field: FieldNode;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly faults: readonly Fault[];
}

/** Checks the fields of the operation, at any depth. Each fragment is visited once. */
function checkFields(request: OperationRequest): readonly CheckedField[] {
  const { document, operation } = request;
  const variables = rawVariables(request);
  const checked: CheckedField[] = [];
  const typeInfo = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(typeInfo, {
    Field(field) {
      const definition = typeInfo.getFieldDef();
      if (!definition) return;
      const sent = field.arguments?.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]);
      const faults = checkArguments(definition, Object.fromEntries(sent ?? []), request.context);
      checked.push({ field, definition, faults });
    },
  });
  const parts = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const own = Object.values(separateOperations({ ...document, definitions: [operation, ...parts] }))[0];
  for (const part of own?.definitions ?? []) visit(part, visitor);
  return checked;
}

type Definition = CheckedField['definition'];

function checkArguments(
  { args, extensions }: Definition,
  sent: JsonObject,
  { pagePolicy, now }: OperationRequest['context'],
): readonly Fault[] {
  const rule = extensions.rule as ArgumentsRule | undefined;
  if (!rule) return [];
  const input = getNamedType(args.find(({ name }) => name === 'input')?.type);
  const inputFields = isInputObjectType(input) ? input.getFields() : {};
  const misplaced = Object.keys(sent).filter((name) => Object.hasOwn(inputFields, name));
  return [
    ...misplaced.map((path) => ({ path, message: 'is not an argument of this field; send it in `input`' })),
    ...faultsOf(() => rule(sent, pagePolicy, now())).filter(({ path }) => !misplaced.includes(path)),
  ];
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
