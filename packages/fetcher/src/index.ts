export { dialDirectly } from './fetch/connect.ts';
export { resolveByDns } from './fetch/dns.ts';
export type { FailureReason } from './fetch/failure.ts';
export {
  CHECKS_TIMEOUT_MS,
  createPageFetcher,
  FETCH_TIMEOUT_MS,
  type FetchOptions,
  type FetchResult,
  MAX_REDIRECTS,
  type PageFetcher,
} from './fetch/fetch.ts';
export { withoutFragment } from './fetch/response.ts';
export { parseRetryAfterMs } from './fetch/retry-after.ts';
export type { KnownVersion } from './fetch/validators.ts';
export { findBrowser, openBrowser } from './render/browser-source.ts';
export { createRenderer, type Renderer, type RenderResult } from './render/renderer.ts';
export type { PageSource } from './render/requests.ts';
