import { type OpenPage, PLACE_OF, ROOTS, TEXT_OF } from '../page-scripts.ts';

/** In characters outside of the wall. A page with more text has only a banner. */
const MAX_TEXT_BEHIND_WALL = 250;

/** In characters, of a button. A longer text is not its name. */
const MAX_NAME_LENGTH = 60;

/** In characters, of the text of a frame. A longer one is not only a wall. */
const MAX_WALL_LENGTH = 3_000;

/** Finds the button of a wall of consent that refuses, or else accepts: the page gets no cookies either way. */
const FIND_CONSENT_BUTTON = `(() => {
  ${PLACE_OF}
  ${ROOTS}
  ${TEXT_OF}
  const NAME = /consent|cookie|gdpr|onetrust|didomi|usercentrics|axeptio|\\bcmp(?:2|box|wrapper)?\\b/i;
  const SUBJECT = /cookie|consent|privacy|datenschutz|einwilligung|zustimmung|confidentialité|privacidad|privacidade|prywatno|同意|隐私/i;
  const REFUSE = /^(?:(?:i )?(?:reject|decline|refuse|deny|disagree)|do not (?:consent|accept|agree)|don.t (?:consent|accept|agree)|no,? thanks|(?=.{0,40}\\b(?:only|just)\\b)(?:(?:use|accept|allow|only|just|the|strictly) ){0,3}(?:necessary|essential|required|functional)|continue without|alles? ablehnen|ablehnen|verweigern|nicht zustimmen|nein,? danke|(?:weiter )?ohne (?:einwilligung|zustimmung)|nur (?:technisch )?(?:notwendige|erforderliche|essenzielle)|tout (?:refuser|rejeter)|(?:je )?refuse|rejeter|interdire|non,? merci|ne pas (?:autoriser|accepter|consentir)|continuer sans|rechazar|denegar|no,? gracias|no (?:acepto|aceptar|consentir)|continuar sin|s[óo]lo (?:las )?necesarias|rejeitar|recusar|não,? obrigad|não (?:aceito|aceitar|consentir)|continuar sem|(?:s[óo]|apenas) (?:os )?necess[áa]rios|rifiut|nega\\b|non (?:accett|acconsent)|continua senza|solo (?:i )?necessari|(?:alles |alle cookies )?weiger|nee,? bedankt|afwijzen|niet akkoord|alleen (?:noodzakelijke|functionele)|odrzu|odmów|nie zgadzam|tylko niezbędne|avvisa|neka|afvis|avvis|nej tack|(?:endast|kun) nødvendig|endast nödvändiga|hylkää|vain välttämättömät|odmítn|odmietn|elutasít|reddet|отклонить|отказ|відхилити|拒否|同意しない|拒绝|拒絕|거부)/i;
  const ACCEPT = /^(?:accept|agree|allow|consent|i (?:agree|accept|consent)|ok\\b|okay|that.s (?:ok|fine)|got it|i understand|continue(?! with)|enter\\b|save\\b|confirm\\b|alles? (?:akzeptieren|annehmen|erlauben|zulassen)|akzeptieren|annehmen|zustimmen|einverstanden|ich (?:akzeptiere|stimme)|(?:alle )?cookies (?:akzeptieren|zulassen|erlauben)|weiter\\b|speichern|tout (?:accepter|autoriser)|accepter|j.accepte|autoriser|d.accord|continuer|acepto|aceptar|permitir|consentir|estoy de acuerdo|continuar|aceito|aceitar|concordo|accett|acconsent|consenti|ho capito|accepteer|accepteren|akkoord|alles (?:accepteren|toestaan)|toestaan|akcept|zaakcept|zgadzam|wyrażam zgodę|przejdź do|godkänn|acceptera|tillåt|tillad|tillat|godta|hyväksy|přij|souhlas|povolit|kabul|принять|принима|соглас|同意|承諾|許可|すべて受け入れる|接受|동의|허용)/i;
  // of a site that lets only its subscribers refuse
  const OFFER = /abonn|abos?\\b|abbon|subscri|suscri|assin|prenumer|kauf|bezahl|\\bpay|\\bpag|\\bpur\\b|[€$£]/i;
  const isConsent = (box) => NAME.test(box.id + ' ' + box.getAttribute('class')) || (box.matches('[role="dialog"], [role="alertdialog"], [aria-modal="true"], dialog') && SUBJECT.test(box.innerText));
  const BOXES = '[role="dialog"], [role="alertdialog"], [aria-modal="true"], dialog[open], div[id], div[class], section, aside, form';
  const boxes = [];
  let behind = 0;
  for (const root of rootsIn(document)) {
    const holder = root.host ?? root.defaultView?.frameElement;
    const isFrame = root !== document && root.body && root.body.innerText.length <= ${MAX_WALL_LENGTH} && SUBJECT.test(root.body.innerText);
    const isWhole = isFrame || (holder && (isConsent(holder) || boxes.some((box) => box.contains(holder))));
    const found = isWhole ? [root.body ?? [...root.children]].flat() : [...root.querySelectorAll(BOXES)].slice(0, 3000).filter(isConsent);
    boxes.push(...found.filter((box) => box.innerText?.trim()));
    if (!isWhole) behind += textOf(root).length - Math.max(0, ...found.map((box) => box.innerText?.length ?? 0));
  }
  if (boxes.length === 0 || behind > ${MAX_TEXT_BEHIND_WALL}) return null;
  const staysHere = (button) => {
    const link = button.closest('a[href]')?.getAttribute('href');
    const sender = button.closest('button, input');
    const action = sender?.type === 'submit' ? sender.form?.getAttribute('action') : null;
    const url = URL.parse(link ?? action ?? '', button.baseURI);
    return url?.protocol === 'javascript:' || url?.href.split(/[?#]/)[0] === button.baseURI.split(/[?#]/)[0];
  };
  const BUTTONS = 'button, [role="button"], a, input[type="button"], input[type="submit"], [tabindex], [class*="btn"], [class*="button"]';
  const nameOf = (one) => (one.innerText || one.value || '').trim();
  // a box around buttons may have their name
  const isInnermost = (one) => ![...one.querySelectorAll(BUTTONS)].some(nameOf);
  const buttons = boxes.flatMap((box) => [...box.querySelectorAll(BUTTONS)]).filter(isInnermost);
  for (const words of [REFUSE, ACCEPT]) {
    for (const button of buttons) {
      const text = nameOf(button).replace(/^[^\\p{L}]+/u, '');
      if (text.length > ${MAX_NAME_LENGTH} || !words.test(text) || OFFER.test(text)) continue;
      const place = staysHere(button) ? placeOf(button) : null;
      if (place) return place;
    }
  }
  return null;
})()`;

/** Leaves a wall of consent. Returns false if the page has none. */
export function leaveConsentWall({ click }: OpenPage): Promise<boolean> {
  return click(FIND_CONSENT_BUTTON);
}

/** In characters of text beside the button. A shorter text is a teaser of another page. */
const MIN_TEXT_BEFORE_REST = 500;
/** For lists of which each click shows some more. */
const MAX_REST_CLICKS = 20;

/** Finds the only button that shows the rest of a text. Elements of drawings have no `innerText`. Several of them belong to teasers, reviews or comments. */
const FIND_REST_BUTTON = `(() => {
  ${PLACE_OF}
  const NAME = /^(?:(?:read|show|view|see) (?:more|all|(?:the )?(?:rest|(?:full|whole|entire) (?:article|story|text|post)))|load more|continue reading|keep reading|expand(?: (?:article|text))?|weiterlesen|mehr (?:lesen|anzeigen|laden)|(?:ganzen|vollständigen) (?:artikel|text) (?:lesen|anzeigen)|lire (?:la suite|plus)|charger plus|(?:afficher|voir) (?:la suite|plus)|(?:leer|ver|mostrar|cargar) más|(?:seguir|continuar) leyendo|(?:ler|ver|mostrar|carregar) mais|continuar (?:lendo|a ler)|leggi (?:tutto|di più|ancora)|(?:mostra|carica) (?:altro|altri|di più)|continua a leggere|(?:lees|toon|laad) (?:meer|verder)|verder lezen|(?:czytaj|pokaż) (?:więcej|dalej)|続きを読む|もっと(?:見る|読む|読み込む)|全文を読む|阅读(?:更多|全文)|展开(?:全文|阅读全文)?|加载更多|더 ?보기)[\\s.…→»›>+▾▼↓]*$/i;
  const buttons = [...document.querySelectorAll('button, [role="button"], a:not([href]), a[href^="#"], a[href^="javascript:"]')]
    .filter((one) => one.textContent.length < ${MAX_NAME_LENGTH * 3} && !one.closest('nav, header, footer, aside, form, dialog, [role="dialog"]'))
    .filter(({ innerText = '' }) => innerText.trim().length < ${MAX_NAME_LENGTH} && NAME.test(innerText.trim()));
  if (buttons.length !== 1) return null;
  let box = buttons[0];
  while (box.parentElement && box.innerText.length < ${MIN_TEXT_BEFORE_REST}) box = box.parentElement;
  const headings = [...box.querySelectorAll('h2, h3, h4, h5, h6')];
  const teasers = headings.filter((one) => one.closest('a[href]') ?? one.querySelector('a[href]'));
  if (teasers.length * 2 > headings.length) return null;
  const linked = [...box.querySelectorAll('a')].reduce((sum, link) => sum + (link.innerText?.length ?? 0), 0);
  return box.innerText.length < ${MIN_TEXT_BEFORE_REST} || linked * 2 > box.innerText.length ? null : placeOf(buttons[0]);
})()`;

/** A button that adds to all but the only article of a page shows other articles or comments. */
const MEASURE_PAGE = `(() => {
  const [article, other] = [...document.querySelectorAll('article')].filter(({ innerText }) => innerText.length >= ${MIN_TEXT_BEFORE_REST});
  globalThis.embedText ??= article && !other ? article : document.body;
  return { path: location.pathname + location.search, entries: history.length, length: globalThis.embedText.innerText.length };
})()`;

interface Measured {
  readonly path: string;
  readonly entries: number;
  readonly length: number;
}

/** Shows the rest of a text, or of a list, that ends with a button, as long as it grows. A button that led to another page of the application is undone. */
export async function showRest({ evaluate, click, waitUntilStill, signal }: OpenPage): Promise<void> {
  for (let count = 0; count < MAX_REST_CLICKS && !signal.aborted; count++) {
    const before = await evaluate<Measured>(MEASURE_PAGE);
    if (before === null || !(await click(FIND_REST_BUTTON))) return;
    await waitUntilStill();
    const after = await evaluate<Measured>(MEASURE_PAGE);
    if (after?.path !== before.path) {
      await evaluate(`history.length > ${before.entries} && history.back()`);
      await waitUntilStill();
      return;
    }
    if (after.length <= before.length) return;
  }
}
