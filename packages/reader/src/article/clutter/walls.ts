import { textLengthBefore } from '../blocks/tree.ts';
import { toLine } from '../plain-text.ts';
import { selectAll } from '../tree/select.ts';

const BLOCKS = 'p, h2, h3, h4, h5, h6, div, section, aside, strong, b, span, a';
const MAX_LINE_LENGTH = 200;
/** In characters. More text after the line is the rest of the article, and after a doubtful line more that offers nothing. */
const MAX_FOLLOWING_LENGTH = 600;
const MAX_TEXT_AFTER_DOUBTFUL = 250;
const OFFER =
  /subscri|sign (?:in|up)|log ?in|account|member|trial|cancel|unlimited|access|verify|[$€£¥]|abonn|konto|angebot|zugang|compte|suscri|cuenta|assin|conta\b|abbona|подпис|会員|登録/i;
/** In characters. A line after less text is a label above the part that everybody may read. */
const MAX_LENGTH_BEFORE_LABEL = 100;

/** Lines of sites where the text stops for readers without an account. */
const WALLS = [
  /\b(?:subscribe|sign (?:in|up)|log ?in|register|join|upgrade)\b.{0,60}\bto (?:continue|keep|finish) reading\b/i,
  /^become an? (?:\p{L}{1,20} )?(?:member|subscriber) to (?:(?:continue|keep|finish) reading|(?:read|unlock|access) (?:this|the (?:full|whole|entire)) (?:article|story|post)\b)/iu,
  /^(?:to )?(?:continue|keep) reading(?: (?:this|the (?:full|whole|entire)) (?:article|story|post))?,? with an? (?:\p{L}{1,20} ){0,2}(?:subscription|membership)\b/iu,
  /^(?:to )?(?:continue|keep) reading\b.{0,80}(?:\bsubscribe|\bsign (?:in|up)|\blog ?in|\bregister|\baccount|\bfor free\b|\bfree trial\b|[$€£]\s?\d)/i,
  /^to (?:read|see|view) (?:the (?:full|whole|rest of (?:the|this)|entire)|this) (?:article|story|post|text|content|piece|interview|report)\b.{0,60}\b(?:subscribe|sign (?:in|up)|log ?in|register|join)\b/i,
  /^(?:this|the rest of this) (?:post|article|story|content|episode) is (?:only )?(?:for|available (?:only )?(?:to|for)|exclusive to|reserved for)\b.{0,30}\b(?:subscribers|members|patrons)(?: only\b| (?:on|at) |[.!]|$)/i,
  /^[Tt]h(?:is|e rest of this) (?:post|article|story|content|episode) is (?:only )?(?:for|available (?:only )?(?:to|for)|exclusive to|reserved for)\b.{0,30}\b(?:subscribers|members|patrons) (?:of|to)(?: (?:[Tt]he|\p{Lu}[^\s.!]{0,30})){1,5}[.!]?$/u,
  /^you(?:['’]ve| have) (?:reached|read|used) (?:your|all)\b(?=.{0,60}\b(?:free|limit)\b).{0,40}\b(?:articles?|stories|posts|(?:monthly|free) limit)\b/i,
  /^thank you for your patience while we verify access\b/i,
  /^(?:jetzt )?weiterlesen mit\b|\b(?:abonnieren|anmelden|registrieren)\b.{0,30}\bweiter(?:zu)?lesen\b/i,
  /^diese[rs]? (?:artikel|inhalt|beitrag|text) ist (?:(?:nur|exklusiv)\b.{0,40}\b(?:abonnent|mitglied|leser)|für (?:unsere )?(?:abonnent|mitglied)[a-z]*(?: und (?:abonnent|mitglied)[a-z]*)?(?: verfügbar)?[.!]?$)/i,
  /\b(?:article|contenu|suite) (?:est )?réservée? (?:à nos |aux |à )?abonné|\b(?:abonnez|connectez|inscrivez)-vous pour (?:lire|continuer|poursuivre)\b/i,
  /\b(?:suscr[ií]b(?:ete|ase)|reg[ií]str(?:ate|ese)|inicia sesión)\b.{0,20} para (?:seguir|continuar) leyendo\b|\b(?:contenido|artículo) (?:exclusivo|solo) para (?:suscriptores|socios)\b/i,
  /\bassine para (?:continuar|ler)\b|\b(?:conteúdo|matéria) exclusiv[oa] para assinantes\b/i,
  /\babbonati per (?:continuare|leggere)\b|\bcontenuto (?:riservato|esclusivo) (?:agli|per gli) abbonati\b/i,
  /(?:подпишитесь|войдите|оформите подписку).{0,20},? чтобы (?:читать|продолжить чтение|прочитать)/i,
  /\b(?:abonneer|log in|registreer) (?:je |u )?om (?:verder|door) te lezen\b/i,
  /^(?:この記事は|続きを読むには|ここから先は).{0,30}(?:会員|登録|ログイン)|^(?:有料(?:会員限定)?記事.{0,10})?残り\s?[\d,]+\s?文字/,
];

/** The same, but also in instructions. */
const DOUBTFUL_WALL =
  /\b(?:subscribe|sign (?:in|up)|log ?in|register|join|upgrade|create an? (?:free )?account)\b.{0,60}\bto (?:read|see|view|unlock|access) (?:(?:the (?:full|whole|rest of (?:the|this)|entire)|this) (?:article|story|post|text|content|piece|interview|report)\b|the (?:article|story|post|content)[.!]?$)/i;

/**
 * Removes the line that says that the text goes on only for subscribers, with the offers that follow it. The text below such a
 * line at the start stays. Returns whether there was one.
 */
export function removeWall(root: Element): boolean {
  for (const element of selectAll(root, BLOCKS)) {
    if (!isWall(element)) continue;
    const texts = textsAfter(element, root);
    if (texts === null) continue;
    const following = totalLengthOf(texts);
    const before = textLengthBefore(element, root, MAX_LENGTH_BEFORE_LABEL);
    if (before <= MAX_LENGTH_BEFORE_LABEL && before < following) element.remove();
    else if (!isCertain(textOf(element)) && isText(texts)) continue;
    else removeFrom(element, root);
    return true;
  }
  return false;
}

/** Returns whether the element is a line that says that the text goes on only for subscribers. */
export function isWall(element: Element): boolean {
  const text = textOf(element);
  return text !== '' && text.length <= MAX_LINE_LENGTH && (isCertain(text) || DOUBTFUL_WALL.test(text));
}

function isCertain(text: string): boolean {
  return WALLS.some((wall) => wall.test(text));
}

function textOf(node: Node): string {
  return toLine(node.textContent);
}

/** Returns the texts behind an element, or null if they are longer than {@link MAX_FOLLOWING_LENGTH}. */
function textsAfter(element: Element, root: Element): readonly string[] | null {
  const texts: string[] = [];
  let length = 0;
  for (let box: Element | null = element; box && box !== root; box = box.parentElement) {
    for (let next = box.nextSibling; next; next = next.nextSibling) {
      const text = textOf(next);
      length += text.length;
      if (length > MAX_FOLLOWING_LENGTH) return null;
      texts.push(text);
    }
  }
  return texts;
}

/** Returns whether the texts are the rest of the article if the line before them is doubtful. */
function isText(texts: readonly string[]): boolean {
  return totalLengthOf(texts.filter((text) => !OFFER.test(text))) > MAX_TEXT_AFTER_DOUBTFUL;
}

function totalLengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Removes an element with all that follows it, and boxes that have nothing else. */
function removeFrom(element: Element, root: Element): void {
  let box: Element | null = element;
  while (box && box !== root) {
    const parent: Element | null = box.parentElement;
    while (box.nextSibling) box.nextSibling.remove();
    if (box === element || textOf(box) === '') box.remove();
    box = parent;
  }
}
