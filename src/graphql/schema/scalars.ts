import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { builder } from './builder.ts';

builder.scalarType('DateTime', {
  description:
    'An instant as RFC 3339 writes it: in UTC, to the millisecond, when answered (`2026-01-31T12:00:00.000Z`), in any offset when sent.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (date) => date.toISOString(),
  // judged, with everything else that a caller sent, by the rules
  parseValue: requireString,
  parseLiteral: requireStringLiteral,
});

builder.scalarType('URL', {
  description: 'An absolute URL (RFC 3986), as a string.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3986',
  serialize: String,
  parseValue: requireString,
  parseLiteral: requireStringLiteral,
});

builder.scalarType('UUID', {
  description:
    'A UUID (RFC 9562): lower case with hyphens when answered, in any case and without hyphens too when sent.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  serialize: String,
  parseValue: requireString,
  parseLiteral: requireStringLiteral,
});

function requireString(value: unknown): string {
  if (typeof value !== 'string') throw new GraphQLError('must be a string');
  return value;
}

/** As {@link requireString}, for a value in a document: the error says where it stands. */
function requireStringLiteral(node: ValueNode): string {
  if (node.kind !== Kind.STRING) throw new GraphQLError('must be a string', { nodes: node });
  return node.value;
}
