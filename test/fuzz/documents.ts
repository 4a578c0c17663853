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

/** A document with the variables that go with it. */
export interface Operation {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

const VARIABLES = ['$a', '$b', '$c'];
const UNFIT = ['null', '7', '-1', '1.5', '1e400', '"x"', 'DARK', 'dark', 'true', '[]', '{}', '{ a: 1 }', ...VARIABLES];
const STRAYS = [
  '__typename',
  'nope',
  '...F',
  '... on Embed { id }',
  '... on Query { __typename }',
  '... { __typename }',
];
const DIRECTIVES = [' @include(if: true)', ' @skip(if: $a)', ' @nope', ' @skip(if: null)'];

/** Makes parts of documents: right ones, or in one of so many places a wrong one. */
function partsOf(flaws: number) {
  function mostly<T>(right: Arbitrary<T>, wrong: Arbitrary<T>): Arbitrary<T> {
    return fc.oneof({ weight: 10, arbitrary: right }, { weight: flaws, arbitrary: wrong });
  }

  function literal(type: GraphQLInputType): Arbitrary<string> {
    const texts = anyText.map((text) => JSON.stringify(text.toWellFormed()));
    return mostly(fitLiteral(type), fc.oneof(fc.constantFrom(...UNFIT), texts));
  }

  function fitLiteral(type: GraphQLInputType): Arbitrary<string> {
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
      case 'URL':
        return fc.constant(JSON.stringify(MEAL_PLANNER));
      default:
        return fc.constant('"01m7y4dcyp2ad36zr4waqryvpr"');
    }
  }

  /** What may be left out sometimes is; what may not be, as rarely as anything is wrong. */
  function optional(parts: readonly (readonly [GraphQLInputType, Arbitrary<string>])[]): Arbitrary<string[]> {
    const sometimes = parts.map(([type, part]) => {
      if (!isNonNullType(type)) return fc.option(part);
      return mostly(part as Arbitrary<string | null>, fc.constant(null));
    });
    return fc.tuple(...sometimes).map((list) => list.filter((part) => part !== null));
  }

  function argumentsOf(args: readonly GraphQLArgument[]): Arbitrary<string> {
    // two ends of a range at once are wrong
    const fit = args.filter(({ name }) => flaws > 0 || (name !== 'last' && name !== 'before'));
    const parts = optional(fit.map(({ name, type }) => [type, literal(type).map((value) => `${name}: ${value}`)]));
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
    const stray = mostly(fc.constant(''), fc.constantFrom(...STRAYS));
    return fc.tuple(some, stray).map(([parts, last]) => `{ ${parts.join(' ')} ${last} }`);
  };
}

const TYPES = ['Int', 'ID!', 'String', 'Boolean!', 'EmbedMode', '[ID!]!', 'CreateEmbedInput!', 'URL = 7', 'Nope'];
const declarations = fc.subarray(VARIABLES).chain((names) => {
  return fc.tuple(...names.map((name) => fc.constantFrom(...TYPES).map((type) => `${name}: ${type}`)));
});
const variables = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), anyJson, { maxKeys: 3 });

function operations(root: GraphQLObjectType | null | undefined, kind: string, flaws: number): Arbitrary<Operation> {
  if (!root) throw new Error(`the schema has no ${kind}`);
  const declared = flaws > 0 ? declarations : fc.constant([]);
  return fc.tuple(declared, partsOf(flaws)(root, 4), variables).map(([list, body, values]) => {
    const fragment = body.includes('...F') ? ` fragment F on ${root.name} { __typename }` : '';
    return { query: `${kind} ${list.length > 0 ? `(${list.join(', ')})` : ''} ${body}${fragment}`, variables: values };
  });
}

/** Operations made from the schema: some are right in all their parts, and the others wrong in some. */
export const anyOperation: Arbitrary<Operation> = fc.oneof(
  operations(schema.getQueryType(), 'query', 0),
  operations(schema.getMutationType(), 'mutation', 0),
  operations(schema.getQueryType(), 'query', 1),
  operations(schema.getMutationType(), 'mutation', 1),
);
