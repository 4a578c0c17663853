export * from './generated/documents.ts';
export type { GraphQLDocument } from './graphql-document.ts';
