import { LRUCache } from 'lru-cache';
import robotsParser from 'robots-parser';
import type { FailureReason, PageFetcher } from '#fetcher';
import { ROBOT_NAME, type RobotsMode } from '#reader/robots';
import { bytesOfEntry, CACHE_BYTES } from '../cache-bytes.ts';

/** The rules of `/robots.txt` of a site for fetching a page in the background. */
interface RobotsRules {
  /** The reason why the page may not be fetched, for its owner; null if it may. */
  readonly refusal: string | null;
  /** The time between two requests that the site asks for. */
  readonly delayMs: number;
}

/** The types of the package name an export `default`, which its module does not have. */
const parse = robotsParser as unknown as (typeof robotsParser)['default'];

export interface RobotsOptions {
  readonly fetcher: Pick<PageFetcher, 'fetch'>;
  /** `named`: only the group of this service counts. */
  readonly robotsMode: RobotsMode;
}

/** RFC 9309 section 2.4 allows no longer. */
const KEPT_MS = 24 * 3_600_000;
/** RFC 9309 section 2.5 asks for 500 KiB. The rest is ignored. */
const MAX_LENGTH = 512_000;
const MAX_DELAY_S = 60;
/** A failed check is repeated after one minute. The entry outlives that repetition. */
const UNREACHED_MS = 90_000;

/** No request reaches the site. */
const UNREACHED: readonly FailureReason[] = ['unreachable', 'bad-url', 'own-host', 'blocked-port', 'blocked-address'];

/** Other lines, such as `Sitemap`, belong to no group (RFC 9309 section 2.2.4). */
const RULES: readonly string[] = ['allow', 'disallow', 'crawl-delay'];

/** Further rules are ignored. Each takes a time in proportion to the path, and with `*` also to its own length. */
const MAX_RULES = 5_000;
const MAX_WILDCARD_LENGTH = 30_000;

/**
 * Reads `/robots.txt` of sites (RFC 9309), each once a day. A site without one allows all pages, one whose `/robots.txt` cannot
 * be fetched none until it can (sections 2.3.1.3 and 2.3.1.4). For a site that no request reaches, the request of the page is
 * allowed and fails, which tells the reason to the owner.
 */
export function createFindRobotsRules({ fetcher, robotsMode }: RobotsOptions) {
  const texts = new LRUCache<string, string>({
    maxSize: CACHE_BYTES.robotsTxt,
    sizeCalculation: (text, origin) => bytesOfEntry(origin, text),
  });

  function keep(origin: string, text: string, ttl = KEPT_MS): string {
    texts.set(origin, text, { ttl });
    return text;
  }

  /** Returns the text, or the rules if the site cannot be asked now. */
  async function fetchText(origin: string): Promise<string | RobotsRules> {
    const result = await fetcher.fetch(`${origin}/robots.txt`);
    if (result.kind === 'file' && typeof result.content === 'string') {
      return keep(origin, selectGroup(result.content.slice(0, MAX_LENGTH), robotsMode));
    }
    if (result.kind !== 'failed') return keep(origin, '');
    const { status = 0, reason, retryAfterMs = 0 } = result;
    if (UNREACHED.includes(reason)) return keep(origin, '', UNREACHED_MS);
    const hasNone = status >= 400 && status < 500 && status !== 429;
    if (hasNone) return keep(origin, '');
    return { refusal: refusalOf(new URL(origin).host, 'cannot be fetched'), delayMs: retryAfterMs };
  }

  return async (pageUrl: string): Promise<RobotsRules> => {
    const { origin, host } = new URL(pageUrl);
    const text = texts.get(origin) ?? (await fetchText(origin));
    if (typeof text !== 'string') return text;
    const rules = parse(`${origin}/robots.txt`, text);
    const delayS = Math.min(rules.getCrawlDelay(ROBOT_NAME) ?? 0, MAX_DELAY_S);
    const isAllowed = rules.isAllowed(pageUrl, ROBOT_NAME) !== false;
    return { refusal: isAllowed ? null : refusalOf(host, 'forbids it'), delayMs: delayS * 1_000 };
  };
}

/**
 * Returns the group of this service, or else that of all, as one for all. The package would keep all groups, and each rule once
 * for each line with a user agent.
 */
function selectGroup(text: string, robotsMode: RobotsMode): string {
  const own: string[] = [];
  const all: string[] = [];
  const agents = new Set<string>();
  let isHead = false;
  let hasOwn = false;
  for (const line of text.split(/[\r\n]+/)) {
    const [statement = ''] = line.split('#', 1);
    const colon = statement.indexOf(':');
    const name = statement.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = statement.slice(colon + 1).trim();
    if (name === 'user-agent') {
      if (!isHead) agents.clear();
      isHead = true;
      agents.add(/^[\w*-]*/.exec(value.toLowerCase())?.[0] ?? '');
      hasOwn ||= agents.has(ROBOT_NAME);
    } else if (RULES.includes(name)) {
      isHead = false;
      const rule = `${name}: ${value.replace(/\*+/g, '*')}`;
      if (agents.has(ROBOT_NAME)) own.push(rule);
      if (agents.has('*')) all.push(rule);
    }
  }
  const group = hasOwn || robotsMode === 'named' ? own : all;
  let wildcardLength = 0;
  const kept = [...new Set(group)].slice(0, MAX_RULES).filter((rule) => {
    if (!rule.includes('*')) return true;
    wildcardLength += rule.length;
    return wildcardLength <= MAX_WILDCARD_LENGTH;
  });
  return ['user-agent: *', ...kept].join('\n');
}

function refusalOf(host: string, fact: string): string {
  return `The page is not checked in the background, because /robots.txt of ${host} ${fact}. It is fetched when it is viewed.`;
}
