import { forget } from './storage.ts';

/** Response headers that help to continue. */
const SHOWN_HEADERS = ['etag', 'location', 'link', 'retry-after', 'idempotent-replayed', 'x-request-id'];

interface Parts {
  readonly form: HTMLFormElement;
  readonly token: HTMLInputElement;
  readonly button: HTMLButtonElement;
  readonly output: HTMLOutputElement;
}

/**
 * Makes the forms send requests to this service, with the token that is entered, or else by the session of the console. No
 * token is kept. A second press of the button stops a stream.
 */
export function addTrials(): void {
  // a former version kept tokens
  forget('embed-gateway:token');
  for (const form of document.querySelectorAll<HTMLFormElement>('.trial form')) {
    const token = form.querySelector<HTMLInputElement>('[name=token]');
    const button = form.querySelector('button');
    const output = form.querySelector('output');
    if (!token || !button || !output) continue;
    const parts = { form, token, button, output };
    let running: AbortController | null = null;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (running) return running.abort();
      running = new AbortController();
      await send(parts, running.signal);
      running = null;
    });
  }
}

async function send({ form, token, button, output }: Parts, signal: AbortSignal): Promise<void> {
  const text = token.value.trim().replace(/^Bearer /i, '');
  const required = [...form.querySelectorAll<HTMLInputElement>('input:required')];
  const empty = required.find(({ value }) => value.trim() === '');
  if (empty) {
    show(output, 'fault', `Enter ${empty.name.replace(/^.*:/, '')}.`);
    return empty.focus();
  }
  const label = button.textContent;
  button.textContent = 'Stop';
  try {
    const response = await fetch(...requestOf(form, text, signal));
    const hint = response.status === 401 && text === '' ? ': enter an access token, or sign in to the console' : '';
    const status = `${response.status} ${response.statusText}`;
    const block = show(output, response.ok ? 'ok' : 'fault', `${status}${hint}`);
    await writeBody(block, response, (body) => {
      const title = response.ok ? titleOfErrors(body) : null;
      if (title !== null) setTitle(output, 'fault', `${title} (${status})`);
    });
  } catch (error) {
    if (!signal.aborted) show(output, 'fault', `The request failed: ${(error as Error).message}.`);
  } finally {
    button.textContent = label;
  }
}

/** Builds the request from the fields. Empty fields send nothing. */
function requestOf(form: HTMLFormElement, token: string, signal: AbortSignal): [URL, RequestInit] {
  const { method = 'GET', path = '/', accept = 'application/json' } = form.dataset;
  const headers = new Headers({ accept, ...(token !== '' && { authorization: `Bearer ${token}` }) });
  const url = new URL(path, location.origin);
  let body: string | null = null;
  for (const [field, entry] of new FormData(form)) {
    const [place, name = ''] = field.split(':');
    const value = String(entry);
    if (value === '') continue;
    if (place === 'path') url.pathname = path.replace(`{${name}}`, encodeURIComponent(value));
    if (place === 'query') url.searchParams.set(name, value);
    if (place === 'header') headers.set(name, value);
    if (place === 'body') body = value;
    if (place === 'graphql') body = JSON.stringify({ query: value });
  }
  if (body !== null) headers.set('content-type', 'application/json');
  return [url, { method, headers, body, signal }];
}

interface GraphqlError {
  readonly message: string;
  readonly extensions?: { readonly code?: string };
}

/** Returns the code and the message of the first error of a GraphQL response, whose status can be 200; null without errors. */
function titleOfErrors(body: unknown): string | null {
  const { errors = [] } = body as { readonly errors?: readonly GraphqlError[] };
  const code = errors[0]?.extensions?.code;
  if (!code) return null;
  const others = errors.length === 1 ? '' : ` And ${errors.length - 1} more.`;
  return `${code}: ${errors[0]?.message}${others}`;
}

/** Writes the headers, and the body as it arrives. JSON is indented. Calls back with the JSON of the body or of each event. */
async function writeBody(block: HTMLPreElement, response: Response, onJson: (body: unknown) => void): Promise<void> {
  for (const name of SHOWN_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) block.append(`${name}: ${value}\n`);
  }
  block.append('\n');
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('json')) {
    const body: unknown = await response.json();
    block.append(JSON.stringify(body, null, 2));
    return onJson(body);
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    block.append(part.value);
    const lines = `${rest}${part.value}`.split('\n');
    rest = lines.pop() ?? '';
    if (!type.includes('event-stream')) continue;
    for (const line of lines) if (line.startsWith('data: {')) onJson(JSON.parse(line.slice('data: '.length)));
  }
}

/** Shows a title. Returns the empty block below it. */
function show(output: HTMLOutputElement, state: 'ok' | 'fault', title: string): HTMLPreElement {
  const block = document.createElement('pre');
  block.tabIndex = 0;
  block.setAttribute('role', 'group');
  block.setAttribute('aria-label', 'The response of the service');
  output.replaceChildren(document.createElement('strong'), block);
  setTitle(output, state, title);
  output.hidden = false;
  return block;
}

function setTitle(output: HTMLOutputElement, state: 'ok' | 'fault', title: string): void {
  output.dataset.state = state;
  output.querySelector('strong')?.replaceChildren(title);
}
