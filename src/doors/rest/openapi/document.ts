import manifest from '../../../../package.json' with { type: 'json' };
import type { EmbedHost } from '../../../domain/embed/url.ts';
import { MAX_NAMES } from '../../../domain/json.ts';
import type { Operation, Resource } from '../resource.ts';
import { RESOURCES } from '../resources.ts';
import { exampleResponses, type OperationId } from './examples.ts';
import { DELIVERY_ID_SCHEMA, ID_SCHEMA, TOKEN_ID_SCHEMA, WEBHOOK_ID_SCHEMA } from './field-schemas.ts';
import { COMMON_HEADERS, headerRefs, REQUEST_HEADERS, RESPONSE_HEADERS, type RequestHeader } from './headers.ts';
import { queryParametersOf, REQUEST_BODIES } from './parameter-schemas.ts';
import { PROBLEM, PROBLEM_RESPONSES, problemResponsesOf } from './problem-responses.ts';
import { RESPONSE_SCHEMAS } from './response-schemas.ts';
import { schemaRef } from './schema.ts';

type Json = Readonly<Record<string, unknown>>;

const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

const INTRODUCTION = `Send the URL of a public page to create an embed, and place its \`embed_url\` in an iframe.

- **Credentials**: every operation needs a token in \`Authorization: Bearer …\`. Its scopes are one or more of \`read\`, \`write\` and \`admin\`.
- **Errors** are \`application/problem+json\` (RFC 9457). \`code\` is from a closed list, and \`errors\` lists every invalid parameter.
- **Parameters**: omitted parameters keep their value, or get their default in a create. \`null\` and unknown parameters are errors, also in the query string of operations with a body. More than ${MAX_NAMES} parameters are rejected with one fault.
- **Versions**: send the \`ETag\` in \`If-None-Match\` to get 304 if nothing has changed, or in \`If-Match\` to reject a write if another client has changed the embed.
- **Methods**: every path that answers GET also answers HEAD, and every path answers OPTIONS. Other methods get 405 with \`Allow\`.
- **Browsers** can call from the origins that the operator allows (CORS).

The same embeds and tokens can be managed with GraphQL at \`/graphql\`.`;

/**
 * Creates the OpenAPI document (3.1) from the tables that the REST door runs on.
 * @param origin the absolute URL of the service, if it is known
 */
export function createOpenApiDocument(host: EmbedHost, origin = '/'): Json {
  const examples = exampleResponses(host);
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
    servers: [{ url: origin, description: 'This service.' }],
    security: [{ accessToken: [] }],
    tags: [
      { name: 'Embeds', description: 'Hosted, iframe-ready views of public pages.' },
      { name: 'Views', description: 'How often embeds are seen, and where.' },
      { name: 'Tokens', description: 'Access tokens of the account.' },
      { name: 'Account', description: 'The settings of the account.' },
      { name: 'Webhooks', description: 'Endpoints that receive events of the account.' },
      { name: 'Audit', description: 'Changes in the account.' },
    ],
    paths: Object.fromEntries(RESOURCES.map((resource) => [resource.name, pathItem(resource, examples)])),
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An access token: `emb_` and 49 letters and digits, or the `ACCESS_TOKEN` of the operator. Tokens belong to an account. They are created here or on the command line. Their scopes are one or more of `read`, `write` and `admin`.',
        },
      },
      schemas: { ...RESPONSE_SCHEMAS, Problem: PROBLEM },
      parameters: Object.fromEntries(Object.keys(REQUEST_HEADERS).map((name) => [name, requestHeader(name)])),
      headers: RESPONSE_HEADERS,
      responses: { NotModified: NOT_MODIFIED, ...PROBLEM_RESPONSES },
    },
  };
}

const NOT_MODIFIED: Json = {
  description: 'Nothing has changed since the response that `If-None-Match` names. There is no body.',
  headers: headerRefs([...COMMON_HEADERS, 'ETag']),
};

function requestHeader(name: string): Json {
  const { example, schema, ...header } = REQUEST_HEADERS[name as RequestHeader];
  // tools would send an example outside the schema with every request
  return { name, in: 'header', ...header, schema: { ...schema, examples: [example] } };
}

/** The ids in paths, with the operation that lists them. */
const IDS = [
  ['/v1/embeds', 'embed', ID_SCHEMA, 'GET /v1/embeds'],
  ['/v1/tokens', 'token', TOKEN_ID_SCHEMA, 'GET /v1/tokens'],
  ['/v1/webhooks', 'webhook', WEBHOOK_ID_SCHEMA, 'GET /v1/webhooks'],
  ['/v1/deliveries', 'delivery', DELIVERY_ID_SCHEMA, 'GET /v1/webhooks/{id}/deliveries'],
] as const;

function pathItem({ name, operations }: Resource, examples: Readonly<Record<OperationId, unknown>>): Json {
  const [, noun, schema, list] = IDS.find(([path]) => name.startsWith(path)) ?? IDS[0];
  const description = `The id of the ${noun}. The id in the example does not exist: \`${list}\` returns yours.`;
  const id = { name: 'id', in: 'path', required: true, description, schema };
  const hasId = name.includes('{id}');
  const described = Object.entries(operations).map(([method, operation]) => [
    method.toLowerCase(),
    { tags: [tagOf(name)], ...describeOperation(operation, hasId, examples[operation.id]) },
  ]);
  return { ...(hasId && { parameters: [id] }), ...Object.fromEntries(described) };
}

function tagOf(name: string): string {
  if (name === '/v1/audit') return 'Audit';
  if (name.endsWith('/views')) return 'Views';
  if (name === '/v1/account') return 'Account';
  if (/webhooks|deliveries/.test(name)) return 'Webhooks';
  return name.startsWith('/v1/tokens') ? 'Tokens' : 'Embeds';
}

function describeOperation(operation: Operation, hasId: boolean, example: unknown): Json {
  const { id, summary, description, parameters, requestHeaders, scope, success } = operation;
  const query = queryParametersOf(operation).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(parameters.byPath.get(name)?.isRequired && { required: true }),
    description,
    schema,
  }));
  const headers = (['X-Request-Id', ...requestHeaders] as const).map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  return {
    operationId: id,
    summary,
    description: `${description} Needs the scope \`${scope}\`.`,
    parameters: [...query, ...headers],
    ...(id in REQUEST_BODIES && { requestBody: requestBody(operation) }),
    responses: {
      ...Object.fromEntries(
        [success, ...(success.otherStatus ? [success.otherStatus] : [])].map(({ status, description }) => [
          status,
          {
            description,
            headers: headerRefs([...COMMON_HEADERS, ...success.headers]),
            content: {
              'application/json': { schema: schemaRef(success.body), example },
              ...Object.fromEntries(success.texts?.map((type) => [type, { schema: { type: 'string' } }]) ?? []),
            },
          },
        ]),
      ),
      ...(requestHeaders.includes('If-None-Match') && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...problemResponsesOf(operation, hasId),
    },
  };
}

/** In a form, an object is JSON, the default of OpenAPI 3.1, and a list is one field with commas. A form cannot express null. */
function requestBody({ id, parameters: { all } }: Operation): Json {
  const json = REQUEST_BODIES[id];
  const lists = all.flatMap(({ path, isList }) => (isList ? [[path, { style: 'form', explode: false }]] : []));
  const form = lists.length > 0 ? { ...json, encoding: Object.fromEntries(lists) } : json;
  const content = BODY_TYPES.map((type) => [type, type === 'application/json' ? json : form]);
  return { required: all.some(({ isRequired }) => isRequired), content: Object.fromEntries(content) };
}
