import { type OpenPage, PLACE_OF, type Point, SHADOWS } from '../page-scripts.ts';

/** In characters outside of the wall. A page with more text has only a banner. */
const MAX_TEXT_BEHIND_WALL = 250;

/** In characters, of a button. A longer text is not its name. */
const MAX_NAME_LENGTH = 60;

/** Finds the button of a wall of consent that refuses, or else accepts: the page gets no cookies either way. */
const FIND_CONSENT_BUTTON = `(() => {
  ${PLACE_OF}
  ${SHADOWS}
  const findAll = (selector) => [document, ...shadowsIn(document)].flatMap((root) => [...root.querySelectorAll(selector)]);
  const NAME = /consent|cookie|gdpr|onetrust|didomi|usercentrics|\\bcmp(?:2|box|wrapper)?\\b/i;
  const REFUSE = /^(?:reject|decline|refuse|deny|disagree|do not (?:consent|accept|agree)|don.t (?:consent|accept|agree)|no,? thanks|(?:use |accept |allow )?(?:only|just) (?:the )?(?:necessary|essential|required)|(?:use |accept |allow )?(?:strictly )?(?:necessary|essential|required) (?:cookies )?only|continue without|alles? ablehnen|ablehnen|verweigern|nicht zustimmen|ohne (?:einwilligung|zustimmung)|nur (?:technisch )?(?:notwendige|erforderliche|essenzielle)|tout refuser|(?:je )?refuse|ne pas (?:autoriser|accepter|consentir)|continuer sans|rechazar|no (?:acepto|aceptar|consentir)|continuar sin|s[óo]lo (?:las )?necesarias|rejeitar|recusar|não (?:aceito|aceitar|consentir)|continuar sem|(?:s[óo]|apenas) (?:os )?necess[áa]rios|rifiut|non (?:accett|acconsent)|continua senza|solo (?:i )?necessari|weiger|afwijzen|niet akkoord|alleen (?:noodzakelijke|functionele)|odrzu|nie zgadzam|tylko niezbędne|avvisa|neka|afvis|avvis|nej tack|(?:endast|kun) nødvendig|endast nödvändiga|hylkää|odmítn|reddet|отклонить|отказ|拒否|同意しない|拒绝|거부)/i;
  const ACCEPT = /^(?:accept|agree|allow|consent|i (?:agree|accept|consent)|ok\\b|okay|got it|i understand|continue(?! with)|enter\\b|alles? (?:akzeptieren|annehmen|erlauben|zulassen)|akzeptieren|annehmen|zustimmen|einverstanden|(?:alle )?cookies (?:akzeptieren|zulassen|erlauben)|weiter\\b|tout (?:accepter|autoriser)|accepter|j.accepte|autoriser|d.accord|continuer|acepto|aceptar|permitir|consentir|estoy de acuerdo|continuar|aceito|aceitar|concordo|accett|acconsent|consenti|ho capito|accepteer|accepteren|akkoord|alles (?:accepteren|toestaan)|toestaan|akcept|zaakcept|zgadzam|wyrażam zgodę|przejdź do|godkänn|acceptera|tillåt|tillad|tillat|godta|hyväksy|přij|souhlas|povolit|kabul|принять|принима|соглас|同意|承諾|許可|すべて受け入れる|接受|동의|허용)/i;
  const isConsent = (box) => NAME.test(box.id + ' ' + box.getAttribute('class')) || (box.matches('[role="dialog"], [aria-modal="true"], dialog') && /cookie|consent|privacy|datenschutz|einwilligung|zustimmung|confidentialité|privacidad|privacidade|prywatno|同意|隐私/i.test(box.innerText));
  const boxes = findAll('[role="dialog"], [aria-modal="true"], dialog[open], div[id], div[class], section').slice(0, 3000).filter((box) => isConsent(box) && box.innerText?.trim());
  const [wall] = boxes;
  if (!wall || (document.body.innerText.length - wall.innerText.length) > ${MAX_TEXT_BEHIND_WALL}) return null;
  const buttons = boxes.flatMap((box) => [...box.querySelectorAll('button, [role="button"], a, input[type="button"], input[type="submit"], [tabindex], [class*="btn"], [class*="button"]')]);
  for (const words of [REFUSE, ACCEPT]) {
    for (const button of buttons) {
      const text = (button.innerText || button.value || '').trim();
      if (text.length > ${MAX_NAME_LENGTH} || !words.test(text)) continue;
      const place = placeOf(button);
      if (place) return place;
    }
  }
  return null;
})()`;

/** Leaves a wall of consent. Returns false if the page has none. */
export async function leaveConsentWall({ evaluate, click }: OpenPage): Promise<boolean> {
  const point = (await evaluate(FIND_CONSENT_BUTTON)) as Point | null;
  if (point !== null) await click(point);
  return point !== null;
}

/** In characters of text beside the button. A shorter text is a teaser of another page. */
const MIN_TEXT_BEFORE_REST = 500;

/** Finds the only button that shows the rest of a text. Elements of drawings have no `innerText`. Several of them belong to teasers, reviews or comments. */
const FIND_REST_BUTTON = `(() => {
  ${PLACE_OF}
  const NAME = /^(?:(?:read|show|view|see) (?:more|all|(?:the )?(?:rest|(?:full|whole|entire) (?:article|story|text|post)))|continue reading|keep reading|expand(?: (?:article|text))?|weiterlesen|mehr (?:lesen|anzeigen)|(?:ganzen|vollständigen) (?:artikel|text) (?:lesen|anzeigen)|lire (?:la suite|plus)|(?:afficher|voir) (?:la suite|plus)|(?:leer|ver|mostrar) más|(?:seguir|continuar) leyendo|(?:ler|ver|mostrar) mais|continuar (?:lendo|a ler)|leggi (?:tutto|di più|ancora)|mostra (?:altro|di più)|continua a leggere|(?:lees|toon) (?:meer|verder)|verder lezen|(?:czytaj|pokaż) (?:więcej|dalej)|続きを読む|もっと(?:見る|読む)|全文を読む|阅读(?:更多|全文)|展开(?:全文|阅读全文)?|더 ?보기)[\\s.…→»›>+▾▼↓]*$/i;
  const buttons = [...document.querySelectorAll('button, [role="button"], a:not([href]), a[href^="#"], a[href^="javascript:"]')]
    .filter((one) => one.textContent.length < ${MAX_NAME_LENGTH * 3} && !one.closest('nav, header, footer, aside, form, dialog, [role="dialog"]'))
    .filter(({ innerText = '' }) => innerText.trim().length < ${MAX_NAME_LENGTH} && NAME.test(innerText.trim()));
  if (buttons.length !== 1) return null;
  let box = buttons[0];
  while (box.parentElement && box.innerText.length < ${MIN_TEXT_BEFORE_REST}) box = box.parentElement;
  const linked = [...box.querySelectorAll('a')].reduce((sum, link) => sum + (link.innerText?.length ?? 0), 0);
  return box.innerText.length < ${MIN_TEXT_BEFORE_REST} || linked * 2 > box.innerText.length ? null : placeOf(buttons[0]);
})()`;

const FIND_PATH = 'location.pathname + location.search';

/** Shows the rest of a text that ends with a button. A button that led to another page of the application is undone. */
export async function showRest({ evaluate, click, waitUntilStill }: OpenPage): Promise<void> {
  const point = (await evaluate(FIND_REST_BUTTON)) as Point | null;
  if (point === null) return;
  const path = await evaluate(FIND_PATH);
  const entries = await evaluate('history.length');
  await click(point);
  await waitUntilStill();
  if ((await evaluate(FIND_PATH)) === path) return;
  await evaluate(`history.length > ${entries} && history.back()`);
  await waitUntilStill();
}
