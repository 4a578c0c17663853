/*
 * Fits the height of iframes to the embeds in them, and defines the element <page-embed>. Sites may include it more than
 * once, before or after the iframes, which may be in open shadow roots.
 */
(() => {
  if (window.embedGateway) return;
  window.embedGateway = true;

  const MIN_HEIGHT_PX = 40;
  const MAX_HEIGHT_PX = 200_000;
  /* The id of the embed is the first label of the host name. */
  const EMBED_ORIGIN = /^https?:\/\/[0-7][0-9a-hjkmnp-tv-z]{25}\./;

  /* The connected <page-embed> elements by their iframes, also in closed shadow roots. */
  const elements = new Map();

  const originOf = (frame) => {
    try {
      return new URL(frame.src).origin;
    } catch {
      return '';
    }
  };

  const embedsIn = (root) => [...root.querySelectorAll('iframe')].filter((frame) => EMBED_ORIGIN.test(originOf(frame)));

  const shadowRootsIn = (root) =>
    [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
      shadowRoot ? [shadowRoot, ...shadowRootsIn(shadowRoot)] : [],
    );

  const findEmbed = (matches) =>
    [...elements.keys(), ...embedsIn(document)].find(matches) ??
    shadowRootsIn(document).flatMap(embedsIn).find(matches);

  const resize = (frame, contentHeight) => {
    const element = elements.get(frame);
    const style = getComputedStyle(element ?? frame);
    const edges = [style.paddingTop, style.paddingBottom, style.borderTopWidth, style.borderBottomWidth];
    const extraHeight =
      style.boxSizing === 'border-box' ? edges.reduce((sum, edge) => sum + Number.parseFloat(edge), 0) : 0;
    const height = Math.min(Math.max(contentHeight, MIN_HEIGHT_PX), MAX_HEIGHT_PX) + extraHeight;
    if (element) element.fit(Math.ceil(height));
    else frame.style.height = `${Math.ceil(height)}px`;
  };

  /*
   * The source identifies the iframe. A frame keeps the reader's place when its text changes. The origin proves that it still shows
   * the embed; in a sandbox without `allow-same-origin`, such as one around the page, it is null.
   */
  addEventListener('message', ({ data, origin, source }) => {
    if (data?.type !== 'embed-gateway:height' || !Number.isFinite(data.height)) return;
    const frame = findEmbed((one) => one.contentWindow === source && [originOf(one), 'null'].includes(origin));
    if (!frame) return;
    resize(frame, data.height);
    if (data.shift) scrollBy(0, data.shift);
  });

  const requestHeights = () => {
    for (const frame of [...elements.keys(), ...[document, ...shadowRootsIn(document)].flatMap(embedsIn)]) {
      frame.contentWindow?.postMessage({ type: 'embed-gateway:measure' }, '*');
    }
  };

  /* Its height is a rule of the element's own style sheet, so that every rule of the page overrides it. */
  class PageEmbed extends HTMLElement {
    static observedAttributes = ['src', 'title'];
    #frame = document.createElement('iframe');
    #sheet = new CSSStyleSheet();

    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [this.#sheet];
      this.#frame.style.cssText = 'display: block; width: 100%; height: 100%';
      this.#frame.frameBorder = '0';
      this.#frame.loading = 'lazy';
      this.#frame.sandbox =
        'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads';
      this.#frame.allowFullscreen = true;
      root.append(this.#frame);
      this.fit(600);
    }

    connectedCallback() {
      elements.set(this.#frame, this);
    }

    disconnectedCallback() {
      elements.delete(this.#frame);
    }

    /* Ignores URLs of anything but embeds: a `javascript:` URL would run in the page. */
    attributeChangedCallback(name, _, value) {
      if (name === 'title') this.#frame.title = value ?? '';
      else this.#frame.src = EMBED_ORIGIN.test(value) ? value : 'about:blank';
    }

    fit(height) {
      this.#sheet.replaceSync(`:host{display:block;flex:none;height:${height}px}:host([hidden]){display:none}`);
    }
  }
  customElements.define('page-embed', PageEmbed);

  /* Embeds may have loaded before this script, and off-screen iframes do not observe that they are resized. */
  requestHeights();
  addEventListener('resize', requestHeights);
})();
