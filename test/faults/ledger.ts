import { randomBytes, randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Door, GRAPHQL, type Outcome, REST, type Seen, type Settings } from './doors.ts';

/** An embed as its client knows it; null once it was deleted. */
interface Entry {
  readonly client: number;
  readonly id: string;
  known: Seen | null;
  /** What it may be instead: a write of it got no answer. */
  doubt?: Seen | null;
}

/** A create that got no answer, or was refused after its key was noted. */
interface LostCreate {
  readonly client: number;
  readonly settings: Settings;
  readonly key: string | null;
}

/** What was counted, for the report. */
export interface Counts {
  created: number;
  updated: number;
  deleted: number;
  repeated: number;
  unanswered: number;
  /** Answers 503. */
  busy: number;
  /** Answers 409 for a key whose first request may still be at work. */
  atWork: number;
}

const MODES = ['light', 'dark', 'auto', 'user_defined'];
const FONTS = ['default', 'Lora', 'Inter', 'Open Sans'];
const MAX_PER_CLIENT = 60;
const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

/**
 * Clients that write through both APIs, and the account of what they were told. Each has embeds of its own, so that what
 * must be there after a fault is known to the letter.
 */
export class Ledger {
  readonly counts: Counts = { created: 0, updated: 0, deleted: 0, repeated: 0, unanswered: 0, busy: 0, atWork: 0 };
  /** What must not be. */
  readonly faults: string[] = [];
  readonly latenciesMs: number[] = [];
  #entries: Entry[] = [];
  #lost: LostCreate[] = [];
  #lastKeyed: { readonly lost: LostCreate; readonly id: string } | undefined;
  readonly #mayHideWrite: boolean;

  /** @param mayHideWrite whether a write that got 503 may have been made: of a server, the answer may be lost on its way */
  constructor({ mayHideWrite = false } = {}) {
    this.#mayHideWrite = mayHideWrite;
  }

  /** How many embeds are known to be there. */
  get size(): number {
    return this.#entries.filter(({ known }) => known !== null).length;
  }

  get openKeys(): number {
    return this.#lost.filter(({ key }) => key !== null).length;
  }

  /** One random write of one client. */
  async act(client: number, origin: string): Promise<void> {
    const door = pick([REST, GRAPHQL]);
    const startedAt = performance.now();
    const mine = this.#entries.filter((entry) => entry.client === client && entry.known && entry.doubt === undefined);
    const dice = randomInt(100);
    const entry = mine.length > 0 ? pick(mine) : undefined;
    if (!entry || (dice < 40 && mine.length < MAX_PER_CLIENT)) await this.#create(client, door, origin);
    else if (dice < 75) await this.#update(entry, door, origin);
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
    const lost = { client, settings, key: randomInt(2) === 1 ? id : null };
    await this.#settleCreate(lost, await door.create(origin, settings, lost.key));
  }

  async #settleCreate(create: LostCreate, outcome: Outcome): Promise<void> {
    const { client, settings, key } = create;
    if (outcome.kind === 'done' && outcome.embed) {
      const { id } = outcome.embed;
      if (!isDeepStrictEqual(outcome.embed, { id, ...settings })) this.#fault('made something else', outcome.embed);
      this.counts.created++;
      if (!this.#entries.some((entry) => entry.id === id)) this.#entries.push({ client, id, known: outcome.embed });
      if (key !== null) this.#lastKeyed = { lost: create, id };
      return;
    }
    if (this.#isUnsure(outcome) || (key !== null && this.#isBusy(outcome))) this.#lost.push(create);
    else if (!this.#isBusy(outcome)) this.#fault('a create was refused', outcome);
  }

  async #update(entry: Entry, door: Door, origin: string): Promise<void> {
    const known = entry.known as Seen;
    const mode = pick(MODES);
    const font = pick(FONTS);
    const wanted = { ...known, mode, font, show_top_bar: mode === 'user_defined' || known.show_top_bar };
    const outcome = await door.update(origin, entry.id, { mode, font }, randomInt(2) === 1 ? known : null);
    if (outcome.kind === 'done') {
      if (!isDeepStrictEqual(outcome.embed, wanted)) this.#fault('updated to something else', outcome.embed);
      this.counts.updated++;
      entry.known = wanted;
    } else if (this.#isUnsure(outcome)) entry.doubt = wanted;
    else if (!this.#isBusy(outcome)) this.#fault('an update was refused', { entry, outcome });
  }

  async #remove(entry: Entry, door: Door, origin: string): Promise<void> {
    const outcome = await door.remove(origin, entry.id);
    if (outcome.kind === 'done') {
      this.counts.deleted++;
      entry.known = null;
    } else if (this.#isUnsure(outcome)) entry.doubt = null;
    else if (!this.#isBusy(outcome)) this.#fault('a delete was refused', { entry, outcome });
  }

  /** Repeats the creates whose keys are open, and one that was answered: no key may make a second embed. */
  async repeatKeys(origin: string): Promise<void> {
    const open = this.#lost.filter(({ key }) => key !== null);
    this.#lost = [];
    for (const create of open) {
      this.counts.repeated++;
      await this.#settleCreate(create, await pick([REST, GRAPHQL]).create(origin, create.settings, create.key));
    }
    if (!this.#lastKeyed) return;
    const { lost, id } = this.#lastKeyed;
    this.counts.repeated++;
    const again = await REST.create(origin, lost.settings, lost.key);
    if (again.kind === 'done' && again.embed?.id !== id) this.#fault('a key made a second embed', { id, again });
    if (again.kind === 'refused' && !this.#isBusy(again)) this.#fault('a repeated create was refused', again);
  }

  /** Holds every answer that was given against what both APIs show now; what got no answer may be there or not. */
  async account(origin: string): Promise<void> {
    const lists = [await REST.list(origin), await GRAPHQL.list(origin)];
    for (const { embeds, total } of lists) {
      if (total !== embeds.length) this.#fault('the total is wrong', { total, embeds: embeds.length });
    }
    const shown = lists[0]?.embeds ?? [];
    if (!isDeepStrictEqual(shown, lists[1]?.embeds)) this.#fault('the two APIs differ', {});
    if (new Set(shown.map(({ page_url }) => page_url)).size !== shown.length)
      this.#fault('an embed is there twice', {});

    const byId = new Map(shown.map((embed) => [embed.id, embed]));
    for (const entry of this.#entries) {
      const embed = byId.get(entry.id) ?? null;
      byId.delete(entry.id);
      const isKnown = isDeepStrictEqual(embed, entry.known);
      const isDoubt = entry.doubt !== undefined && isDeepStrictEqual(embed, entry.doubt);
      if (!isKnown && !isDoubt) this.#fault('an acknowledged write is gone', { entry, embed });
      entry.known = embed;
      delete entry.doubt;
    }
    for (const embed of byId.values()) this.#adopt(embed);
    this.#lost = this.#lost.filter(({ key }) => key !== null);
    this.#entries = this.#entries.filter(({ known }) => known !== null);
  }

  /** An embed that no answer spoke of must be, whole, what somebody asked for. */
  #adopt(embed: Seen): void {
    const create = this.#lost.find(({ settings }) => isDeepStrictEqual(embed, { id: embed.id, ...settings }));
    if (!create) this.#fault('an embed that nobody asked for', embed);
    else if (create.key === null) this.#entries.push({ client: create.client, id: embed.id, known: embed });
    // with a key, its repetition will tell its id: it must be this one, for no page may be there twice
  }

  #isUnsure(outcome: Outcome): boolean {
    if (outcome.kind !== 'no answer') return this.#mayHideWrite && this.#isBusy(outcome);
    this.counts.unanswered++;
    return true;
  }

  #isBusy(outcome: Outcome): boolean {
    if (outcome.kind !== 'refused') return false;
    const isBusy = outcome.status === 503 || outcome.code === 'SERVICE_UNAVAILABLE';
    const isAtWork = outcome.code === 'conflict' || outcome.code === 'CONFLICT';
    if (isBusy) this.counts.busy++;
    else if (isAtWork) this.counts.atWork++;
    return isBusy || isAtWork;
  }

  #fault(what: string, facts: unknown): void {
    this.faults.push(`${what}: ${JSON.stringify(facts)}`);
  }
}
