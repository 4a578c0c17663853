import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { builder } from './builder.ts';

/** Coerces input to a string. The rule of the field validates it, so that all faults are reported together. */
const TEXT = { parseValue: requireString, parseLiteral: requireStringLiteral };

builder.scalarType('DateTime', {
  description:
    'A time as in RFC 3339. Responses use UTC with milliseconds (`2026-01-31T12:00:00.000Z`); requests can use any offset.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (time) => (time instanceof Date ? time : new Date(time)).toISOString(),
  ...TEXT,
});

builder.scalarType('Date', {
  description: 'A day in UTC (RFC 3339, full-date): `2026-01-31`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  serialize: String,
  ...TEXT,
});

builder.scalarType('URL', {
  description: 'An absolute URL (RFC 3986), as a string.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3986',
  serialize: String,
  ...TEXT,
});

builder.scalarType('UUID', {
  description:
    'A UUID (RFC 9562). Responses use lower case with hyphens; requests can use any case, and omit the hyphens.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  serialize: String,
  ...TEXT,
});

builder.scalarType('LookWidth', {
  description: 'A width: a whole number of px, or `FULL`.',
  serialize: (width) => width,
  parseValue: requireWidth,
  parseLiteral: (node) => {
    if (node.kind === Kind.INT) return Number(node.value);
    if (node.kind === Kind.ENUM || node.kind === Kind.STRING) return node.value;
    throw new GraphQLError('must be a whole number or FULL', { nodes: node });
  },
});

function requireWidth(value: unknown): number | string {
  if (typeof value === 'number' || typeof value === 'string') return value;
  throw new GraphQLError('must be a whole number or FULL');
}

function requireString(value: unknown): string {
  if (typeof value !== 'string') throw new GraphQLError('must be a string');
  return value;
}

/** Adds the location in the document to the error of {@link requireString}. */
function requireStringLiteral(node: ValueNode): string {
  if (node.kind !== Kind.STRING) throw new GraphQLError('must be a string', { nodes: node });
  return node.value;
}
