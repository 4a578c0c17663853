import { expect } from 'vitest';
import { REST_FIELDS } from '../../src/domain/embed/fields.ts';

/** GraphQL codes by REST code. */
const CODES: Record<string, string> = {
  invalid: 'BAD_USER_INPUT',
  not_found: 'NOT_FOUND',
  insufficient_scope: 'FORBIDDEN',
  conflict: 'CONFLICT',
};

/** Parameters whose values are spelled in lower case in REST, and in upper case in GraphQL. */
const ENUMS = ['mode', 'scopes'];

interface Fault {
  readonly path: string;
  readonly message: string;
}

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly Fault[];
}

interface GraphQLFault {
  readonly message: string;
  readonly extensions: { readonly code: string; readonly errors?: readonly Fault[] };
}

export const toCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Renames the fields of a REST body to their GraphQL names. */
export const toCamelCaseKeys = (body: object) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [toCamelCase(name), value]));

/** The fields of an embed in a GraphQL document, under their REST names. */
export const REST_SELECTION = REST_FIELDS.map(({ restName, name }) => `${restName}: ${name}`).join(' ');

/** Converts an embed that {@link REST_SELECTION} has selected to the embed that REST returns. */
export function toRestEmbed(embed: Readonly<Record<string, string>>) {
  const enums: readonly string[] = REST_FIELDS.filter(({ type }) => type === 'enum').map(({ restName }) => restName);
  return Object.fromEntries(
    Object.entries(embed).map(([name, value]) => [name, enums.includes(name) ? value.toLowerCase() : value]),
  );
}

/** Writes a REST body as a GraphQL literal. A `mode` that could be an enum value is written without quotes. */
export function toGraphQLLiteral(body: object): string {
  const fields = Object.entries(body).map(([name, value]) => {
    const isName = name === 'mode' && typeof value === 'string' && /^(?!(?:true|false|null)$)[a-z_]+$/i.test(value);
    return `${toCamelCase(name)}: ${isName ? value : JSON.stringify(value)}`;
  });
  return `{ ${fields.join(', ')} }`;
}

/** Expects the same code, the same message, and the same faults in the same order from both APIs. */
export function expectParity(input: unknown, problem: Problem, error: GraphQLFault | undefined): void {
  const withCamelCase = (text: string) => text.replace(/`(\w+)`/g, (name) => toCamelCase(name));
  const renamed = problem.errors.map(({ path, message }) => {
    return { path: toCamelCase(path), message: withCamelCase(message) };
  });
  const withLowerCaseEnums = (faults: readonly Fault[]) =>
    faults.map(({ path, message }) => ({ path, message: ENUMS.includes(path) ? message.toLowerCase() : message }));
  const withLowerCaseEnum = (text: string) => (/^`(mode|scopes)`/.test(text) ? text.toLowerCase() : text);
  expect({
    input,
    code: CODES[problem.code],
    message: withLowerCaseEnum(withCamelCase(problem.detail)),
    errors: withLowerCaseEnums(renamed),
  }).toEqual({
    input,
    code: error?.extensions.code,
    message: withLowerCaseEnum(error?.message ?? ''),
    errors: withLowerCaseEnums(error?.extensions.errors ?? []),
  });
}
