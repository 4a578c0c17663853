/** The initial state of the hash for an empty text (Bob Jenkins, lookup3, with the seed of PostgreSQL's `hash_any`). */
const SEED = 0x9e3779b9 + 3_923_095;
/** Each round changes one of the three words by the other two; the numbers are its rotations, in bits. */
const MIX_ROUNDS = [4, 6, 8, 16, 19, 4];
const FINAL_ROUNDS = [14, 11, 25, 16, 4, 14, 24];
const BLOCK_BYTES = 12;

type State = [a: number, b: number, c: number];

/** Same as `hashtext` of PostgreSQL, by which Citus chooses the shard of a text. Returns 32 bits without a sign. */
export function hashText(text: string): number {
  const bytes = Buffer.from(text);
  const start = (SEED + bytes.length) >>> 0;
  const state: State = [start, start, start];
  let offset = 0;
  for (; bytes.length - offset >= BLOCK_BYTES; offset += BLOCK_BYTES) {
    add(state, bytes.subarray(offset, offset + BLOCK_BYTES));
    mix(state);
  }
  const rest = bytes.subarray(offset);
  // the lowest byte of the last word belongs to the length
  add(state, Buffer.concat([rest.subarray(0, 8), Buffer.from([0]), rest.subarray(8)]));
  return finish(state);
}

/** Adds up to 12 bytes, in little-endian order. */
function add(state: State, bytes: Buffer): void {
  for (const [i, byte] of bytes.entries()) {
    const word = i >> 2;
    state[word] = (wordOf(state, word) + byte * 2 ** (8 * (i & 3))) >>> 0;
  }
}

function mix(state: State): void {
  for (const [round, bits] of MIX_ROUNDS.entries()) {
    const [x, y, z] = [round % 3, (round + 2) % 3, (round + 1) % 3];
    const before = wordOf(state, y);
    state[x] = ((wordOf(state, x) - before) ^ rotate(before, bits)) >>> 0;
    state[y] = (before + wordOf(state, z)) >>> 0;
  }
}

function finish(state: State): number {
  for (const [round, bits] of FINAL_ROUNDS.entries()) {
    const [x, y] = [(round + 2) % 3, (round + 1) % 3];
    state[x] = ((wordOf(state, x) ^ wordOf(state, y)) - rotate(wordOf(state, y), bits)) >>> 0;
  }
  return state[2];
}

const wordOf = (state: State, index: number) => state[index] as number;

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
