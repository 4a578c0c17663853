import type { ListedEmbedFragment } from '../../generated/console-operations.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { oembedUrlOf } from './embed-view-model.ts';

/** What one takes away from an embed: to paste, to link, and for other tools. */
export function Share({ embed }: { readonly embed: ListedEmbedFragment }) {
  const ways = [
    { what: 'Snippet', hint: 'HTML for your page', text: embed.html },
    { what: 'URL', hint: 'for an iframe of your own', text: embed.embedUrl },
    { what: 'oEmbed link', hint: 'for other tools', text: oembedUrlOf(embed) },
  ];
  return (
    <section class="panel" aria-labelledby="share-heading">
      <h2 id="share-heading">Share</h2>
      {ways.map(({ what, hint, text }) => (
        <div key={what} class="way">
          <p>
            <b>{what}</b> <span>{hint}</span>
          </p>
          <CopyButton what={what} label="Copy" text={text} of={what} />
          <code class="excerpt">{text}</code>
        </div>
      ))}
    </section>
  );
}
