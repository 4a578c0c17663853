import {
  type DocumentNode,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { schema } from '../schema/schema.ts';
import { LIMIT_RULES, requireTextLimits } from './limits.ts';

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
 * Creates a check that parses and validates each text once. The cache is limited by memory: a document of 4 kB can take
 * 1 MB, and clients may send a new one with each request.
 *
 * Without `introspection`, it is rejected, and "Did you mean" is left out of errors, since it reveals names of the schema.
 */
export function createDocumentCheck(
  { introspection }: { readonly introspection: boolean },
  maxCachedBytes = MAX_CACHED_BYTES,
): CheckDocument {
  const rules = [...specifiedRules, ...LIMIT_RULES, ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])];
  const cache = new LRUCache<string, CheckedDocument>({ maxSize: maxCachedBytes, sizeCalculation: bytesOf });

  function check(text: string): CheckedDocument {
    let document: DocumentNode | null = null;
    try {
      requireTextLimits(text);
      document = parse(text);
      return { document, errors: validate(schema, document, rules, { hideSuggestions: !introspection }) };
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

function bytesOf({ document }: CheckedDocument, text: string): number {
  return 1_000 + 2 * text.length + TOKEN_BYTES * (document?.tokenCount ?? 0);
}
