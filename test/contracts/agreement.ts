import { expect } from 'vitest';

/** The GraphQL code that stands for each code of REST. */
const CODES: Record<string, string> = {
  invalid: 'BAD_USER_INPUT',
  not_found: 'NOT_FOUND',
  insufficient_scope: 'FORBIDDEN',
  conflict: 'CONFLICT',
};

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

/** A body of REST in the names of GraphQL. */
export const camelCased = (body: object) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [toCamelCase(name), value]));

/** A body of REST as a literal of GraphQL: a text that could be a name is written as one where an enum stands. */
export function literalOf(body: object): string {
  const fields = Object.entries(body).map(([name, value]) => {
    const isName =
      ENUMS.includes(name) && typeof value === 'string' && /^(?!(?:true|false|null)$)[a-z_]+$/i.test(value);
    return `${toCamelCase(name)}: ${isName ? value : JSON.stringify(value)}`;
  });
  return `{ ${fields.join(', ')} }`;
}

/** Both doors refused, with the same code, the same sentence, and the same faults in the same order. */
export function expectParity(what: unknown, problem: Problem, error: GraphQLFault | undefined): void {
  const inWordsOfGraphQL = problem.errors.map(({ path, message }) => ({ path: toCamelCase(path), message }));
  // the doors spell only the values of enums differently
  const spelled = (faults: readonly Fault[]) =>
    faults.map(({ path, message }) => ({ path, message: ENUMS.includes(path) ? message.toLowerCase() : message }));
  expect({ what, code: CODES[problem.code], message: problem.detail, errors: spelled(inWordsOfGraphQL) }).toEqual({
    what,
    code: error?.extensions.code,
    message: error?.message,
    errors: spelled(error?.extensions.errors ?? []),
  });
}
