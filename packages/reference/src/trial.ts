import { html, type Markup } from '../../reader/src/html.ts';

interface TrialForm {
  readonly method: string;
  readonly path: string;
  readonly accept?: string;
  readonly isWrite: boolean;
  readonly fields: Markup;
}

/** Renders a form that sends a request to this service. Styles hide it where scripts do not run. */
export function renderTrial({ method, path, accept = 'application/json', isWrite, fields }: TrialForm): Markup {
  return html`<details class="trial">
<summary>Try it</summary>
<form data-method="${method}" data-path="${path}" data-accept="${accept}" novalidate>
<label>Access token <span class="hint">not needed if you are signed in to the console</span><input name="token" type="password" autocomplete="off" spellcheck="false" placeholder="emb_…"></label>
${fields}
${isWrite ? html`<p class="warning">This sends a real request, which changes data of your account.</p>` : null}
<button type="submit">Send ${method}</button>
<output hidden></output>
</form>
</details>`;
}
