import fc, { type Arbitrary } from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { schema } from '../../src/graphql/schema/schema.ts';
import { MEAL_PLANNER } from '../open-app.ts';
import { anyJson, anyText } from './check.ts';

/** A document and its variables. */
export interface Operation {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

const VARIABLES = ['$a', '$b', '$c'];
const WRONG_LITERALS = [
  'null',
  '7',
  '-1',
  '1.5',
  '1e400',
  '"x"',
  'DARK',
  'dark',
  'true',
  '[]',
  '{}',
  '{ a: 1 }',
  ...VARIABLES,
];
const EXTRA_SELECTIONS = [
  '__typename',
  'nope',
  '...F',
  '... on Embed { id }',
  '... on Query { __typename }',
  '... { __typename }',
];
const DIRECTIVES = [' @include(if: true)', ' @skip(if: $a)', ' @nope', ' @skip(if: null)'];

/**
 * Generates selection sets.
 * @param errorWeight weight of wrong parts, against 10 for valid ones; 0 for valid documents only
 */
function createSelections(errorWeight: number) {
  function mostly<T>(valid: Arbitrary<T>, wrong: Arbitrary<T>): Arbitrary<T> {
    return fc.oneof({ weight: 10, arbitrary: valid }, { weight: errorWeight, arbitrary: wrong });
  }

  function literal(type: GraphQLInputType): Arbitrary<string> {
    const texts = anyText.map((text) => JSON.stringify(text.toWellFormed()));
    return mostly(validLiteral(type), fc.oneof(fc.constantFrom(...WRONG_LITERALS), texts));
  }

  function validLiteral(type: GraphQLInputType): Arbitrary<string> {
    const named = getNamedType(type);
    if (isEnumType(named)) return fc.constantFrom(...named.getValues().map(({ name }) => name));
    if (isInputObjectType(named)) {
      const fields = Object.values(named.getFields()).filter(({ name }) => name !== 'pageId');
      return optional(fields.map(({ name, type }) => [type, literal(type).map((value) => `${name}: ${value}`)])).map(
        (parts) => `{ ${parts.join(', ')} }`,
      );
    }
    switch (named.name) {
      case 'Int':
        return fc.integer({ min: 1, max: 100 }).map(String);
      case 'Boolean':
        return fc.constantFrom('true', 'false');
      case 'Date':
        return fc.constant('"2026-01-05"');
      case 'DateTime':
        return fc.constant('"2100-01-05T12:00:00Z"');
      case 'URL':
        return fc.constant(JSON.stringify(MEAL_PLANNER));
      default:
        return fc.constant('"01m7y4dcyp2ad36zr4waqryvpr"');
    }
  }

  /** Omits nullable parts sometimes, and required parts as rarely as there are other errors. */
  function optional(parts: readonly (readonly [GraphQLInputType, Arbitrary<string>])[]): Arbitrary<string[]> {
    const sometimes = parts.map(([type, part]) => {
      if (!isNonNullType(type)) return fc.option(part);
      return mostly(part as Arbitrary<string | null>, fc.constant(null));
    });
    return fc.tuple(...sometimes).map((list) => list.filter((part) => part !== null));
  }

  function argumentsOf(args: readonly GraphQLArgument[]): Arbitrary<string> {
    // `first` and `last` together are invalid
    const valid = args.filter(({ name }) => errorWeight > 0 || (name !== 'last' && name !== 'before'));
    const parts = optional(valid.map(({ name, type }) => [type, literal(type).map((value) => `${name}: ${value}`)]));
    return parts.map((list) => (list.length > 0 ? `(${list.join(', ')})` : ''));
  }

  return function selection(type: GraphQLObjectType, depth: number): Arbitrary<string> {
    const fields = Object.values(type.getFields()).map((field) => {
      const named = getNamedType(field.type);
      const leaf = fc.constant(isObjectType(named) || isInterfaceType(named) ? '{ __typename }' : '');
      return fc
        .tuple(
          mostly(fc.constant(''), fc.constantFrom('x: ', 'y: ', 'id: ')),
          argumentsOf(field.args),
          mostly(fc.constant(''), fc.constantFrom(...DIRECTIVES)),
          isObjectType(named) && depth > 0 ? selection(named, depth - 1) : leaf,
        )
        .map(([alias, args, directive, rest]) => `${alias}${field.name}${args}${directive} ${rest}`);
    });
    const some = fc
      .subarray(fields, { minLength: 1, maxLength: Math.min(4, fields.length) })
      .chain((chosen) => fc.tuple(...chosen));
    const stray = mostly(fc.constant(''), fc.constantFrom(...EXTRA_SELECTIONS));
    return fc.tuple(some, stray).map(([parts, last]) => `{ ${parts.join(' ')} ${last} }`);
  };
}

const TYPES = ['Int', 'ID!', 'String', 'Boolean!', 'EmbedMode', '[ID!]!', 'CreateEmbedInput!', 'URL = 7', 'Nope'];
const declarations = fc.subarray(VARIABLES).chain((names) => {
  return fc.tuple(...names.map((name) => fc.constantFrom(...TYPES).map((type) => `${name}: ${type}`)));
});
const variables = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), anyJson, { maxKeys: 3 });

function operations(
  root: GraphQLObjectType | null | undefined,
  kind: string,
  errorWeight: number,
): Arbitrary<Operation> {
  if (!root) throw new Error(`the schema has no ${kind}`);
  const declared = errorWeight > 0 ? declarations : fc.constant([]);
  return fc.tuple(declared, createSelections(errorWeight)(root, 4), variables).map(([list, body, values]) => {
    const fragment = body.includes('...F') ? ` fragment F on ${root.name} { __typename }` : '';
    return { query: `${kind} ${list.length > 0 ? `(${list.join(', ')})` : ''} ${body}${fragment}`, variables: values };
  });
}

/** Operations of the schema: most of them are valid documents, and the others may have errors. */
export const anyOperation: Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: operations(schema.getQueryType(), 'query', 0) },
  operations(schema.getMutationType(), 'mutation', 0),
  operations(schema.getQueryType(), 'query', 1),
  operations(schema.getMutationType(), 'mutation', 1),
);
