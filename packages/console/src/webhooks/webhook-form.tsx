import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, apiErrorOf, isUnconfirmed } from '../api/api-error.ts';
import type { Session } from '../api/session.ts';
import {
  CreateWebhookDocument,
  UpdateWebhookDocument,
  type WebhookEvent,
  type WebhookPartsFragment,
} from '../generated/operations.ts';
import { FormError } from '../ui/form-error.tsx';

const EVENTS: readonly WebhookEvent[] = [
  'EMBED_CREATED',
  'EMBED_UPDATED',
  'EMBED_DELETED',
  'PAGE_CHANGED',
  'PAGE_STATE_CHANGED',
  'TOKEN_CREATED',
  'TOKEN_REVOKED',
];

/** Returns the type of an event in messages, such as `page.state_changed`. */
export function typeOf(event: WebhookEvent): string {
  return event.toLowerCase().replace('_', '.');
}

/** A webhook and the secret that the API has just made for it. */
export interface WebhookSecret {
  readonly webhook: WebhookPartsFragment;
  readonly secret: string;
}

interface NewWebhookProps {
  readonly session: Session;
  readonly onCreated: (created: WebhookSecret) => void;
  readonly onUnconfirmed: () => void;
}

export function NewWebhookForm({ session: { client }, onCreated, onUnconfirmed }: NewWebhookProps) {
  async function create(input: WebhookInput): Promise<ApiError | null> {
    const { data, error } = await client.mutation(CreateWebhookDocument, { input }).toPromise();
    if (data) onCreated(data.createWebhook);
    if (!error) return null;
    const refusal = apiErrorOf(error);
    if (!isUnconfirmed(refusal)) return refusal;
    onUnconfirmed();
    const message = `${refusal.message} If the list has the webhook, give it a new secret: this one is lost.`;
    return { ...refusal, message };
  }
  const initial = { url: '', events: EVENTS.slice(0, 3) };
  return <WebhookForm id="new" heading="New webhook" {...initial} action="Create webhook" onSubmit={create} />;
}

interface EditProps {
  readonly webhook: WebhookPartsFragment;
  readonly session: Session;
  readonly onClose: () => void;
  readonly onUnconfirmed: () => void;
}

export function EditWebhookForm({ webhook, session: { client }, onClose, onUnconfirmed }: EditProps) {
  const { id, url, events } = webhook;
  async function update(input: WebhookInput): Promise<ApiError | null> {
    const { data, error } = await client.mutation(UpdateWebhookDocument, { input: { id, ...input } }).toPromise();
    if (data) onClose();
    if (!error) return null;
    const refusal = apiErrorOf(error);
    if (isUnconfirmed(refusal)) onUnconfirmed();
    return refusal;
  }
  return <WebhookForm id={id} url={url} events={events} action="Save webhook" onSubmit={update} onCancel={onClose} />;
}

interface WebhookInput {
  readonly url: string;
  readonly events: WebhookEvent[];
}

interface FormProps {
  /** Prefix of the ids of the elements, unique on the page. */
  readonly id: string;
  /** Heading of a form that is a panel of its own. */
  readonly heading?: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly action: string;
  readonly onSubmit: (input: WebhookInput) => Promise<ApiError | null>;
  /** A form that can be cancelled has the focus at first. */
  readonly onCancel?: () => void;
}

function WebhookForm({ id, heading, action, onSubmit, onCancel, ...initial }: FormProps) {
  const [url, setUrl] = useState(initial.url);
  const [events, setEvents] = useState(initial.events);
  const [apiError, setApiError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { faults = {} } = apiError ?? {};
  useEffect(() => {
    if (apiError) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .note')?.focus();
  }, [apiError]);
  useEffect(() => {
    if (onCancel) form.current?.querySelector('input')?.focus();
  }, []);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const refusal = await onSubmit({ url: url.trim(), events: [...events] });
    setBusy(false);
    setApiError(refusal);
  }

  function toggle(event: WebhookEvent, isOn: boolean) {
    setEvents(EVENTS.filter((each) => (each === event ? isOn : events.includes(each))));
  }

  return (
    <form
      ref={form}
      class={heading && 'panel'}
      onSubmit={submit}
      noValidate
      aria-labelledby={heading && `${id}-heading`}
    >
      {heading && <h2 id={`${id}-heading`}>{heading}</h2>}
      <div class="field">
        <label for={`${id}-url`}>URL</label>
        <input
          id={`${id}-url`}
          class="input"
          type="url"
          autoComplete="off"
          spellcheck={false}
          placeholder="https://example.com/hook"
          value={url}
          aria-invalid={faults.url !== undefined}
          aria-describedby={`${id}-url-fault ${id}-url-hint`}
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <p id={`${id}-url-fault`} class="fault" role="alert">
          {faults.url && `The URL ${faults.url}.`}
        </p>
        <p id={`${id}-url-hint`} class="hint">
          It receives signed events as POST requests. Redirects are not followed.
        </p>
      </div>
      <fieldset class="field" aria-describedby={`${id}-events-fault`}>
        <legend>Events</legend>
        {EVENTS.map((event) => (
          <label key={event} class="check wide">
            <input
              type="checkbox"
              checked={events.includes(event)}
              aria-invalid={faults.events !== undefined}
              onChange={({ currentTarget }) => toggle(event, currentTarget.checked)}
            />
            <span class="mono">{typeOf(event)}</span>
          </label>
        ))}
        <p id={`${id}-events-fault`} class="fault" role="alert">
          {faults.events && 'Choose one or more events.'}
        </p>
      </fieldset>
      <FormError error={apiError} />
      <div class="actions">
        <button type="submit" class="button primary" aria-busy={isBusy}>
          {action}
        </button>
        {onCancel && (
          <button type="button" class="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}
