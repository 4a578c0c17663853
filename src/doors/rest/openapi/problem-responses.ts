import { MAX_MESSAGE_LENGTH, MAX_PATH_LENGTH, MAX_SHOWN_FAULTS } from '../../../errors.ts';
import { PROBLEMS, type ProblemCode } from '../../../http/problem.ts';
import { REQUEST_ID } from '../../../http/request-id.ts';
import type { Operation } from '../resource.ts';
import { OPERATIONS } from '../resources.ts';
import { COMMON_HEADERS, EXAMPLE_REQUEST_ID, headerRefs } from './headers.ts';
import { PROBLEM_DESCRIPTIONS } from './problems.ts';
import { requiredObject, type Schema, schemaRef } from './schema.ts';

const CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** Maximum lengths include the ellipsis of a shortened text. */
export const PROBLEM: Schema = {
  ...requiredObject({
    type: { const: 'about:blank' },
    title: { type: 'string', description: 'The name of the status.' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'What is wrong, as a sentence.' },
    code: {
      type: 'string',
      enum: CODES,
      description: CODES.map(
        (code) => `- \`${code}\` (${PROBLEMS[code].status}): ${PROBLEM_DESCRIPTIONS[code].when}`,
      ).join('\n'),
    },
    request_id: { type: 'string', pattern: REQUEST_ID.source, description: 'The same as in `X-Request-Id`.' },
    errors: {
      type: 'array',
      maxItems: MAX_SHOWN_FAULTS,
      description: 'All invalid parameters. Empty if the problem is not about parameters.',
      items: requiredObject({
        path: { type: 'string', maxLength: MAX_PATH_LENGTH + 1, description: 'The name of the parameter.' },
        message: {
          type: 'string',
          maxLength: MAX_MESSAGE_LENGTH + 1,
          description: 'The rule that the value violates.',
        },
      }),
    },
  }),
  description: 'An error (RFC 9457).',
};

function exampleProblem(code: ProblemCode): unknown {
  const { status, title } = PROBLEMS[code];
  const { detail = title, errors = [] } = PROBLEM_DESCRIPTIONS[code];
  return { type: 'about:blank', title, status, detail, code, request_id: EXAMPLE_REQUEST_ID, errors };
}

const DOCUMENTED = CODES.filter((code) => OPERATIONS.some(({ operation, hasId }) => appliesTo(code, operation, hasId)));

/** A response for each status, named after it, with an example for each code. */
export const PROBLEM_RESPONSES: Readonly<Record<string, unknown>> = Object.fromEntries(
  [...Map.groupBy(DOCUMENTED, responseNameOf)].map(([name, codes]) => [name, problemResponse(codes)]),
);

function problemResponse(codes: readonly ProblemCode[]): Schema {
  const isWithoutQuota = codes.every((code) => PROBLEM_DESCRIPTIONS[code].isWithoutQuota);
  const common = isWithoutQuota ? COMMON_HEADERS.filter((name) => !name.startsWith('RateLimit')) : COMMON_HEADERS;
  return {
    description: codes.map((code) => PROBLEM_DESCRIPTIONS[code].when).join(' Or: '),
    headers: headerRefs([...common, ...codes.flatMap((code) => PROBLEM_DESCRIPTIONS[code].headers ?? [])]),
    content: {
      'application/problem+json': {
        schema: schemaRef('Problem'),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleProblem(code) }])),
      },
    },
  };
}

/** Returns references to the problem responses of an operation, by status. */
export function problemResponsesOf(operation: Operation, hasId: boolean): Record<string, unknown> {
  const codes = CODES.filter((code) => appliesTo(code, operation, hasId));
  return Object.fromEntries(
    codes.map((code) => [PROBLEMS[code].status, { $ref: `#/components/responses/${responseNameOf(code)}` }]),
  );
}

function appliesTo(code: ProblemCode, operation: Operation, hasId: boolean): boolean {
  return PROBLEM_DESCRIPTIONS[code].appliesTo?.(operation, hasId) ?? true;
}

function responseNameOf(code: ProblemCode): string {
  return PROBLEMS[code].title.replaceAll(' ', '');
}
