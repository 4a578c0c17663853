import { EXAMPLE_ORIGIN } from '../origin.ts';
import type { RestOperation } from './openapi.ts';

type Body = Readonly<Record<string, unknown>>;

interface SampleRequest {
  readonly method: string;
  readonly url: string;
  /** Sent as JSON; undefined for no body. */
  readonly body: Body | undefined;
}

export interface Sample {
  readonly id: string;
  readonly label: string;
  /** The language of the highlighter. */
  readonly language: string;
  readonly code: string;
}

/** Writes the example request of an operation in each language. The programs need only the standard library. */
export function samplesOf(operation: RestOperation): readonly Sample[] {
  const request = requestOf(operation);
  return [
    { id: 'curl', label: 'curl', language: 'bash', code: writeCurl(request) },
    { id: 'javascript', label: 'JavaScript', language: 'javascript', code: writeJavaScript(request) },
    { id: 'python', label: 'Python', language: 'python', code: writePython(request) },
    { id: 'php', label: 'PHP', language: 'php', code: writePhp(request) },
    { id: 'go', label: 'Go', language: 'go', code: writeGo(request) },
  ];
}

/** Sends the required parameters, those with a default in the query string, and the example of the body. */
function requestOf({ method, path, parameters, operation }: RestOperation): SampleRequest {
  let url = EXAMPLE_ORIGIN + path;
  const query = new URLSearchParams();
  for (const { name, in: place, required, schema } of parameters) {
    const [example] = schema.examples ?? [];
    if (place === 'path') url = url.replace(`{${name}}`, String(example));
    if (place !== 'query') continue;
    if (required) query.set(name, String(example));
    else if (typeof schema.default === 'number') query.set(name, String(schema.default));
  }
  if (query.size > 0) url += `?${query}`;
  const body = operation.requestBody?.content['application/json']?.example;
  return { method, url, body: body as SampleRequest['body'] };
}

function writeCurl({ method, url, body }: SampleRequest): string {
  const isDefault = method === (body ? 'POST' : 'GET');
  const quotedUrl = url.includes('?') ? `"${url}"` : url;
  return [
    `curl ${isDefault ? '' : `-X ${method} `}${quotedUrl}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(body ? ['-H "Content-Type: application/json"', `-d '${writeJson(body, '  ').replaceAll("'", "'\\''")}'`] : []),
  ].join(' \\\n  ');
}

function writeJavaScript({ method, url, body }: SampleRequest): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: "${method}",`]),
    '  headers: {',
    `    Authorization: \`Bearer \${process.env.TOKEN}\`,`,
    ...(body ? ['    "Content-Type": "application/json",'] : []),
    '  },',
    ...(body
      ? ['  body: JSON.stringify({', ...entriesOf(body, (name, value) => `    ${name}: ${quoteJson(value)},`), '  }),']
      : []),
  ];
  return [
    `const response = await fetch("${url}", {`,
    ...options,
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}

function writePython({ method, url, body }: SampleRequest): string {
  return [
    'import json',
    'import os',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    "${url}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    '    headers={',
    '        "Authorization": f"Bearer {os.environ[\'TOKEN\']}",',
    ...(body ? ['        "Content-Type": "application/json",'] : []),
    '    },',
    ...(body
      ? [
          '    data=json.dumps({',
          ...entriesOf(body, (name, value) => `        "${name}": ${quotePython(value)},`),
          '    }).encode(),',
        ]
      : []),
    ')',
    'with urlopen(request) as response:',
    '    print(response.status, json.load(response))',
  ].join('\n');
}

function quotePython(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return quoteJson(value);
}

function writePhp({ method, url, body }: SampleRequest): string {
  const options = [
    ...(method === 'GET' ? [] : [`    'method' => '${method}',`]),
    "    'header' => [",
    "        'Authorization: Bearer ' . getenv('TOKEN'),",
    ...(body ? ["        'Content-Type: application/json',"] : []),
    '    ],',
    ...(body
      ? [
          "    'content' => json_encode([",
          ...entriesOf(body, (name, value) => `        '${name}' => ${quotePhp(value)},`),
          '    ]),',
        ]
      : []),
    "    'ignore_errors' => true,",
  ];
  return [
    '<?php',
    "$context = stream_context_create(['http' => [",
    ...options,
    ']]);',
    `$response = file_get_contents('${url}', false, $context);`,
    'print_r(json_decode($response, true));',
  ].join('\n');
}

function quotePhp(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(quotePhp).join(', ')}]`;
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}

function writeGo({ method, url, body }: SampleRequest): string {
  const packages = ['fmt', 'io', 'log', 'net/http', 'os', ...(body ? ['strings'] : [])];
  const bodyLines = body ? [`\tbody := strings.NewReader(\`${writeJson(body, '\t')}\`)`] : [];
  return [
    'package main',
    '',
    'import (',
    ...packages.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...bodyLines,
    `\trequest, err := http.NewRequest("${method}", "${url}", ${body ? 'body' : 'nil'})`,
    ...FAIL_IN_GO,
    '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))',
    ...(body ? ['\trequest.Header.Set("Content-Type", "application/json")'] : []),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...FAIL_IN_GO,
    '\tdefer response.Body.Close()',
    '\ttext, err := io.ReadAll(response.Body)',
    ...FAIL_IN_GO,
    '\tfmt.Println(response.Status, string(text))',
    '}',
  ].join('\n');
}

const FAIL_IN_GO = ['\tif err != nil {', '\t\tlog.Fatal(err)', '\t}'];

function entriesOf(body: Body, write: (name: string, value: unknown) => string): string[] {
  return Object.entries(body).map(([name, value]) => write(name, value));
}

/** Writes one entry a line. */
function writeJson(body: Body, indent: string): string {
  const entries = entriesOf(body, (name, value) => `${indent}  "${name}": ${quoteJson(value)}`);
  return `{\n${entries.join(',\n')}\n${indent}}`;
}

function quoteJson(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(quoteJson).join(', ')}]` : JSON.stringify(value);
}
