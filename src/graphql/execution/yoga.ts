import { NoSchemaIntrospectionCustomRule, validate } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { schema } from '../schema/schema.ts';
import { createDocumentCache } from './documents.ts';
import { createExecute } from './jit.ts';
import { DOCUMENT_LIMITS } from './limits.ts';
import { subscribe } from './subscribe.ts';

export interface PhaseOptions {
  readonly introspection: boolean;
  /** Plugins of Yoga or Envelop, which run after those of the service. */
  readonly plugins?: readonly Plugin[];
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
export function createPhases({ introspection, plugins = [] }: PhaseOptions, maxCachedBytes?: number) {
  const checks = introspection ? DOCUMENT_LIMITS : [...DOCUMENT_LIMITS, HIDDEN_SCHEMA];
  const documents = createDocumentCache(checks, maxCachedBytes);
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
    plugins: [documents.plugin, ownExecution, ...plugins],
  });
  return {
    /** Returns the phases of one request. Plugins may add properties to its context. */
    begin: (context: object) => getEnveloped(context as never),
    /** True if the document was checked before, so that its check takes no time. */
    isChecked: documents.has,
  };
}

/** Rejects introspection, and leaves "Did you mean" out of errors, since it reveals names of the schema. */
const HIDDEN_SCHEMA: Plugin = {
  onValidate({ addValidationRule, setValidationFn }) {
    addValidationRule(NoSchemaIntrospectionCustomRule);
    setValidationFn((schema, document, rules) => validate(schema, document, rules, { hideSuggestions: true }));
  },
};
