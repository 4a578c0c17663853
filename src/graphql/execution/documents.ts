import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { bytesOfEntry, CACHE_BYTES } from '../../cache-bytes.ts';

export interface CheckedDocument {
  /** Null if the text cannot be parsed. */
  readonly document: DocumentNode | null;
  /** Violations of the grammar, the schema or the limits. */
  readonly errors: readonly GraphQLError[];
}

/** The memory of a parsed document per token, measured. */
const TOKEN_BYTES = 500;
/** The memory of a violation with its message and its stack, measured. */
const ERROR_BYTES = 4_000;

/**
 * Creates a cache of checked documents, in place of Yoga's, which counts texts: it is limited by memory, because a document
 * of 4 kB can take 1 MB, and clients may send a new one with each request.
 * @param checks plugins that check a document; they run once for each
 */
export function createDocumentCache(checks: readonly Plugin[], maxBytes: number = CACHE_BYTES.checkedDocuments) {
  const cache = new LRUCache<string, CheckedDocument>({ maxSize: maxBytes, sizeCalculation: bytesOf });

  const plugin: Plugin = {
    onParse(hook) {
      const text = String(hook.params.source);
      const checked = cache.get(text);
      if (checked?.document) return hook.setParsedDocument(checked.document);
      if (checked) throw checked.errors[0];
      for (const { onParse } of checks) onParse?.(hook);
      return ({ result }) => {
        if (result instanceof GraphQLError) cache.set(text, { document: null, errors: [result] });
      };
    },
    onValidate(hook) {
      const document = hook.params.documentAST;
      // the document of a plugin may have no text
      const text = document.loc?.source.body;
      const checked = text === undefined ? undefined : cache.get(text);
      if (checked) return hook.setResult([...checked.errors]);
      for (const { onValidate } of checks) onValidate?.(hook);
      return ({ result }) => {
        if (text !== undefined) cache.set(text, { document, errors: [...(result as GraphQLError[])] });
      };
    },
  };
  return { plugin, has: (text: string) => cache.has(text) };
}

interface Phases {
  readonly parse: (text: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[];
  readonly schema: GraphQLSchema;
}

/** Parses and validates a document. */
export function checkDocument({ parse, validate, schema }: Phases, text: string): CheckedDocument {
  let document: DocumentNode | null = null;
  try {
    document = parse(text);
    return { document, errors: validate(schema, document) };
  } catch (error) {
    if (error instanceof GraphQLError) return { document, errors: [error] };
    throw error;
  }
}

function bytesOf({ document, errors }: CheckedDocument, text: string): number {
  return bytesOfEntry(text) + TOKEN_BYTES * (document?.tokenCount ?? 0) + ERROR_BYTES * errors.length;
}
