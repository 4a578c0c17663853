import { hash, randomBytes } from 'node:crypto';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { FRAME_PATHS } from '#frame';
import { networkOf } from '../../auth/identify.ts';
import { createQuotas, type Take } from '../../auth/quota.ts';
import { type Awaitable, andThen } from '../../awaitable.ts';
import { bytesOfEntry, CACHE_BYTES, ENTRY_BYTES } from '../../cache-bytes.ts';
import { ACCOUNT_MAX_AGE_MS, isAllowedSite } from '../../domain/embed/settings.ts';
import type { EmbedHosts } from '../../domain/embed/url.ts';
import { requireJsonObject } from '../../domain/json.ts';
import { createDayClock, DIRECT, OTHER, parseSite, type ViewCount } from '../../domain/views.ts';
import { type Fault, RateLimited, Refusal, refuseFaults } from '../../errors.ts';
import { decodeUtf8, readBody, requireMediaType } from '../../http/body.ts';
import { createPublicRoute, type Exchange, type IncomingRequest, type Route } from '../../http/exchange.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { findEmbedId } from './embed-host.ts';
import type { FoundEmbed } from './embed-lookup.ts';

export interface ViewServices extends EmbedHosts {
  readonly views: { add(count: ViewCount): void };
  readonly find: (id: string) => Awaitable<FoundEmbed | null>;
  /** Null for all sites. */
  readonly findAllowedSites: (found: FoundEmbed) => Awaitable<readonly string[] | null>;
  readonly now: () => Date;
}

interface Report {
  /** A random text that the page made when it was loaded. */
  readonly view: string;
  readonly site: string;
  readonly isRead: boolean;
}

type Viewed = Pick<ViewCount, 'accountId' | 'embedId' | 'day'>;

/** The account of an embed, and the sites that may show it. */
interface Owner {
  readonly accountId: string;
  readonly sites: readonly string[] | null;
}

/** The counts of a view id. Its read counts on the day and the site of its view. */
interface Counted {
  readonly day: string;
  readonly site: string;
  readonly isSeen: boolean;
  readonly isRead: boolean;
}

const MAX_REPORT_BYTES = 1_000;
/** Media type of a text that `navigator.sendBeacon` sends. */
const MEDIA_TYPE = 'text/plain';
const VIEW_ID = /^\w{1,40}$/;

/** Reports per minute from one network about one embed: people in an office share an address. */
const MAX_REPORTS_OF_EMBED = 60;
/** Reports per minute from one network about all embeds. */
const MAX_REPORTS = 600;
/** A repetition of a report in this time is ignored. */
const REPEATED_MS = 10 * 60 * 1_000;

/** Creates the route for the reports of pages that were on a screen. */
export function createViewRoute({ views, find, findAllowedSites, now, ...hosts }: ViewServices): Route {
  const requireQuota = createReportLimit();
  const isBot = createBotCheck();
  const today = createDayClock(now);
  /** By embed. One that was deleted, or has other sites since, is counted as before for some seconds. */
  const owners = new LRUCache<string, Owner>({
    maxSize: CACHE_BYTES.viewedEmbeds,
    sizeCalculation: ({ accountId, sites }, id) => bytesOfEntry(id, accountId, ...(sites ?? [])),
    ttl: ACCOUNT_MAX_AGE_MS,
  });
  /** By embed and view id. */
  const counted = new LRUCache<string, Counted>({
    max: Math.floor(CACHE_BYTES.countedViews / (2 * ENTRY_BYTES)),
    ttl: REPEATED_MS,
  });

  function findOwner(id: string): Awaitable<Owner> {
    const known = owners.get(id);
    if (known !== undefined) return known;
    return andThen(find(id), (found) => {
      if (!found) throw embedNotFound();
      return andThen(findAllowedSites(found), (sites) => {
        const owner = { accountId: found.embed.accountId, sites };
        owners.set(id, owner);
        return owner;
      });
    });
  }

  function count({ accountId, embedId, day }: Viewed, { view, site, isRead }: Report, userAgent: string | null): void {
    const key = `${embedId} ${view}`;
    const known = counted.get(key);
    if (isRead ? known?.isRead : known?.isSeen) return;
    // the read of a view that counts is not by a bot
    if (!known?.isSeen && isBot(userAgent)) return;
    const place = known?.isSeen ? known : { day, site };
    const isSeen = !isRead || known?.isSeen === true;
    counted.set(key, { day: place.day, site: place.site, isSeen, isRead: isRead || known?.isRead === true });
    const [seen, read] = isRead ? [0, 1] : [1, 0];
    views.add({ accountId, embedId, day: place.day, site: place.site, views: seen, reads: read });
  }

  function handle({ request, url, address }: Exchange): Awaitable<Reply> {
    const { headers } = request;
    const embedId = findEmbedId(url, hosts);
    if (embedId === null) throw embedNotFound();
    const day = today();
    requireQuota(embedId, address, day);
    requireOwnPage(request, url);
    requireMediaType(request, MEDIA_TYPE);
    return andThen(readBody(request, MAX_REPORT_BYTES), (bytes) => {
      const report = parseReport(decodeUtf8(bytes));
      return andThen(findOwner(embedId), ({ accountId, sites }) => {
        // browsers show nothing on another site
        const isForged = sites !== null && report.site !== DIRECT && !isAllowedSite(sites, report.site);
        const isCounted = !isForged && headers.get('sec-gpc') !== '1';
        if (isCounted) count({ accountId, embedId, day }, report, headers.get('user-agent'));
        return reply(null, { status: 204, headers: { 'cache-control': 'no-store' } });
      });
    });
  }

  return { ...createPublicRoute(`<id>.<EMBED_HOST>${FRAME_PATHS.views}`, handle), methods: ['POST'] };
}

/** Creates a limit by network. Networks are hashed with a key that changes daily, and that only this function knows. */
function createReportLimit(): (embedId: string, address: string | null, day: string) => void {
  const maxBytes = CACHE_BYTES.viewQuotas / 2;
  const ofEmbed = createQuotas('views', MAX_REPORTS_OF_EMBED, maxBytes);
  const ofAll = createQuotas('views', MAX_REPORTS, maxBytes);
  let key = { day: '', secret: '' };
  return (embedId, address, day) => {
    if (key.day !== day) key = { day, secret: randomBytes(16).toString('hex') };
    const network = hash('sha256', key.secret + networkOf(address), 'base64');
    requireLeft(ofAll.take(network));
    requireLeft(ofEmbed.take(network + embedId));
  };
}

function requireLeft({ isExceeded, quota }: Take): void {
  if (isExceeded) throw new RateLimited('views from this address', quota);
}

/** Creates a function that matches the name of a program once, with 200 patterns: most readers share theirs with others. */
function createBotCheck(): (userAgent: string | null) => boolean {
  const checked = new LRUCache<string, boolean>({
    maxSize: CACHE_BYTES.userAgents,
    sizeCalculation: (_isBot, userAgent) => bytesOfEntry(userAgent),
    memoMethod: (userAgent) => isbot(userAgent),
  });
  return (userAgent) => !userAgent || checked.memo(userAgent);
}

/** Rejects scripts and forms of other sites that the browser names. In a sandbox, as in WordPress, the origin is `null`. */
function requireOwnPage({ headers }: IncomingRequest, { host }: URL): void {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site') ?? 'same-origin';
  const isOwn =
    origin === null ? site === 'same-origin' : ['null', `http://${host}`, `https://${host}`].includes(origin);
  if (isOwn && headers.get('sec-fetch-mode') !== 'navigate') return;
  throw new Refusal('malformed', 'Only the page of the embed may report its views.');
}

/** @throws {Refusal} with all faults */
function parseReport(text: string): Report {
  const { view, site = DIRECT, read = false, ...others } = requireJsonObject(text);
  const host = typeof site === 'string' ? parseSite(site) : null;
  const faults: Fault[] = Object.keys(others).map((path) => ({ path, message: 'is not a parameter of a view' }));
  if (typeof view !== 'string' || !VIEW_ID.test(view))
    faults.push({ path: 'view', message: 'must be 1 to 40 letters and digits' });
  if (host === null) faults.push({ path: 'site', message: 'must be a host, without port and path' });
  if (typeof read !== 'boolean') faults.push({ path: 'read', message: 'must be true or false' });
  if (faults.length > 0) throw refuseFaults(faults);
  // a host of this name would hide the sites that are not listed
  return { view: String(view), site: host === OTHER ? DIRECT : String(host), isRead: read === true };
}

function embedNotFound(): Refusal {
  return new Refusal('not_found', 'There is no embed at this address.');
}
