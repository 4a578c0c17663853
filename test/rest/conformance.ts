import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { Client } from '../open-app.ts';

export interface Document {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
type PathItem = Readonly<Record<string, Operation>>;

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Reference[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Reference>>;
}

interface Reference {
  readonly $ref?: string;
}
type Content = Readonly<Record<string, { readonly schema: AnySchema; readonly example?: unknown }>>;

interface DocumentedResponse {
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: AnySchema;
}

/** Headers for browsers and connections, which the document does not list. */
const UNDOCUMENTED =
  /^(access-control-\w+(-\w+)*|content-(security-policy|type|length)|referrer-policy|x-content-type-options|vary|connection)$/;

/** Fetches the document, and returns functions that check responses and parameters against it. */
export async function readDocument(client: Client) {
  const document = (await (await client.fetch('/openapi.json')).json()) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('iri', (text) => URL.canParse(text));
  ajv.addSchema(withoutUnknownProperties(document), 'openapi');

  /** Resolves a JSON pointer and the reference at its target. */
  function part<T>(pointer: string): T {
    const keys = pointer.split('/').slice(1);
    const found = keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[unescapePointer(key)], document);
    const { $ref } = found as Reference;
    return $ref === undefined ? (found as T) : part($ref.slice(1));
  }

  function validatorAt(pointer: string): ValidateFunction {
    return ajv.getSchema(`openapi#${pointer}`) ?? ajv.compile({ $ref: `openapi#${pointer}` });
  }

  function operationAt(method: string, path: string): string | null {
    const template = path.replace(/^(\/v1\/(?:embeds|tokens|webhooks|deliveries))\/[^/]+/, '$1/{id}');
    const key = method === 'HEAD' ? 'get' : method.toLowerCase();
    return document.paths[template]?.[key] ? `/paths/${escapePointer(template)}/${key}` : null;
  }

  return {
    document,
    part,
    validatorAt,

    parametersOf(method: string, path: string): Parameter[] {
      const pointer = operationAt(method, path) ?? '';
      return part<Operation>(pointer).parameters.map((_, i) => part<Parameter>(`${pointer}/parameters/${i}`));
    },

    /** Ignores methods that the document does not describe. */
    expectConforming(method: string, path: string, { status, headers }: Response, text: string): void {
      const pointer = operationAt(method, path.split('?')[0] ?? '');
      if (pointer === null) return;
      const exchange = `${method} ${path} → ${status} ${text}`;
      expect(Object.keys(part<Operation>(pointer).responses), exchange).toContain(String(status));
      const at = `${pointer}/responses/${status}`;
      const { $ref } = part<Operation>(pointer).responses[status] ?? {};
      const responseAt = $ref?.slice(1) ?? at;
      const response = part<DocumentedResponse>(responseAt);
      const names = Object.keys(response.headers);
      for (const name of names) {
        const header = part<{ schema: { type: string }; required?: boolean }>(
          `${responseAt}/headers/${escapePointer(name)}`,
        );
        const value = headers.get(name);
        if (header.required) expect(value, `${name} of ${exchange}`).not.toBeNull();
        if (value === null) continue;
        const validate = ajv.compile(header.schema);
        expect(
          validate(header.schema.type === 'integer' ? Number(value) : value),
          `${name}: ${value} of ${exchange}`,
        ).toBe(true);
      }
      const listed = names.map((name) => name.toLowerCase());
      expect([...headers.keys()].filter((name) => !listed.includes(name) && !UNDOCUMENTED.test(name))).toEqual([]);
      if (!response.content) expect(text).toBe('');
      if (!response.content || method === 'HEAD') return;
      const type = headers.get('content-type')?.split(';')[0] ?? '';
      expect(Object.keys(response.content), exchange).toContain(type);
      const validate = validatorAt(`${responseAt}/content/${escapePointer(type)}/schema`);
      validate(JSON.parse(text));
      expect(validate.errors ?? [], exchange).toEqual([]);
    },
  };
}

const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescapePointer = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~');

/** Forbids undocumented properties. Clients must tolerate them, but the service must not send them. */
function withoutUnknownProperties(document: Document): AnySchema {
  return JSON.parse(JSON.stringify(document), (_key, value) => {
    const isObject = value?.type === 'object' && value.properties !== undefined;
    return isObject ? { ...value, additionalProperties: false } : value;
  });
}
