import { type DocumentNode, GraphQLError, NoSchemaIntrospectionCustomRule, validate } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { bytesOfEntry, CACHE_BYTES } from '../../cache-bytes.ts';
import { schema } from '../schema/schema.ts';
import { createExecute } from './jit.ts';
import { DOCUMENT_LIMITS, requireTextLimits } from './limits.ts';
import { subscribe } from './subscribe.ts';

export interface PhaseOptions {
  readonly introspection: boolean;
  /** Plugins of Yoga or Envelop, which run after those of the service. */
  readonly plugins?: readonly Plugin[] | undefined;
}

export type Phases = ReturnType<typeof createPhases>;

/**
 * Creates the phases of requests to `/graphql`. Yoga runs them with its plugins: `onEnveloped`, `onParse`, `onValidate`,
 * `onContextBuilding`, `onExecute` and `onSubscribe`. A rule or result that a plugin adds to a validation must not depend on
 * the request, because the result is kept for its text.
 *
 * Yoga's HTTP layer (`yoga.fetch`, with `onRequest`, `onParams`, `onResultProcess` and `onResponse`) does not run:
 * `doors/graphql` reads requests and writes responses, because that layer costs 2 to 5 times the rest of a request
 * (docs/decisions.md). The operations of REST do not run here either: they are documents of the service, and are parsed and
 * compiled once.
 */
export function createPhases(
  { introspection, plugins = [] }: PhaseOptions,
  maxCachedBytes: number = CACHE_BYTES.checkedDocuments,
) {
  const documents = createDocumentCache(maxCachedBytes);
  const checks = introspection ? DOCUMENT_LIMITS : [...DOCUMENT_LIMITS, HIDDEN_SCHEMA];
  const execute = createExecute();
  /** Compiles frequent queries, checks all mutations of a document before the first runs, and gives events their ids. */
  const ownExecution: Plugin = {
    onExecute: ({ setExecuteFn }) => setExecuteFn(execute),
    onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(subscribe),
  };
  const { getEnveloped } = createYoga({
    schema,
    logging: false,
    // `doors/graphql` masks errors, with the request id
    maskedErrors: false,
    parserAndValidationCache: false,
    plugins: [documents.plugin, ...checks, ownExecution, ...plugins],
  });
  /** Returns the phases of one request. Plugins may add properties to its context. */
  const begin = (context: object) => getEnveloped(context as never);

  /** Parses a document, or returns null, and finds its violations of the grammar, the schema and the limits. */
  function check({ parse, validate, schema }: ReturnType<typeof begin>, text: string) {
    let document: DocumentNode | null = null;
    try {
      if (!documents.has(text)) requireTextLimits(text);
      document = parse(text) as DocumentNode;
      return { document, errors: validate(schema, document) as readonly GraphQLError[] };
    } catch (error) {
      if (error instanceof GraphQLError) return { document, errors: [error] };
      throw error;
    }
  }

  return {
    begin,
    check,
    /** True if the document was checked before, so that its check takes no time. */
    isChecked: documents.has,
  };
}

/** The memory of a parsed document per token, measured. */
const TOKEN_BYTES = 500;

/**
 * Creates a cache of valid documents, in place of Yoga's, which counts texts: it is limited by memory, because a document
 * of 4 kB can take 1 MB, and clients may send a new one with each request.
 */
function createDocumentCache(maxBytes: number) {
  const cache = new LRUCache<string, DocumentNode>({
    maxSize: maxBytes,
    sizeCalculation: ({ tokenCount = 0 }, text) => bytesOfEntry(text) + TOKEN_BYTES * tokenCount,
  });

  const plugin: Plugin = {
    onParse({ params, setParsedDocument }) {
      const document = cache.get(String(params.source));
      if (document) setParsedDocument(document);
    },
    onValidate({ params, setResult }) {
      const document = params.documentAST;
      // the document of a plugin may have no text
      const text = document.loc?.source.body;
      if (text === undefined) return;
      if (cache.peek(text)) return setResult([]);
      return ({ valid }) => void (valid && cache.set(text, document));
    },
  };
  return { plugin, has: (text: string) => cache.has(text) };
}

/** Rejects introspection, and leaves "Did you mean" out of errors, since it reveals names of the schema. */
const HIDDEN_SCHEMA: Plugin = {
  onValidate({ addValidationRule, setValidationFn }) {
    addValidationRule(NoSchemaIntrospectionCustomRule);
    setValidationFn((schema, document, rules) => validate(schema, document, rules, { hideSuggestions: true }));
  },
};
