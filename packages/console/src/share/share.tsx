import { useEffect, useId, useState } from 'preact/hooks';
import type { ListedEmbedFragment } from '../generated/operations.ts';
import { oembedUrlOf, titleOf } from '../list/embed-view-model.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { PageSketch, type Place } from './page-sketch.tsx';

interface Way {
  readonly name: string;
  readonly text: string;
  readonly hint: string;
  /** The page around the embed, as readers see it. */
  readonly place: Place;
}

/** Returns the ways to put an embed into a page. */
function waysOf(embed: ListedEmbedFragment): readonly Way[] {
  const { html, embedUrl } = embed;
  const title = titleOf(embed);
  const react = `import { PageEmbed } from '@embed-gateway/embed/react';\n\n<PageEmbed src=${JSON.stringify(embedUrl)} title={${JSON.stringify(title)}} mode="${embed.mode.toLowerCase()}" />`;
  const link = `[${title.replace(/[[\]\\]/g, '\\$&')}](${embedUrl})`;
  return [
    { name: 'HTML', text: html, hint: 'Paste it into a page. The frame is as high as its content.', place: 'page' },
    { name: 'React', text: react, hint: 'Install @embed-gateway/embed. It also works with Next.js.', place: 'app' },
    {
      name: 'Markdown',
      text: link,
      hint: 'A link: most tools remove frames. Where HTML works, use it.',
      place: 'readme',
    },
    { name: 'WordPress', text: embedUrl, hint: 'Paste the URL on a line of its own in the editor.', place: 'post' },
    { name: 'URL', text: embedUrl, hint: 'For an iframe of your own, or to open it alone.', place: 'tab' },
    { name: 'oEmbed', text: oembedUrlOf(embed), hint: 'For tools that ask for an oEmbed link.', place: 'message' },
  ];
}

interface Props {
  readonly embed: ListedEmbedFragment;
  /** The embed was created a moment ago. */
  readonly isNew: boolean;
}

/** The snippets of an embed, one tab for each kind of site. The arrow keys change the tab. */
export function Share({ embed, isNew }: Props) {
  const ways = waysOf(embed);
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const way = ways[chosen] ?? ways[0];
  // after the layout effect of the editor, which takes the focus
  useEffect(() => void (isNew && document.getElementById(`${id}-tab-0`)?.focus()), []);
  if (!way) return null;

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (chosen + step + ways.length) % ways.length;
    setChosen(next);
    document.getElementById(`${id}-tab-${next}`)?.focus();
  }
  return (
    <section class="panel share" aria-labelledby="share-heading">
      <div class="share-head">
        <h2 id="share-heading">{isNew ? 'Created. Put it on your page' : 'Share'}</h2>
        <div role="tablist" tabIndex={-1} aria-labelledby="share-heading" onKeyDown={onKeyDown}>
          {ways.map(({ name }, i) => (
            <button
              key={name}
              id={`${id}-tab-${i}`}
              type="button"
              role="tab"
              aria-selected={i === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={i === chosen ? 0 : -1}
              onClick={() => setChosen(i)}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      <div id={`${id}-panel`} class="share-way" role="tabpanel" aria-labelledby={`${id}-tab-${chosen}`}>
        <PageSketch place={way.place} />
        <div>
          <p class="hint">{way.hint}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need focus to scroll */}
          <pre tabIndex={0}>
            <code>{way.text}</code>
          </pre>
        </div>
        <CopyButton key={way.name} name={way.name} label="Copy" text={way.text} subject={way.name} />
      </div>
    </section>
  );
}
