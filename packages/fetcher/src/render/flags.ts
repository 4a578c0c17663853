/**
 * A proxy whose name does not resolve, also for loopback addresses: what is not answered by the service fails before it
 * reaches the network.
 */
export const DEAD_PROXY = { proxyServer: 'http://off.invalid:1', proxyBypassList: '<-loopback>' };

const CUT_OFF = [
  `--proxy-server=${DEAD_PROXY.proxyServer}`,
  `--proxy-bypass-list=${DEAD_PROXY.proxyBypassList}`,
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--disable-quic',
  // Chromium reads the first name, its headless shell the second
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-client-side-phishing-detection',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--metrics-recording-only',
  '--disable-blink-features=SharedWorker',
];

/**
 * All frames of a page share one process: a frame in another process runs its first script before the service can remove
 * interfaces from it. Frames get no documents of other sites, so there is nothing to isolate.
 */
const ONE_PROCESS = ['--disable-site-isolation-trials', '--renderer-process-limit=1', '--no-startup-window'];

const DISABLED_FEATURES = [
  'AsyncDns',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'FencedFrames',
  'InterestFeedContentSuggestions',
  'IsolateSandboxedIframes',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'Prerender2',
  'SpareRendererForSitePerProcess',
  'Translate',
  'WebRtcHideLocalIpsWithMdns',
  'WebUIOmniboxPopup',
];

const QUIET = [
  '--headless',
  '--no-first-run',
  '--no-default-browser-check',
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--disable-3d-apis',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-notifications',
  '--disable-speech-api',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  '--js-flags=--max-old-space-size=512',
];

/** Flags of each Chromium that the service starts. */
export const FLAGS = [...QUIET, ...CUT_OFF, ...ONE_PROCESS, `--disable-features=${DISABLED_FEATURES.join()}`];
