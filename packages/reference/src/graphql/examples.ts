import { readFileSync } from 'node:fs';
import { Kind, parse, print } from 'graphql';

export interface GraphqlExample {
  readonly query: string;
  readonly response: string;
  /** The language of the response: `json`, or `text` for a stream of events. */
  readonly language: string;
}

const BLOCKS = /^```(\w+)\n([\s\S]*?)^```$/gm;
const STREAM = /^curl -N .*-d '(.*)'$/ms;

/**
 * Reads the examples from the pages of the documentation, by root field. They are the blocks that a test executes: an
 * operation, or the command of a stream, and its response. The first example of a field counts.
 */
export function readExamples(files: readonly string[]): ReadonlyMap<string, GraphqlExample> {
  const examples = new Map<string, GraphqlExample>();
  for (const file of files) {
    const blocks = [...readFileSync(file, 'utf8').matchAll(BLOCKS)];
    for (const [i, [, language, text = '']] of blocks.entries()) {
      const [, responseLanguage = '', response = ''] = blocks[i + 1] ?? [];
      const query = language === 'graphql' ? text : streamQueryOf(text);
      if (query === null || response.includes('"errors"')) continue;
      const [name, ...others] = rootFieldsOf(query);
      const isFirst = name !== undefined && others.length === 0 && !examples.has(name);
      if (isFirst) examples.set(name, { query, response, language: responseLanguage });
    }
  }
  return examples;
}

function streamQueryOf(command: string): string | null {
  const body = STREAM.exec(command)?.[1];
  return body === undefined ? null : print(parse((JSON.parse(body) as { query: string }).query));
}

function rootFieldsOf(query: string): readonly string[] {
  return parse(query).definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    return definition.selectionSet.selections.map((one) => (one.kind === Kind.FIELD ? one.name.value : ''));
  });
}
