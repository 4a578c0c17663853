import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLScalarType,
  GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { schema } from '../schema/schema.ts';
import { type Context, contextOf } from './context.ts';

/** Documents that come once are not worth the millisecond that a compilation takes. */
const HOT_RUNS = 3;
/** Of all documents that are kept compiled: some hundred of them, each with 50 kB or so. */
const MAX_TOKENS = 20_000;
/** What each counts besides its own; of the prepared ones, which were not parsed here, nobody has counted them. */
const SOME_TOKENS = 100;

/** The only operation of a document. */
interface Compiled {
  readonly query: CompiledQuery['query'];
  readonly name: string | undefined;
  readonly variables: readonly VariableDefinitionNode[];
}

type Result = ExecutionResult | Promise<ExecutionResult>;

/** Stands for the types of variables, whose values have been coerced before. */
const COERCED = new GraphQLScalarType({ name: 'Coerced' });
const { types, ...config } = schema.toConfig();
const compilerSchema = new GraphQLSchema({ ...config, types: [...types, COERCED] });

/**
 * `execute` of graphql-js with the same results, for queries that are asked again and again by a compiled function
 * (graphql-jit). Only what goes well is the compiler's: values of variables are coerced, and errors worded, by graphql-js.
 */
export function createExecutor(): (args: ExecutionArgs) => Result {
  const runs = new WeakMap<DocumentNode, number>();
  const kept = new LRUCache<DocumentNode, { readonly compiled: Compiled | null }>({
    maxSize: MAX_TOKENS,
    sizeCalculation: (_, { tokenCount = 0 }) => SOME_TOKENS + tokenCount,
  });

  function findCompiled(document: DocumentNode): Compiled | null {
    const known = kept.get(document);
    if (known) return known.compiled;
    const count = (runs.get(document) ?? 0) + 1;
    runs.set(document, count);
    if (count < HOT_RUNS) return null;
    const compiled = compile(document);
    kept.set(document, { compiled });
    return compiled;
  }

  return (args) => {
    const compiled = findCompiled(args.document);
    if (!compiled || (args.operationName ?? compiled.name) !== compiled.name) return execute(args) as Result;
    const { coerced } = getVariableValues(schema, compiled.variables, args.variableValues ?? {});
    if (!coerced) return execute(args) as Result;
    return rerunUncompiled(compiled.query(args.rootValue, args.contextValue, coerced) as Result, args);
  };
}

/** A query changes nothing, so that one that fails can be run again. */
async function rerunUncompiled(result: Result, args: ExecutionArgs): Promise<ExecutionResult> {
  const done = await result;
  if (!done.errors) return done;
  const context = args.contextValue as Context;
  return execute({ ...args, contextValue: contextOf(context, context) }) as Result;
}

/**
 * Compiles a document that is one query of names, numbers and variables; null for any other. The compiler writes text that
 * stands in a document into code, and would trust it. Without aliases no document asks for more than the schema has.
 * Names that begin with two underscores are not compiled either: they are introspection, or `__proto__`, to which the
 * compiler assigns as to any other property of an object.
 */
export function compile(document: DocumentNode): Compiled | null {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations as OperationDefinitionNode[];
  if (operations.length !== 1 || operation?.operation !== OperationTypeNode.QUERY) return null;
  let isPlain = true;
  const refuse = () => {
    isPlain = false;
  };
  const withCoerced = visit(document, {
    VariableDefinition: ({ kind, variable }): VariableDefinitionNode => {
      return { kind, variable, type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: COERCED.name } } };
    },
    Name({ value }) {
      if (value.startsWith('__') && value !== '__typename') refuse();
    },
    Field({ alias }) {
      if (alias) refuse();
    },
    Directive: refuse,
    StringValue: refuse,
    ObjectValue: refuse,
    ListValue: refuse,
  });
  if (!isPlain) return null;
  const name = operation.name?.value;
  const compiled = compileQuery(compilerSchema, withCoerced, name);
  return isCompiledQuery(compiled)
    ? { query: compiled.query, name, variables: operation.variableDefinitions ?? [] }
    : null;
}
