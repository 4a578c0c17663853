import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { fromGraphQL, GRAPHQL, HEADERS, type ListedEmbed } from './doors.ts';

const QUERY = 'subscription { embedChanged { embedId embed { id pageUrl mode font showTopBar } } }';
const RETRY_MS = 100;
/** Longest time between the last write and its event. */
const SETTLE_TIMEOUT_MS = 10_000;

/**
 * A client that keeps a copy of the list by events alone. As the documentation says, it subscribes, then reads the list,
 * and does both again when the stream ends.
 */
export class Mirror {
  events = 0;
  /** Streams that the service or a fault ended. */
  ends = 0;
  readonly #embeds = new Map<string, ListedEmbed>();
  readonly #aborting = new AbortController();
  readonly #done: Promise<void>;
  #isFollowing = false;
  /** The event that a stream waits for while it is not open. */
  #waitingFor = 'its first request';

  /** @param originOf returns the gateway for the next stream */
  constructor(originOf: () => string) {
    this.#done = this.#follow(originOf);
  }

  /** Returns the differences from the list of a gateway, once they stay. */
  async compare(origin: string): Promise<string[]> {
    const deadline = Date.now() + SETTLE_TIMEOUT_MS;
    for (;;) {
      const { embeds } = await GRAPHQL.list(origin);
      const listed = new Map(embeds.map((embed) => [embed.id, embed]));
      const ids = new Set([...listed.keys(), ...this.#embeds.keys()]);
      const different = [...ids].filter((id) => !isDeepStrictEqual(listed.get(id), this.#embeds.get(id)));
      if (this.#isFollowing && different.length === 0) return [];
      if (Date.now() > deadline) {
        if (!this.#isFollowing) return [`a stream could not be opened again: it waits for ${this.#waitingFor}`];
        return different.map((id) => {
          const facts = { listed: listed.get(id) ?? null, seen: this.#embeds.get(id) ?? null };
          return `a stream missed a change of ${id}: ${JSON.stringify(facts)}`;
        });
      }
      await pause(RETRY_MS);
    }
  }

  async close(): Promise<void> {
    this.#aborting.abort();
    await this.#done;
  }

  async #follow(originOf: () => string): Promise<void> {
    const { signal } = this.#aborting;
    while (!signal.aborted) {
      try {
        await this.#readStream(originOf(), signal);
      } catch {
        // the gateway or its database is away
      }
      if (this.#isFollowing && !signal.aborted) this.ends++;
      this.#isFollowing = false;
      if (!signal.aborted) await pause(RETRY_MS);
    }
  }

  async #readStream(origin: string, signal: AbortSignal): Promise<void> {
    this.#waitingFor = `the response of ${origin}`;
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { ...HEADERS, accept: 'text/event-stream' },
      body: JSON.stringify({ query: QUERY }),
      signal,
    });
    if (response.status !== 200 || !response.body) {
      this.#waitingFor = `the end of a response with the status ${response.status}`;
      await response.body?.cancel();
      return;
    }
    const chunks = response.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    this.#waitingFor = `the first bytes of ${origin}`;
    // the first bytes say that nothing is missed from here on
    let text = (await chunks.next()).value ?? '';
    this.#waitingFor = `the list of ${origin}`;
    const { embeds } = await GRAPHQL.list(origin);
    this.#embeds.clear();
    for (const embed of embeds) this.#embeds.set(embed.id, embed);
    this.#isFollowing = true;
    for (;;) {
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        if (this.#apply(block)) continue;
        await chunks.return?.();
        return;
      }
      const { done, value } = await chunks.next();
      if (done) return;
      text += value;
    }
  }

  /** Returns false at the end of the stream. */
  #apply(block: string): boolean {
    const [, event] = /^event: (.*)$/m.exec(block) ?? [];
    const [, json] = /^data: ?(.*)$/m.exec(block) ?? [];
    if (event === undefined) return true;
    if (event === 'complete' || !json) return false;
    const change = JSON.parse(json).data?.embedChanged;
    if (!change) return false;
    this.events++;
    if (change.embed) this.#embeds.set(change.embedId, fromGraphQL(change.embed));
    else this.#embeds.delete(change.embedId);
    return true;
  }
}
