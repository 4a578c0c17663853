import { addressOfNew, NEW } from '../route.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';

const EXAMPLE_PAGE = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';

const STEPS: readonly { readonly icon: IconName; readonly title: string; readonly text: string }[] = [
  { icon: 'page', title: 'Pick a page', text: 'The URL of any public page. Its article is taken out and cleaned.' },
  {
    icon: 'sliders',
    title: 'Set the look',
    text: 'Light or dark, a font, with or without a top bar. You see it as you go.',
  },
  { icon: 'code', title: 'Paste the snippet', text: 'An iframe for your site that fits itself to its content.' },
];

/** What a newcomer sees: what embeds are and, where there may be one, the two ways to the first. */
export function EmptyState({ mayWrite }: { readonly mayWrite: boolean }) {
  return (
    <section class="empty" aria-labelledby="empty-heading">
      <h2 id="empty-heading">Show any public page inside your site</h2>
      <p class="lead">This account has no embeds yet. An embed is a page in your colours, ready for an iframe.</p>
      {mayWrite ? (
        <FirstSteps />
      ) : (
        <p class="note">This token may only read. Sign in with one that may write to create embeds.</p>
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
        <a class="button" href={addressOfNew(EXAMPLE_PAGE)}>
          Try it with an example
        </a>
      </div>
      <FromCode />
    </>
  );
}

function FromCode() {
  const command = `curl ${location.origin}/v1/embeds -H "Authorization: Bearer $TOKEN" \\\n  -d page_url=${EXAMPLE_PAGE}`;
  return (
    <div class="from-code">
      <div class="code-head">
        <h3>Or from code</h3>
        <CopyButton what="Command" label="Copy" text={command} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre tabIndex={0}>
        <code>{command}</code>
      </pre>
    </div>
  );
}
