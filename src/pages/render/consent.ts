import { PLACE_OF, type Point, SHADOWS } from './page-scripts.ts';

/** In characters outside of the wall. A page with more text has only a banner. */
const MAX_TEXT_BEHIND_WALL = 250;

/** In characters. A longer text is that of the wall. */
const MAX_BUTTON_LENGTH = 60;

/** Finds the button of a wall of consent that refuses, or else accepts: the page gets no cookies either way. */
const FIND_BUTTON = `(() => {
  ${PLACE_OF}
  ${SHADOWS}
  const findAll = (selector) => [document, ...shadowsIn(document)].flatMap((root) => [...root.querySelectorAll(selector)]);
  const NAME = /consent|cookie|gdpr|onetrust|didomi|usercentrics|\\bcmp\\b/i;
  const REFUSE = /^(?:reject|decline|refuse|deny|only necessary|necessary only|continue without|alle ablehnen|ablehnen|nur notwendige|tout refuser|refuser|continuer sans|rechazar|rejeitar|rifiuta|weigeren|odrzu)/i;
  const ACCEPT = /^(?:accept|agree|allow|i agree|ok\\b|got it|continue|alle akzeptieren|akzeptieren|zustimmen|einverstanden|tout accepter|accepter|aceptar|aceitar|accetta|accepteren|akceptuj)/i;
  const isConsent = (box) => NAME.test(box.id + ' ' + box.getAttribute('class')) || (box.matches('[role="dialog"], [aria-modal="true"], dialog') && /cookie|consent/i.test(box.innerText));
  const boxes = findAll('[role="dialog"], [aria-modal="true"], dialog[open], div[id], div[class], section').slice(0, 3000).filter((box) => isConsent(box) && box.innerText?.trim());
  const [wall] = boxes;
  if (!wall || (document.body.innerText.length - wall.innerText.length) > ${MAX_TEXT_BEHIND_WALL}) return null;
  const buttons = boxes.flatMap((box) => [...box.querySelectorAll('button, [role="button"], a, input[type="button"], input[type="submit"], [tabindex], [class*="btn"], [class*="button"]')]);
  for (const words of [REFUSE, ACCEPT]) {
    for (const button of buttons) {
      const text = (button.innerText || button.value || '').trim();
      if (text.length > ${MAX_BUTTON_LENGTH} || !words.test(text)) continue;
      const place = placeOf(button);
      if (place) return place;
    }
  }
  return null;
})()`;

interface Page {
  evaluate(expression: string): Promise<unknown>;
  click(point: Point): Promise<void>;
}

/** Leaves a wall of consent. Returns false if the page has none. */
export async function leaveConsentWall({ evaluate, click }: Page): Promise<boolean> {
  const point = (await evaluate(FIND_BUTTON)) as Point | null;
  if (point !== null) await click(point);
  return point !== null;
}
