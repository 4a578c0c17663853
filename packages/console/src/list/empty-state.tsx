import { hrefOfNew, NEW } from '../route.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';

export const EXAMPLE_PAGE = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';

const STEPS: readonly { readonly icon: IconName; readonly title: string; readonly text: string }[] = [
  { icon: 'page', title: 'Pick a page', text: 'Enter the URL of any public page. The embed shows its article.' },
  {
    icon: 'sliders',
    title: 'Choose the settings',
    text: 'Light or dark, font, top bar. A preview shows the result.',
  },
  {
    icon: 'code',
    title: 'Paste the snippet',
    text: 'Paste an iframe into your site. Its height adjusts to the content.',
  },
];

/** An introduction for accounts without embeds. */
export function EmptyState({ canWrite }: { readonly canWrite: boolean }) {
  return (
    <section class="empty" aria-labelledby="empty-heading">
      <h2 id="empty-heading">Show any public page inside your site</h2>
      <p class="lead">This account has no embeds yet. An embed shows a page in an iframe on your site.</p>
      {canWrite ? (
        <FirstSteps />
      ) : (
        <p class="note">This token is read-only. To create embeds, sign in with a token that has the scope “write”.</p>
      )}
    </section>
  );
}

function FirstSteps() {
  return (
    <>
      <ol class="steps">
        {STEPS.map(({ icon, title, text }) => (
          <li key={title}>
            <span class="step-icon">
              <Icon name={icon} />
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      <div class="actions">
        <a class="button primary" href={NEW}>
          <Icon name="plus" />
          Create your first embed
        </a>
        <a class="button" href={hrefOfNew(EXAMPLE_PAGE)}>
          Try an example
        </a>
      </div>
      <CurlExample />
    </>
  );
}

function CurlExample() {
  const command = `curl ${location.origin}/v1/embeds -H "Authorization: Bearer $TOKEN" \\\n  -d page_url=${EXAMPLE_PAGE}`;
  return (
    <div class="curl-example">
      <div class="code-head">
        <h3>Or use the API</h3>
        <CopyButton name="Command" label="Copy" text={command} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need focus to scroll */}
      <pre tabIndex={0}>
        <code>{command}</code>
      </pre>
    </div>
  );
}
