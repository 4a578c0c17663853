import type { Article } from '../../reader/src/article.ts';
import type { FrameView } from '../src/render/frame-view.ts';

export const EMBED_ID = '01kb3x5rj2v7q9m4t8d6w0h1cz';

const CONTENT = `
<p>In 1867 William Thomson, later Lord Kelvin, proposed that the <a href="https://example.com/sea">rise and fall of the sea</a>
could be taken apart into a handful of pure waves, each with the period of something that turns in the sky.</p>
<figure><img src="PICTURE" alt="A coast at low tide" width="1200" height="600" loading="lazy"><figcaption>The estuary at low water.</figcaption></figure>
<h2>Ten wheels and a rope</h2>
<p>A <em>tide predictor</em> adds those waves up again with <strong>pulleys on cranks</strong>, all strung on one cord.
Turn the handle, and the pen draws a year of tides in about four hours.</p>
<ul><li>Each wheel is one constituent.</li><li>Its crank is the amplitude, its phase the start.<ul><li>Read from tables.</li></ul></li></ul>
<blockquote><p>Nothing in the machine knows what a sea is.</p></blockquote>
<h3>The constituents</h3>
<div class="embed-table"><table><caption>Five of the largest, at Liverpool</caption><thead><tr><th>Symbol</th><th>Name</th><th>Period in hours</th><th>Amplitude in metres</th><th>Found by</th><th>Remarks</th></tr></thead>
<tbody><tr><td>M2</td><td>Principal lunar</td><td>12.4206</td><td>3.123</td><td>Newton</td><td>Twice a lunar day, and by far the largest of them all</td></tr>
<tr><td>S2</td><td>Principal solar</td><td>12.0000</td><td>1.016</td><td>Bernoulli</td><td>Twice a day</td></tr></tbody></table></div>
<p>In code it is a line, <code>sum(h * cos(v * t + g))</code>, or a few more:</p>
<pre><code>export function heightAt(hours: number, constituents: readonly Constituent[]): number {
  return constituents.reduce((sum, { amplitude, speed, phase }) => sum + amplitude * Math.cos(speed * hours + phase), 0);
}</code></pre>
<p>https://example.com/a-very-long-address-without-a-single-place-to-break-it-that-goes-on-and-on-and-on-until-it-is-wider-than-a-phone</p>`;

export function sampleArticle(picture = 'https://example.com/coast.svg', changes: Partial<Article> = {}): Article {
  return {
    headTitle: null,
    title: 'How tide tables were computed by brass and string',
    site: 'The Marginalist',
    icon: null,
    language: 'en-GB',
    direction: 'ltr',
    byline: 'Ada Holm',
    publishedAt: '2026-03-12',
    description: 'A machine of ten wheels drew the tides of a year in an afternoon, and was in use until 1965.',
    image: picture,
    hero: null,
    isPaywalled: false,
    content: CONTENT.replace('PICTURE', picture),
    ...changes,
  };
}

export const ARABIC: Partial<Article> = {
  headTitle: null,
  title: 'كيف كانت جداول المد تُحسب بالنحاس والخيوط',
  site: 'الهامش',
  language: 'ar',
  direction: 'rtl',
  byline: 'ليلى حداد',
  content: `<p>في عام 1867 اقترح وليم طومسون أن ارتفاع البحر وانخفاضه يمكن تفكيكه إلى عدد قليل من الموجات النقية.</p>
<h2>عشر عجلات وحبل واحد</h2><ul><li>لكل عجلة موجة واحدة.</li><li>ولكل موجة زمن.</li></ul>
<blockquote><p>لا شيء في هذه الآلة يعرف ما هو البحر.</p></blockquote><pre><code>sum(h * cos(v * t + g))</code></pre>`,
};

export function sampleView(embed: Partial<FrameView['embed']> = {}, changes: Partial<FrameView> = {}): FrameView {
  return {
    embed: { mode: 'LIGHT', showTopBar: true, pageUrl: 'https://example.com/tides?a=1&b=2', ...embed },
    article: sampleArticle(),
    state: 'SHOWN',
    settings: { look: null, allowedSites: null },
    embedUrl: `https://${EMBED_ID}.embeds.example/How-tide-tables-95747105f402490eba51d52e00496c1c`,
    alternates: [
      { type: 'application/json+oembed', url: 'https://embeds.example/oembed?format=json' },
      { type: 'text/xml+oembed', url: 'https://embeds.example/oembed?format=xml' },
    ],
    font: null,
    tag: 'VERSION',
    ...changes,
  };
}
