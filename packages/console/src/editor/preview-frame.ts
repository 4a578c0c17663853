import { inputOf } from '../settings/own-settings.ts';
import type { Draft } from './draft.ts';

/** Scripts run, but without an origin: the page cannot read the console, and is sent no cookies. */
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads';

/** Published embeds are served from their own origin, so they keep it. */
export const EMBED_SANDBOX = `${SANDBOX} allow-same-origin`;

interface PreviewRequest {
  readonly draft: Draft;
  /** The look of the draft is that of the account. */
  readonly isOfAccount: boolean;
}

/** A heading of the page, as the preview sends it. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

let lastFrame = 0;

/**
 * Loads the preview of a draft into a new frame, and removes the last frame when the new one has loaded. This avoids
 * flicker, and adds no entries to the browser's history. The request is a form submission, which carries the cookie of the
 * session.
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

/** Returns the headings that a message of a frame tells; null for any other message. */
export function headingsOf({ source, data }: MessageEvent, frame: Element | null): readonly Heading[] | null {
  const isPreview = frame instanceof HTMLIFrameElement && source === frame.contentWindow;
  return isPreview && data?.type === 'embed-gateway:headings' ? data.headings : null;
}

function submit(target: string, { draft, isOfAccount }: PreviewRequest): void {
  const { allowedSites: _sites, expiresAt: _end, watch: _watch, look, ...fields } = inputOf(draft);
  const values = { ...fields, look: JSON.stringify(look), of_account: isOfAccount };
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: '/preview', target, hidden: true });
  for (const [name, value] of Object.entries(values)) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value: String(value) });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
