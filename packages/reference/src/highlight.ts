import highlighter from 'highlight.js/lib/common';
import { html, Markup } from '../../reader/src/html.ts';

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'bash',
  csv: 'plaintext',
  text: 'plaintext',
  '': 'plaintext',
};

/** Renders a block of code in colours. It can be focused, so that the keyboard scrolls it. */
export function renderCode(code: string, language: string, label = 'Code'): Markup {
  const { value } = highlighter.highlight(code.trimEnd(), { language: LANGUAGES[language] ?? language });
  return html`<div class="code"><pre tabindex="0" role="group" aria-label="${label}"><code class="language-${language}">${new Markup(value)}</code></pre></div>`;
}
