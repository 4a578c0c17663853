import manifest from '../../../../package.json' with { type: 'json' };
import type { EmbedHost } from '../../../domain/embed/url.ts';
import { MAX_PARAMETERS } from '../parameters.ts';
import { type Operation, RESOURCES, type Resource } from '../resources.ts';
import { ANSWERS } from './answer-schemas.ts';
import { EXAMPLE_DRAFT, EXAMPLE_PATCH, exampleAnswers, type OperationId } from './examples.ts';
import { COMMON_HEADERS, headerRefs, REQUEST_HEADERS, RESPONSE_HEADERS, type RequestHeader } from './headers.ts';
import { bodySchema, FILTERS, ID_SCHEMA, PARAMETERS } from './parameter-schemas.ts';
import { PROBLEM, PROBLEM_RESPONSES, problemResponsesOf } from './problem-answers.ts';
import { named } from './schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** The types of bodies that are read, for the same parameters. */
const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

const INTRODUCTION = `Give the URL of a public page, get an embed, whose \`embed_url\` you place in an iframe.

- **Credentials**: every operation needs a token in \`Authorization: Bearer …\`; a token allows \`read\`, \`write\` or both.
- **Refusals** are \`application/problem+json\` (RFC 9457). \`code\` is from a closed list, and \`errors\` names every parameter that is not valid, all at once.
- **Parameters**: what is omitted keeps its value or gets its default; \`null\` is an error. Unknown parameters are errors too, in the query string of every operation. More than ${MAX_PARAMETERS} are refused with one fault.
- **Versions**: \`ETag\` with \`If-None-Match\` saves transfers, with \`If-Match\` it protects what others have written.
- **HEAD** answers wherever GET does, OPTIONS everywhere. Other methods get 405 with \`Allow\`.
- **Browsers** may call from the origins that the operator allows (CORS).

The same embeds can be managed through GraphQL at \`/graphql\`.`;

/** The document of the REST door (OpenAPI 3.1), made of what the door itself is made of. */
export function openApiDocument(host: EmbedHost): Json {
  const examples = exampleAnswers(host);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Embed Gateway',
      version: manifest.version,
      summary: 'Put any public page into your site as an iframe, and manage those embeds from code.',
      description: INTRODUCTION,
      contact: { name: 'The operator of this service' },
      license: { name: 'None stated', identifier: 'NOASSERTION' },
    },
    servers: [{ url: '/', description: 'This service.' }],
    security: [{ accessToken: [] }],
    tags: [{ name: 'Embeds', description: 'Hosted, iframe-ready views of public pages.' }],
    paths: Object.fromEntries(RESOURCES.map((resource) => [resource.name, pathItem(resource, examples)])),
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An access token: `emb_` and 49 letters and digits, or the `ACCESS_TOKEN` of the operator. It is made on the command line and belongs to an account. The scopes `read` and `write` say what it allows.',
        },
      },
      schemas: { ...ANSWERS, Problem: PROBLEM },
      parameters: Object.fromEntries(Object.keys(REQUEST_HEADERS).map((name) => [name, requestHeader(name)])),
      headers: RESPONSE_HEADERS,
      responses: { NotModified: NOT_MODIFIED, ...PROBLEM_RESPONSES },
    },
  };
}

const NOT_MODIFIED: Json = {
  description: 'The embed is what `If-None-Match` names. There is no body.',
  headers: headerRefs([...COMMON_HEADERS, 'ETag']),
};

function requestHeader(name: string): Json {
  const { example, schema, ...header } = REQUEST_HEADERS[name as RequestHeader];
  // among the examples of the schema: tools that let people try it out would send one that stands beside it
  return { name, in: 'header', ...header, schema: { ...schema, examples: [example] } };
}

function pathItem({ name, operations }: Resource, examples: Readonly<Record<OperationId, unknown>>): Json {
  const id = { name: 'id', in: 'path', required: true, description: 'The id of the embed.', schema: ID_SCHEMA };
  const hasId = name.includes('{id}');
  const described = Object.entries(operations).map(([method, operation]) => [
    method.toLowerCase(),
    describe(operation, hasId, examples[operation.id]),
  ]);
  return { ...(hasId && { parameters: [id] }), ...Object.fromEntries(described) };
}

function describe(operation: Operation, hasId: boolean, example: unknown): Json {
  const { id, summary, description, parameters, parametersIn, requestHeaders, scope, success } = operation;
  const query =
    parametersIn === 'query'
      ? parameters.map((name) => ({ name, in: 'query', ...splitDescription(FILTERS[name] ?? PARAMETERS[name]) }))
      : [];
  const headers = (['X-Request-Id', ...requestHeaders] as const).map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  return {
    operationId: id,
    summary,
    description: `${description} Needs the scope \`${scope}\`.`,
    tags: ['Embeds'],
    parameters: [...query, ...headers],
    ...(parametersIn === 'body' && { requestBody: requestBody(operation) }),
    responses: {
      [success.status]: {
        description: success.description,
        headers: headerRefs([...COMMON_HEADERS, ...success.headers]),
        content: { 'application/json': { schema: named(success.body), example } },
      },
      ...(requestHeaders.includes('If-None-Match') && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...problemResponsesOf(operation, hasId),
    },
  };
}

/** A parameter says itself what it is; its schema only what it may be. */
function splitDescription({ description, ...schema }: Json): Json {
  return { description, schema };
}

function requestBody(operation: Operation): Json {
  const isNew = operation.requiredParameters.length > 0;
  const media = { schema: bodySchema(operation), example: isNew ? EXAMPLE_DRAFT : EXAMPLE_PATCH };
  return { required: isNew, content: Object.fromEntries(BODY_TYPES.map((type) => [type, media])) };
}
