import { type DocumentNode, GraphQLError, NoSchemaIntrospectionCustomRule, validate } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { schema } from '../schema/schema.ts';
import { documentLimits } from './limits.ts';

export interface CheckedDocument {
  /** Null if the text cannot be parsed. */
  readonly document: DocumentNode | null;
  /** Violations of the grammar, the schema or the limits. */
  readonly errors: readonly GraphQLError[];
}

/** Creates a function that parses and validates a document with Yoga and its plugins. */
export function createYogaCheck({ introspection }: { readonly introspection: boolean }) {
  const yoga = createYoga({
    schema,
    logging: false,
    maskedErrors: false,
    parserAndValidationCache: false,
    plugins: [...documentLimits(), ...(introspection ? [] : [useHiddenSchema()])],
  });

  return function check(text: string): CheckedDocument {
    const enveloped = yoga.getEnveloped({} as never);
    let document: DocumentNode | null = null;
    try {
      document = enveloped.parse(text) as DocumentNode;
      return { document, errors: enveloped.validate(schema, document) as readonly GraphQLError[] };
    } catch (error) {
      if (error instanceof GraphQLError) return { document, errors: [error] };
      throw error;
    }
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
