/** Every element that GraphiQL puts its colours on. */
const PARTS =
  ':is(.graphiql-container, .CodeMirror-info, .CodeMirror-lint-tooltip, .graphiql-dialog, .graphiql-tooltip)';
const LIGHT_COLORS =
  '--color-primary: 320, 95%, 38%; --color-secondary: 242, 51%, 52%; --color-tertiary: 188, 100%, 25%; --color-info: 208, 100%, 35%; --color-success: 158, 60%, 26%; --color-warning: 36, 100%, 27%; --color-error: 13, 93%, 40%;';
const DARK_COLORS = '--color-primary: 338, 100%, 75%; --color-error: 13, 100%, 70%;';

/** Colours with a contrast of 4.5 to 1 (WCAG 1.4.3), and lines below links within text (1.4.1). */
export const ACCESSIBLE_CSS = `
body.graphiql-light ${PARTS} { ${LIGHT_COLORS} }
@media (prefers-color-scheme: light) { body:not(.graphiql-dark) ${PARTS} { ${LIGHT_COLORS} } }
html body.graphiql-dark ${PARTS} { ${DARK_COLORS} }
@media (prefers-color-scheme: dark) { html body:not(.graphiql-light) ${PARTS} { ${DARK_COLORS} } }
body ${PARTS} { --alpha-secondary: .95; --alpha-tertiary: .85; }
a[class^=graphiql-doc-explorer] { text-decoration: underline; }`;

/** Names the fields that GraphiQL leaves without a label, and lets the keyboard scroll the editors. */
export const ACCESSIBLE_SCRIPT = `(() => {
  const nameFields = () => {
    for (const field of document.querySelectorAll('#root :is(input, select, textarea):not([aria-label], [id])')) {
      const editor = field.closest('.CodeMirror');
      const region = editor ? field.closest('[aria-label]') : field.closest('span:has(> span + *), div');
      const name = editor ? region?.ariaLabel ?? 'Response' : region?.textContent.replace(/[^\\w].*/s, '');
      field.ariaLabel = name || field.type;
    }
    for (const box of document.querySelectorAll('.CodeMirror-scroll[tabindex="-1"]')) box.tabIndex = 0;
  };
  document.addEventListener('DOMContentLoaded', () => {
    new MutationObserver(nameFields).observe(document.getElementById('root'), { childList: true, subtree: true });
    nameFields();
  });
})();`;
