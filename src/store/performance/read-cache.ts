import { LRUCache } from 'lru-cache';

interface Bounds {
  /** How many subjects may be told apart. */
  readonly maxSubjects: number;
  /** The sizes of all answers together. */
  readonly maxSize: number;
}

interface Known {
  readonly answer: unknown;
  /** Of the subject, and of the file, before the answer was read. */
  readonly generation: symbol;
  readonly fileVersion: number;
  readonly size: number;
}

/** Answers about subjects that are asked for again and again. */
export interface ReadCache {
  /**
   * The answer as it is remembered, or as it is read.
   * @param question tells answers about the same subject apart
   * @param sizeOf what an answer counts; nothing is remembered of one that counts 0
   */
  get<T>(subject: string, question: string, read: () => Promise<T>, sizeOf: (answer: T) => number): Promise<T>;
  /** Makes a write that may change what is true of a subject. */
  invalidateAround<T>(subject: string, write: () => Promise<T>): Promise<T>;
}

/**
 * Nothing is stale: each write of this process to a subject begins another generation of its answers, when it begins and
 * when it ends, and only answers of the present one count; nothing counts that was read before another connection changed
 * the file.
 * @param fileVersion another number after each change that another connection made (`PRAGMA data_version`)
 */
export function createReadCache(fileVersion: () => number, { maxSubjects, maxSize }: Bounds): ReadCache {
  const answers = new LRUCache<string, Known>({ maxSize, sizeCalculation: ({ size }) => size });
  const generations = new LRUCache<string, symbol>({ max: maxSubjects });

  function generationOf(subject: string): symbol {
    const known = generations.get(subject);
    if (known) return known;
    const generation = Symbol(subject);
    generations.set(subject, generation);
    return generation;
  }

  return {
    async get<T>(subject: string, question: string, read: () => Promise<T>, sizeOf: (answer: T) => number): Promise<T> {
      const [version, generation, key] = [fileVersion(), generationOf(subject), `${subject} ${question}`];
      const hit = answers.get(key);
      if (hit?.generation === generation && hit.fileVersion === version) return hit.answer as T;
      const answer = await read();
      const size = sizeOf(answer);
      if (size > 0 && generations.get(subject) === generation) {
        answers.set(key, { answer, generation, fileVersion: version, size });
      }
      return answer;
    },
    async invalidateAround(subject, write) {
      generations.delete(subject);
      try {
        return await write();
      } finally {
        generations.delete(subject);
      }
    },
  };
}
