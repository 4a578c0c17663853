/**
 * The text of a GraphQL document, with the types of its result and variables. Every string is one, and so are the
 * documents that graphql-codegen writes with `documentMode: 'string'`.
 */
export interface GraphQLDocument<Result = unknown, Variables = Readonly<Record<string, unknown>>> {
  toString(): string;
  /** Only a type: it has no value. */
  readonly __apiType?: (variables: Variables) => Result;
}
