/*
 * Fits the height of iframes to the embeds in them, and defines the element <page-embed>. Sites may include it more than
 * once, before or after the iframes, which may be in open shadow roots.
 */
(() => {
  if (customElements.get('page-embed')) return;

  /* The id of the embed is the first label of the host name. */
  const EMBED_URL = /^https?:\/\/[0-7][0-9a-hjkmnp-tv-z]{25}\./;

  /* The connected <page-embed> elements by their iframes, also in closed shadow roots. */
  const elements = new Map();

  const rootsIn = (root) => [
    root,
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? rootsIn(shadowRoot) : [])),
  ];

  const listEmbeds = () => [
    ...elements.keys(),
    ...rootsIn(document)
      .flatMap((root) => [...root.querySelectorAll('iframe')])
      .filter(({ src }) => EMBED_URL.test(src)),
  ];

  /* 1 in a flex row, where what is beside an embed needs room, and 0 in a flex column, where it keeps its height. */
  const shrinkOf = (element) => {
    const { display, flexDirection } = getComputedStyle(element.parentElement ?? element.getRootNode().host);
    return /flex row/.test(`${display} ${flexDirection}`) ? 1 : 0;
  };

  const resize = (frame, content) => {
    const element = elements.get(frame);
    const style = getComputedStyle(element ?? frame);
    /* From 40 to 200,000 px. */
    let height = Math.min(Math.max(content, 40), 2e5);
    if (style.boxSizing === 'border-box')
      for (const edge of ['paddingTop', 'paddingBottom', 'borderTop', 'borderBottom'])
        height += Number.parseFloat(style[edge]);
    height = `${Math.ceil(height)}px`;
    if (element) return element.fit(height);
    frame.style.height = height;
    frame.style.flexShrink &&= shrinkOf(frame);
  };

  /*
   * The source identifies the iframe. A frame keeps the reader's place when its text changes. The origin proves that it still shows
   * the embed; in a sandbox without `allow-same-origin`, such as one around the page, it is null.
   */
  addEventListener('message', ({ data, origin, source }) => {
    if (data?.type !== 'embed-gateway:height' || !Number.isFinite(data.height)) return;
    const isSource = ({ src, contentWindow }) =>
      contentWindow === source && (origin === 'null' || src.startsWith(`${origin}/`));
    const frame = listEmbeds().find(isSource);
    if (!frame) return;
    resize(frame, data.height);
    /* Of the elements around it, the nearest one scrolls that the reader can scroll, or that a script has scrolled. */
    for (let node = data.shift && frame; node; node = node.assignedSlot ?? node.parentNode ?? node.host) {
      const { scrollTop } = node;
      if (scrollTop || (node.scrollBy && getComputedStyle(node).overflowY !== 'hidden'))
        node.scrollBy({ top: data.shift, behavior: 'instant' });
      if (node.scrollTop !== scrollTop) break;
    }
  });

  const requestHeights = () => {
    for (const frame of listEmbeds()) frame.contentWindow?.postMessage({ type: 'embed-gateway:measure' }, '*');
  };

  /* Its height is a rule of the element's own style sheet, so that every rule of the page overrides it. */
  class PageEmbed extends HTMLElement {
    static observedAttributes = ['src', 'title'];
    #frame = document.createElement('iframe');
    #sheet = new CSSStyleSheet();
    #height;

    constructor() {
      super();
      this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [this.#sheet];
      Object.assign(this.#frame, {
        style: 'display:block;width:100%;height:100%',
        frameBorder: '0',
        loading: 'lazy',
        sandbox: 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads',
        allowFullscreen: true,
      });
    }

    connectedCallback() {
      elements.set(this.#frame, this);
      /* With its source: browsers warn of an empty frame in such a sandbox. */
      if (!this.#frame.isConnected) this.shadowRoot.append(this.#frame);
      this.fit(this.#height ?? (this.style.minHeight || '600px'));
    }

    disconnectedCallback() {
      elements.delete(this.#frame);
    }

    /* Ignores URLs of anything but embeds: a `javascript:` URL would run in the page. */
    attributeChangedCallback(name, _, value) {
      if (name === 'title') this.#frame.title = value ?? '';
      else this.#frame.src = EMBED_URL.test(value) ? value : 'about:blank';
    }

    /* The least height in its `style` attribute is that before the script has loaded, and its first height. */
    fit(height) {
      this.#height = height;
      this.#sheet.replaceSync(
        `:host{display:block;flex:0 ${shrinkOf(this)} auto;width:-moz-available;width:-webkit-fill-available;${this.style.minHeight && 'min-height:0!important;'}height:${height}}:host([hidden]){display:none}`,
      );
    }
  }
  customElements.define('page-embed', PageEmbed);

  /* Embeds may have loaded before this script, and off-screen iframes do not observe that they are resized. */
  requestHeights();
  addEventListener('resize', requestHeights);
})();
