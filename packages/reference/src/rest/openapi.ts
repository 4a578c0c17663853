import { createOpenApiDocument } from '../../../../src/doors/rest/openapi/document.ts';

/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface OpenApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
  };
}

type PathItem = { readonly parameters?: readonly Parameter[] } & Readonly<Record<string, ApiOperation>>;

export interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, ApiResponse | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface Reference {
  readonly $ref: string;
}

interface Header {
  readonly description: string;
}

export interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** An operation with everything that its page shows, without references. */
export interface RestOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
  readonly parameters: readonly Parameter[];
  readonly responses: readonly (readonly [status: string, response: ApiResponse])[];
}

/**
 * Reads the document that the service serves at `/openapi.json`, with the default host of embeds. References to schemas of
 * texts are replaced by the schemas.
 */
export function readDocument(): OpenApiDocument {
  const document = createOpenApiDocument({ embedHost: 'embeds.localhost:4000', embedScheme: null });
  const { schemas } = (document as unknown as OpenApiDocument).components;
  return JSON.parse(JSON.stringify(document), (_, value) => {
    const { $ref, ...others } = (value ?? {}) as JsonSchema;
    const schema = $ref === undefined ? undefined : schemas[nameOf($ref)];
    return schema && schema.type !== 'object' ? { ...schema, ...others } : value;
  });
}

/** Lists the operations in the order of the document, with resolved references. */
export function operationsOf({ paths, components }: OpenApiDocument): readonly RestOperation[] {
  const resolve = <T extends object>(part: T | Reference, parts: Readonly<Record<string, T>>): T =>
    '$ref' in part ? (parts[nameOf(part.$ref as string)] as T) : part;
  return Object.entries(paths).flatMap(([path, { parameters: shared = [], ...operations }]) =>
    Object.entries(operations as Readonly<Record<string, ApiOperation>>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      parameters: [...shared, ...operation.parameters.map((part) => resolve(part, components.parameters))],
      responses: Object.entries(operation.responses).map(
        ([status, response]) => [status, resolve(response, components.responses)] as const,
      ),
    })),
  );
}

export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
