/** Scripts run in the page, but in no origin: it reaches neither the console nor its token. */
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';
/** An embed has an origin of its own. */
export const EMBED_SANDBOX = `${SANDBOX} allow-same-origin`;
let lastFrame = 0;
/**
 * Shows the preview of a draft in a new frame above the last one, which goes when the new one has loaded: nothing
 * flickers, and Back leads out of the form instead of through previews. The frame is the target of a form, since the
 * token must be in no address.
 */
export async function showPreview(stage, wanted) {
  const frame = document.createElement('iframe');
  frame.name = `preview-${++lastFrame}`;
  frame.title = 'Preview of the embed';
  frame.setAttribute('sandbox', SANDBOX);
  frame.dataset.mode = wanted.draft.mode;
  frame.className = 'incoming';
  stage.append(frame);
  // a frame begins with an empty document, and some browsers report that one as loaded
  await new Promise((resolve) => setTimeout(resolve));
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  submit(frame.name, wanted);
  await loaded;
  while (stage.firstChild && stage.firstChild !== frame && frame.isConnected) stage.firstChild.remove();
  frame.className = '';
}
function submit(target, { draft, token }) {
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
