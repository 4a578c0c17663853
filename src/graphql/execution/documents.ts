import { type DocumentNode, GraphQLError, NoSchemaIntrospectionCustomRule, validate } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { schema } from '../schema/schema.ts';
import { documentLimits } from './limits.ts';

export interface CheckedDocument {
  /** Null if the text cannot be parsed. */
  readonly document: DocumentNode | null;
  /** Violations of the grammar, the schema or the limits. */
  readonly errors: readonly GraphQLError[];
}

/** Parses and validates the text of a document. Equal texts get the same result, which callers must not modify. */
export type CheckDocument = (text: string) => CheckedDocument;

/** The memory of a parsed document per token, measured. */
const TOKEN_BYTES = 500;
const MAX_CACHED_BYTES = 16_000_000;

/**
 * Creates a check that runs Yoga's plugins once for each text. The cache is limited by memory: a document of 4 kB can take
 * 1 MB, and clients may send a new one with each request.
 */
export function createDocumentCheck(
  { introspection }: { readonly introspection: boolean },
  maxCachedBytes = MAX_CACHED_BYTES,
): CheckDocument {
  const yoga = createYoga({
    schema,
    logging: false,
    maskedErrors: false,
    parserAndValidationCache: false,
    plugins: [...documentLimits(), ...(introspection ? [] : [useHiddenSchema()])],
  });
  const cache = new LRUCache<string, CheckedDocument>({ maxSize: maxCachedBytes, sizeCalculation: bytesOf });

  function check(text: string): CheckedDocument {
    const enveloped = yoga.getEnveloped({} as never);
    let document: DocumentNode | null = null;
    try {
      document = enveloped.parse(text) as DocumentNode;
      return { document, errors: enveloped.validate(schema, document) as readonly GraphQLError[] };
    } catch (error) {
      if (error instanceof GraphQLError) return { document, errors: [error] };
      throw error;
    }
  }

  return (text) => {
    const cached = cache.get(text);
    if (cached) return cached;
    const checked = check(text);
    cache.set(text, checked);
    return checked;
  };
}

/** Rejects introspection, and leaves "Did you mean" out of errors, since it reveals names of the schema. */
function useHiddenSchema(): Plugin {
  return {
    onValidate({ addValidationRule, setValidationFn }) {
      addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((schema, document, rules) => validate(schema, document, rules, { hideSuggestions: true }));
    },
  };
}

function bytesOf({ document }: CheckedDocument, text: string): number {
  return 1_000 + 2 * text.length + TOKEN_BYTES * (document?.tokenCount ?? 0);
}
