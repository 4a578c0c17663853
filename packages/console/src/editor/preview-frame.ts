import type { Draft } from './draft.ts';

/** Scripts run, but without an origin: the page can read neither the console nor its token. */
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';

/** Published embeds are served from their own origin, so they keep it. */
export const EMBED_SANDBOX = `${SANDBOX} allow-same-origin`;

interface PreviewRequest {
  readonly draft: Draft;
  readonly token: string;
}

let lastFrame = 0;

/**
 * Loads the preview of a draft into a new frame, and removes the last frame when the new one has loaded. This avoids
 * flicker, and adds no entries to the browser's history. The request is a form submission, which keeps the token out of
 * the URL.
 */
export async function showPreview(stage: HTMLElement, request: PreviewRequest): Promise<void> {
  const frame = document.createElement('iframe');
  frame.name = `preview-${++lastFrame}`;
  frame.title = 'Preview of the embed';
  frame.setAttribute('sandbox', SANDBOX);
  frame.dataset.mode = request.draft.mode;
  frame.className = 'incoming';
  stage.append(frame);
  // a new frame contains an empty document first, for which some browsers fire a load event
  await new Promise((resolve) => setTimeout(resolve));
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  submit(frame.name, request);
  await loaded;
  while (stage.firstChild && stage.firstChild !== frame && frame.isConnected) stage.firstChild.remove();
  frame.className = '';
}

function submit(target: string, { draft, token }: PreviewRequest): void {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: '/preview', target, hidden: true });
  for (const [name, value] of Object.entries({ ...draft, access_token: token })) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value: String(value) });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
