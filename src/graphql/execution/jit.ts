import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLScalarType,
  GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  OperationTypeNode,
  parseType,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { type Awaitable, andThen, loadOnce, runOrRecover } from '../../awaitable.ts';
import { CACHE_BYTES } from '../../cache-bytes.ts';
import { loadCode } from '../../descriptors.ts';
import { Refusal } from '../../errors.ts';
import { schema } from '../schema/schema.ts';
import { executeMutations } from './mutations.ts';

/** Compiling takes about a millisecond, which pays off only for repeated documents. */
const RUNS_BEFORE_COMPILING = 3;
/** The memory of a compiled document without its fields, and of each character of it, measured. */
const COMPILED_BYTES = 10_000;
const CHARACTER_BYTES = 50;

/** Executes one document. */
export type ExecuteDocument = (args: ExecutionArgs) => Awaitable<ExecutionResult>;

/** Replaces the types of variables, whose values graphql-js coerces before. */
const COERCED = new GraphQLScalarType({ name: 'Coerced' });
const COERCED_TYPE = parseType(COERCED.name);
const loadCompiler = loadCode(() => import('graphql-jit'));
/** Resolvers return enums and built-in scalars as they are sent. Checking each of them again takes a tenth of a page. */
const TRUSTED_LEAVES = { disableLeafSerialization: true };
const { types, ...config } = schema.toConfig();
const compilerSchema = new GraphQLSchema({ ...config, types: [...types, COERCED] });

/**
 * The prototype of variables: graphql-jit would take an omitted one named `toString` from Object.prototype. Without any
 * prototype, V8 makes each object a hash table.
 */
const NO_PROPERTIES: object = Object.create(null);

/** Creates an `execute` that compiles repeated queries (graphql-jit), with the same results as graphql-js. */
export function createExecute(): ExecuteDocument {
  const cache = new LRUCache<DocumentNode, { runs: number; run: ExecuteDocument }>({
    maxSize: CACHE_BYTES.compiledQueries,
    sizeCalculation: (_, { loc }) => COMPILED_BYTES + CHARACTER_BYTES * (loc?.end ?? 0),
  });

  return (args) => {
    const { document } = args;
    const operation = getOperationAST(document, args.operationName);
    if (operation?.operation === OperationTypeNode.MUTATION) return executeMutations(args, operation);
    const entry = cache.get(document) ?? { runs: 0, run: execute };
    if (++entry.runs === 1) cache.set(document, entry);
    if (entry.runs === RUNS_BEFORE_COMPILING) entry.run = compileLater(document);
    return entry.run(args);
  };
}

/**
 * Creates a function that compiles a document at its first call, and executes it. Without the compiler, graphql-js does. In
 * {@link createExecute} its closure would keep the arguments of a request.
 */
export function compileLater(document: DocumentNode): ExecuteDocument {
  const getCompiled = loadOnce(() => compile(document));
  return (args) => andThen(runOrRecover(getCompiled, executeWithoutCompiler), (run) => run(args));
}

function executeWithoutCompiler(error: unknown): ExecuteDocument {
  if (error instanceof Refusal) return execute;
  throw error;
}

const UNSAFE_KINDS: readonly Kind[] = [Kind.DIRECTIVE, Kind.STRING, Kind.OBJECT, Kind.LIST];

/**
 * Compiles a document of one query that contains only names, numbers and variables; graphql-js executes any other. graphql-jit
 * copies literals and aliases of the document into code, so documents with them are not safe to compile. Names that begin
 * with two underscores are introspection, or `__proto__`, which graphql-jit assigns like any other property.
 */
export async function compile(document: DocumentNode): Promise<ExecuteDocument> {
  const operation = getOperationAST(document);
  if (operation?.operation !== OperationTypeNode.QUERY) return execute;
  let isSafe = true;
  const withCoerced = visit(document, {
    enter(node) {
      if (UNSAFE_KINDS.includes(node.kind) || (node.kind === Kind.FIELD && node.alias)) isSafe = false;
      if (node.kind === Kind.NAME && node.value.startsWith('__') && node.value !== '__typename') isSafe = false;
      if (node.kind !== Kind.VARIABLE_DEFINITION) return;
      return { kind: node.kind, variable: node.variable, type: COERCED_TYPE };
    },
  });
  if (!isSafe) return execute;
  const name = operation.name?.value;
  const { compileQuery, isCompiledQuery } = await loadCompiler();
  const compiled = compileQuery(compilerSchema, withCoerced, name, TRUSTED_LEAVES);
  if (!isCompiledQuery(compiled)) return execute;
  const { query } = compiled;
  const { variableDefinitions = [] } = operation;
  return (args) => {
    const { coerced } = getVariableValues(schema, variableDefinitions, args.variableValues ?? {});
    // graphql-js words the errors
    if (!coerced || (args.operationName ?? name) !== name) return execute(args);
    const variables = Object.assign(Object.create(NO_PROPERTIES), coerced);
    const result = query(args.rootValue, args.contextValue, variables);
    return andThen(result, ({ data = null, errors }) => (errors ? { errors, data } : { data }));
  };
}
