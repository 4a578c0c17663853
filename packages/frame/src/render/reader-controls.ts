import { html, type Markup } from '../../../reader/src/html.ts';
import type { FrameWords } from './frame-words.ts';

/** Characters of East Asian scripts, which count as half a word. */
const WIDE_CHARACTER = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/g;
const WORDS_PER_MINUTE = 230;
const SIZES = ['small', '', 'large', 'larger', 'largest'] as const;

/** Estimates the time that a reader takes for the text, at least one minute. */
function countMinutes(content: string): number {
  const text = content.replace(/<[^>]*>/g, ' ');
  const wide = text.match(WIDE_CHARACTER)?.length ?? 0;
  const words = text.replace(WIDE_CHARACTER, ' ').match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  return Math.max(1, Math.round((words + wide / 2) / WORDS_PER_MINUTE));
}

export function renderMinutes(content: string, { words, attributes }: FrameWords): Markup {
  const minutes = countMinutes(content);
  return html`<span class="dot" aria-hidden="true">·</span><span class="minutes"${renderAmount(minutes, 'minute', { words, attributes })}</span>`;
}

/** Renders the attributes and the text of an element for an amount. The script of the words does the same. */
export function renderAmount(
  value: number,
  unit: string,
  { words, attributes }: Pick<FrameWords, 'words' | 'attributes'>,
): Markup {
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  const text = new Intl.NumberFormat(words.language, { style: 'unit', unit, unitDisplay }).format(value);
  return html` data-unit="${unit}" data-value="${String(value)}"${attributes}>${text}`;
}

/** Renders the button that opens the panel. Both are shown only with JavaScript. */
export function renderReaderButton({ words, attributes }: FrameWords): Markup {
  const { title } = words.reader;
  return html`<button type="button" class="tool" aria-expanded="false" aria-controls="reader" title="${title}"${attributes}><span aria-hidden="true">Aa</span><span class="spoken">${title}</span></button>`;
}

/** Renders the panel. Its script fills the contents, and stores the choices by the names of the selects. */
export function renderReaderPanel({ words: { reader: words }, attributes }: FrameWords, embedUrl: string): Markup {
  const sizes = words.sizes.map((label, i) => [SIZES[i] ?? '', label] as const);
  const fonts = [
    ['', words.standard],
    ['sans', words.sans],
    ['serif', words.serif],
    ['mono', words.mono],
  ] as const;
  const widths = [
    ['narrow', words.narrow],
    ['', words.standard],
    ['wide', words.wide],
  ] as const;
  return html`<section class="reader" id="reader" aria-label="${words.title}"${attributes} hidden>
<div>${renderSelect('size', words.size, sizes)}${renderSelect('font', words.font, fonts)}${renderSelect('width', words.width, widths)}</div>
<div><button type="button" data-name="listen" data-stop="${words.stop}">${words.listen}</button><a href="${embedUrl}#print" target="_blank" rel="noopener">${words.print}</a><button type="button" data-name="link" data-done="${words.copied}" data-empty="${words.selectFirst}">${words.copyLink}</button><button type="button" data-name="changes" data-since="${words.changedSince}" aria-pressed="false" hidden>${words.whatChanged}</button><output></output></div>
<nav aria-label="${words.contents}" hidden><p>${words.contents}</p><ol></ol></nav>
</section>`;
}

function renderSelect(name: string, label: string, options: readonly (readonly [string, string])[]): Markup {
  const list = options.map(
    ([value, text]) => html`<option value="${value}"${value === '' ? html` selected` : null}>${text}</option>`,
  );
  return html`<label>${label}<select data-name="${name}" autocomplete="off">${list}</select></label>`;
}
