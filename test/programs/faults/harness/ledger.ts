import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Door, GRAPHQL, type ListedEmbed, type Outcome, REST, type Settings } from './doors.ts';

/** An embed that a client created. */
interface Entry {
  readonly client: number;
  readonly id: string;
  /** State after the last acknowledged write; null after a delete. */
  acknowledged: ListedEmbed | null;
  /** State that it may have instead, because a write got no response. */
  possible?: ListedEmbed | null;
}

/** A create without a response, or one that was rejected after its key was stored. */
interface PendingCreate {
  readonly client: number;
  readonly settings: Settings;
  readonly key: string | null;
}

export interface Counts {
  created: number;
  updated: number;
  deleted: number;
  repeated: number;
  noResponse: number;
  /** Responses 503. */
  unavailable: number;
  /** Responses 409 for a key whose first request may still be in progress. */
  inProgress: number;
}

const MODES = ['light', 'dark', 'auto', 'user_defined'];
const FONTS = ['default', 'Lora', 'Inter', 'Open Sans'];
const MAX_PER_CLIENT = 60;
const WRITE_INTERVAL_MS = 5;
/** Time after which each `Idempotency-Key` can be used again: the lease of 10 s, and a margin. */
const LEASE_MS = 11_000;
const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

/**
 * Clients that write through both APIs, and a record of their responses. Each embed has one client, so that its state
 * after a fault is known exactly.
 */
export class Ledger {
  readonly counts: Counts = {
    created: 0,
    updated: 0,
    deleted: 0,
    repeated: 0,
    noResponse: 0,
    unavailable: 0,
    inProgress: 0,
  };
  /** Differences between the responses and the embeds. */
  readonly faults: string[] = [];
  readonly latenciesMs: number[] = [];
  #entries: Entry[] = [];
  #pending: PendingCreate[] = [];
  #lastKeyed: { readonly create: PendingCreate; readonly id: string } | undefined;
  readonly #mayCommitBefore503: boolean;

  /** @param mayCommitBefore503 true for a database server: the connection may break after the commit */
  constructor({ mayCommitBefore503 = false } = {}) {
    this.#mayCommitBefore503 = mayCommitBefore503;
  }

  /** Number of embeds that must exist. */
  get size(): number {
    return this.#entries.filter(({ acknowledged }) => acknowledged !== null).length;
  }

  /** Number of keys whose create has no final response. */
  get pendingKeys(): number {
    return this.#pending.filter(({ key }) => key !== null).length;
  }

  /** Sends one random write of one client. */
  async write(client: number, origin: string): Promise<void> {
    const door = pick([REST, GRAPHQL]);
    const startedAt = performance.now();
    const mine = this.#entries.filter(
      (entry) => entry.client === client && entry.acknowledged && entry.possible === undefined,
    );
    const percent = randomInt(100);
    const entry = mine.length > 0 ? pick(mine) : undefined;
    if (!entry || (percent < 40 && mine.length < MAX_PER_CLIENT)) await this.#create(client, door, origin);
    else if (percent < 75) await this.#update(entry, door, origin);
    else await this.#remove(entry, door, origin);
    this.latenciesMs.push(performance.now() - startedAt);
  }

  async #create(client: number, door: Door, origin: string): Promise<void> {
    const id = randomBytes(16).toString('hex');
    const mode = pick(MODES);
    const settings = {
      page_url: `https://example.com/Page-${id}`,
      mode,
      font: pick(FONTS),
      show_top_bar: mode === 'user_defined' || randomInt(2) === 1,
    };
    const create = { client, settings, key: randomInt(2) === 1 ? id : null };
    await this.#recordCreate(create, await door.create(origin, settings, create.key));
  }

  async #recordCreate(create: PendingCreate, outcome: Outcome): Promise<void> {
    const { client, settings, key } = create;
    if (outcome.kind === 'done' && outcome.embed) {
      const { id } = outcome.embed;
      if (!isDeepStrictEqual(outcome.embed, { id, ...settings }))
        this.#fault('a create returned other settings', outcome.embed);
      this.counts.created++;
      if (!this.#entries.some((entry) => entry.id === id))
        this.#entries.push({ client, id, acknowledged: outcome.embed });
      if (key !== null) this.#lastKeyed = { create, id };
      return;
    }
    if (this.#mayBeCommitted(outcome) || (key !== null && this.#isUnavailable(outcome))) this.#pending.push(create);
    else if (!this.#isUnavailable(outcome)) this.#fault('a create was rejected', outcome);
  }

  async #update(entry: Entry, door: Door, origin: string): Promise<void> {
    const acknowledged = entry.acknowledged as ListedEmbed;
    const mode = pick(MODES);
    const font = pick(FONTS);
    const expected = {
      ...acknowledged,
      mode,
      font,
      show_top_bar: mode === 'user_defined' || acknowledged.show_top_bar,
    };
    const outcome = await door.update(origin, entry.id, { mode, font }, randomInt(2) === 1 ? acknowledged : null);
    if (outcome.kind === 'done') {
      if (!isDeepStrictEqual(outcome.embed, expected)) this.#fault('an update returned other settings', outcome.embed);
      this.counts.updated++;
      entry.acknowledged = expected;
    } else if (this.#mayBeCommitted(outcome)) entry.possible = expected;
    else if (!this.#isUnavailable(outcome)) this.#fault('an update was rejected', { entry, outcome });
  }

  async #remove(entry: Entry, door: Door, origin: string): Promise<void> {
    const outcome = await door.remove(origin, entry.id);
    if (outcome.kind === 'done') {
      this.counts.deleted++;
      entry.acknowledged = null;
    } else if (this.#mayBeCommitted(outcome)) entry.possible = null;
    else if (!this.#isUnavailable(outcome)) this.#fault('a delete was rejected', { entry, outcome });
  }

  /**
   * Starts clients that write through the gateways in turn.
   * @returns a function that ends them after their current writes
   */
  startClients(count: number, services: readonly { readonly origin: string }[]): () => Promise<void> {
    let isOver = false;
    const clients = Array.from({ length: count }, async (_, client) => {
      for (let turn = client; !isOver; turn++) {
        await this.write(client, services[turn % services.length]?.origin ?? '');
        await pause(WRITE_INTERVAL_MS);
      }
    });
    return async () => {
      isOver = true;
      await Promise.all(clients);
    };
  }

  /** Compares the lists of all gateways with the responses, also after the creates without a response are repeated. */
  async settle(services: readonly { readonly origin: string }[]): Promise<void> {
    await pause(this.pendingKeys > 0 ? LEASE_MS : 0);
    for (const { origin } of services) {
      await this.verify(origin);
      await this.repeatKeys(origin);
      await this.verify(origin);
    }
  }

  /** Repeats the creates without a final response, and the last acknowledged one. No key may create a second embed. */
  async repeatKeys(origin: string): Promise<void> {
    const pending = this.#pending.filter(({ key }) => key !== null);
    this.#pending = [];
    for (const create of pending) {
      this.counts.repeated++;
      await this.#recordCreate(create, await pick([REST, GRAPHQL]).create(origin, create.settings, create.key));
    }
    if (!this.#lastKeyed) return;
    const { create, id } = this.#lastKeyed;
    this.counts.repeated++;
    const again = await REST.create(origin, create.settings, create.key);
    if (again.kind === 'done' && again.embed?.id !== id) this.#fault('a key created a second embed', { id, again });
    if (again.kind === 'rejected' && !this.#isUnavailable(again)) this.#fault('a repeated create was rejected', again);
  }

  /** Compares the record with the lists of both APIs. A write without a response may exist or not. */
  async verify(origin: string): Promise<void> {
    const lists = [await REST.list(origin), await GRAPHQL.list(origin)];
    for (const { embeds, total } of lists) {
      if (total !== embeds.length) this.#fault('the total is wrong', { total, embeds: embeds.length });
    }
    const listed = lists[0]?.embeds ?? [];
    if (!isDeepStrictEqual(listed, lists[1]?.embeds)) this.#fault('the two APIs differ', {});
    if (new Set(listed.map(({ page_url }) => page_url)).size !== listed.length)
      this.#fault('an embed exists twice', {});

    const byId = new Map(listed.map((embed) => [embed.id, embed]));
    for (const entry of this.#entries) {
      const embed = byId.get(entry.id) ?? null;
      byId.delete(entry.id);
      const isAcknowledged = isDeepStrictEqual(embed, entry.acknowledged);
      const isPossible = entry.possible !== undefined && isDeepStrictEqual(embed, entry.possible);
      if (!isAcknowledged && !isPossible) this.#fault('an acknowledged write is lost', { entry, embed });
      entry.acknowledged = embed;
      delete entry.possible;
    }
    for (const embed of byId.values()) this.#addUnacknowledged(embed);
    this.#pending = this.#pending.filter(({ key }) => key !== null);
    this.#entries = this.#entries.filter(({ acknowledged }) => acknowledged !== null);
  }

  /** Adds an embed that no response contained. It must have all settings of a pending create. */
  #addUnacknowledged(embed: ListedEmbed): void {
    const create = this.#pending.find(({ settings }) => isDeepStrictEqual(embed, { id: embed.id, ...settings }));
    if (!create) this.#fault('no client created this embed', embed);
    else if (create.key === null) this.#entries.push({ client: create.client, id: embed.id, acknowledged: embed });
    // a create with a key is repeated later: a second embed of its page would be a fault
  }

  #mayBeCommitted(outcome: Outcome): boolean {
    if (outcome.kind !== 'no response') return this.#mayCommitBefore503 && this.#isUnavailable(outcome);
    this.counts.noResponse++;
    return true;
  }

  #isUnavailable(outcome: Outcome): boolean {
    if (outcome.kind !== 'rejected') return false;
    const isUnavailable = outcome.status === 503 || outcome.code === 'SERVICE_UNAVAILABLE';
    const isInProgress = outcome.code === 'conflict' || outcome.code === 'CONFLICT';
    if (isUnavailable) this.counts.unavailable++;
    else if (isInProgress) this.counts.inProgress++;
    return isUnavailable || isInProgress;
  }

  #fault(message: string, facts: unknown): void {
    this.faults.push(`${message}: ${JSON.stringify(facts)}`);
  }
}
