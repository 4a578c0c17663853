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
import { type Fault, type Refusal, refuseFaults } from '../../errors.ts';
import { schema } from '../schema/schema.ts';
import { keyOf } from './selections.ts';
import {
  type ArgumentFaults,
  definitionOf,
  type OperationRequest,
  rootFieldsOf,
  validateArguments,
  variablesIn,
} from './validate-arguments.ts';

/*
 * GraphQL judges values by their types, stops at the first ones, and names places in the document. The caller is to
 * learn every fault at once, by the names of parameters. So where GraphQL refuses a value, the rules of the fields have
 * the first word, and GraphQL's own stand where no rule found a fault.
 */

/**
 * The refusal of variables that do not fit their types, or null when they fit.
 * @param others what is wrong besides
 */
export function findVariablesRefusal(asked: OperationRequest, others: readonly Fault[] = []): Refusal | null {
  const { errors } = coerceVariables(asked);
  if (!errors && others.length === 0) return null;
  const verdicts = validateArguments(asked);
  return refuse([...others, ...verdicts.flatMap(({ faults }) => faults), ...coercionFaultsOf(asked, verdicts)], asked);
}

/** The refusal of a root field's arguments, when it failed because of them. */
export function findArgumentsRefusal({ path, message }: GraphQLError, asked: OperationRequest): Refusal | null {
  const field = rootFieldsOf(asked).find((candidate) => keyOf(candidate) === path?.[0]);
  const definition = field && definitionOf(field, asked);
  if (!definition || path?.length !== 1) return null;
  try {
    getArgumentValues(definition, field, coerceVariables(asked).coerced ?? {});
    return null;
  } catch {
    const found = validateArguments(asked).find((verdict) => verdict.field === field)?.faults;
    return refuse(found ?? [{ path: field.arguments?.[0]?.name.value ?? 'query', message }], asked);
  }
}

/**
 * Splits what validation found into the refusal of the values that stand in the document, null when they are good, and
 * the errors that are about the document itself.
 */
export function splitErrors(
  errors: readonly GraphQLError[],
  asked: OperationRequest,
): { readonly refusal: Refusal | null; readonly others: readonly GraphQLError[] } {
  const places = findPlaces(asked);
  const placeOf = ({ nodes }: GraphQLError) => nodes?.[0] && places.get(nodes[0]);
  const others = errors.filter((error) => !placeOf(error));
  if (others.length === errors.length) return { refusal: null, others };
  const verdicts = validateArguments(asked);
  const faults = verdicts.flatMap((verdict) => verdict.faults);
  for (const error of errors) {
    const place = placeOf(error);
    if (!place) continue;
    const found = verdicts.find(({ field }) => field === place.field)?.faults ?? [];
    // of a whole object, GraphQL says only that something is missing in it
    const isFound = place.isObject ? found.length > 0 : found.some(({ path }) => path === place.parameter);
    if (!isFound) faults.push({ path: place.parameter, message: error.message });
  }
  return { refusal: refuse(faults, asked), others };
}

/** Whoever may not do it at all does not learn what was wrong with it. */
function refuse(faults: readonly Fault[], { operation, identity }: OperationRequest): Refusal {
  const scope = operation.operation === 'mutation' ? 'write' : 'read';
  return identity.scopes.includes(scope) ? refuseFaults(faults) : insufficientScope(scope);
}

function coerceVariables(
  { operation, variables }: OperationRequest,
  definitions = operation.variableDefinitions ?? [],
) {
  return getVariableValues(schema, definitions, variables, { maxErrors: 1 });
}

/** GraphQL's words on variables of which no rule has spoken: one fault for each. */
function coercionFaultsOf(asked: OperationRequest, verdicts: readonly ArgumentFaults[]): readonly Fault[] {
  const judged = new Set(verdicts.flatMap(({ field }) => variablesIn(field)));
  return (asked.operation.variableDefinitions ?? []).flatMap((definition) => {
    const path = definition.variable.name.value;
    const message = judged.has(path) ? undefined : coerceVariables(asked, [definition]).errors?.[0]?.message;
    return message === undefined ? [] : [{ path, message }];
  });
}

interface Place {
  readonly field: FieldNode | undefined;
  readonly parameter: string;
  readonly isObject: boolean;
}

/** Where each node in the arguments of a document stands: in which field, and in which parameter of it. */
function findPlaces({ document }: OperationRequest): ReadonlyMap<ASTNode, Place> {
  const places = new Map<ASTNode, Place>();
  let field: FieldNode | undefined;
  const parameters: string[] = [];
  visit(document, {
    enter(node) {
      if (node.kind === Kind.FIELD) field = node;
      if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) parameters.push(node.name.value);
      const parameter = parameters.at(-1);
      if (parameter !== undefined) places.set(node, { field, parameter, isObject: node.kind === Kind.OBJECT });
    },
    leave(node) {
      if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) parameters.pop();
    },
  });
  return places;
}
