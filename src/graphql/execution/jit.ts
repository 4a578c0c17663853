import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
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

/** Compiling takes about a millisecond, which pays off for documents that come again. */
const HOT_RUNS = 3;
/** Documents whose runs are counted, and that are kept compiled when hot: about 50 kB each. */
const MAX_DOCUMENTS = 200;
/** The texts of these documents together. */
const MAX_CHARACTERS = 1_000_000;

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

/** Runs documents. The text of a document is its key: the same text must always come with the same document. */
export type Execute = (text: string, args: ExecutionArgs) => Promise<ExecutionResult>;

/**
 * Creates an `execute` with the results of graphql-js, which runs queries that come again as compiled functions
 * (graphql-jit). graphql-js coerces the variables and words their errors in any case.
 */
export function createExecutor(): Execute {
  const known = new LRUCache<string, { runs: number; compiled: Compiled | null }>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, text) => text.length,
  });

  function findCompiled(text: string, document: DocumentNode): Compiled | null {
    const entry = known.get(text) ?? { runs: 0, compiled: null };
    if (++entry.runs === 1) known.set(text, entry);
    if (entry.runs === HOT_RUNS) entry.compiled = compile(document);
    return entry.compiled;
  }

  return async (text, args) => {
    const compiled = findCompiled(text, args.document);
    if (!compiled || (args.operationName ?? compiled.name) !== compiled.name) return execute(args) as Result;
    return runCompiled(compiled, args);
  };
}

async function runCompiled({ query, variables }: Compiled, args: ExecutionArgs): Promise<ExecutionResult> {
  const { coerced } = getVariableValues(schema, variables, args.variableValues ?? {});
  if (!coerced) return execute(args) as Result;
  const { data, errors } = (await query(args.rootValue, args.contextValue, coerced)) as ExecutionResult;
  return errors
    ? { errors: errors.map((error) => toGraphQLError(error, args.document)), data: data ?? null }
    : { data: data ?? null };
}

/** graphql-jit has an error class of its own, which knows places only as lines and columns. */
function toGraphQLError(
  { message, path, locations, originalError }: GraphQLError,
  { loc }: DocumentNode,
): GraphQLError {
  const lines = loc?.source.body.split(/\r\n|[\n\r]/g) ?? [];
  const positions = locations?.map(({ line, column }) => {
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    return before + column - 1;
  });
  return new GraphQLError(message, { source: loc?.source, positions, path, originalError });
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
