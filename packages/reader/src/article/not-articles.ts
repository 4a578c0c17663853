import { siteOf } from './links.ts';
import { lengthOf, measureText, toLine } from './plain-text.ts';
import { isElement, isMatch, selectAll, selectClosest, selectFirst } from './tree/select.ts';

/** In characters. Longer texts may speak of cookies or of errors without being a wall or an error page. */
const MAX_NOTICE_LENGTH = 900;
/** The same for a page that declares an article. */
const MAX_DECLARED_NOTICE_LENGTH = 300;
/** A page of teasers has so many headings that are links, and less text than this for each, in characters. */
const MIN_TEASERS = 4;
const MIN_TEASER_SHARE = 0.6;
/** Of the links in the text of a heading that has nothing else but signs. */
const MIN_LINK_SHARE = 0.8;
const MAX_TEXT_OF_TEASER = 500;

/** An article has so much code and text in sentences, in characters or as a share of its text. */
const MIN_PROSE_LENGTH = 200;
const MIN_PROSE_SHARE = 0.3;
/** In characters, of a text with a comma or the like in it, which is more than a name with a number. */
const MIN_PHRASE_LENGTH = 60;
/** The same without one: several scripts, such as the Thai one, have none, and many verses. */
const MIN_PARAGRAPH_LENGTH = 100;
const PHRASE = /[\p{Terminal_Punctuation}…]\s|[，、；：。！？]/u;
/** With the marks that may follow the end of a sentence. A text that is cut (`…`) is no sentence. */
const SENTENCE_END = /\p{Sentence_Terminal}[\p{Pe}\p{Pf}"'*]{0,3}$/u;
const SENTENCE_END_LENGTH = 4;
/** Elements without a text beside them. More of them are words or parts of a text. */
const MIN_CELLS = 3;
const MAX_CELLS = 8;
const BLOCKS =
  'p, pre, li, dd, dt, td, th, blockquote, figcaption, summary, h2, h3, h4, h5, h6, div, section, table, ul, ol';

/** A title is followed by the name of the site. */
const SITE_SEPARATOR = /\s*[|·–—]\s*|\s+-\s+/;
/** All words of the titles of error pages in English, and those of which one must be there. */
const ERROR_WORDS =
  /^[^\p{L}\p{N}]*(?:(?:http|error|[45]\d\d|oops|sorry|page|file|the|this|was|is|has|been|could|cannot|can|be|not|no|longer|found|forbidden|access|to|denied|bad|gateway|internal|server|service|temporarily|unavailable|too|many|requests)(?![\p{L}\p{N}])[^\p{L}\p{N}]*)+$/iu;
const ERROR_SIGN =
  /\b(?:error|[45]\d\d|not (?:be )?found|forbidden|access denied|been denied|unavailable|bad gateway|too many requests)\b/i;

/** Titles of folders and of search results. */
const LIST_TITLES = [
  /^index of \//i,
  /^(?:search results?|suchergebnisse|résultats de recherche|resultados de la búsqueda|resultados da busca|risultati della ricerca|zoekresultaten|wyniki wyszukiwania|результаты поиска|搜索结果|検索結果)(?:[^\p{L}\p{N}]*$|[^\p{L}\p{N}]+(?:for|für|pour|de|para|por|per|voor|dla|по)(?!\p{L})|[^\p{L}\p{N}]*[:："“„«])/iu,
];
/** The same, of which the name of the site is no part. An article says more after the words that were searched. */
const SEARCH_TITLE = /^suche nach\s*:?\s*[„“"«][^“”"»]{1,60}[“”"»][^\p{L}\p{N}]*$/iu;
/** Titles of walls, checks and subscriptions, and of error pages in other languages, without the name of the site. */
const TITLES = [
  /^[^\p{L}\p{N}]*(?:(?:oops|sorry|uh.oh)\b[^\p{L}\p{N}]*)?(?:we (?:can(?:.t|not)|could(?:n.t| not)) (?:seem to )?find (?:that|this|the) page|(?:that|this|the) page (?:can.t|couldn.t) be found|(?:that|this|the) page (?:doesn.t|does not) exist)\b/iu,
  /^subscribe to (?:read|unlock|continue|keep)\b/i,
  /^(?:just a moment|one moment(?:,? please)?|attention required|are you a (?:human|robot)|robot or human|verify(?:ing)? (?:that )?you\b.{0,30}|checking your browser.{0,40}|security check|captcha|pardon our interruption|please wait|please (?:verify|enable)\b.{0,40})[^\p{L}\p{N}]*$/iu,
  /^(?:before you continue(?:[^\p{L}\p{N}]*$| to\b)|bevor sie (?:fortfahren|weiter)|avant d.accéder|antes de continuar|prima di continuare|voordat je verdergaat|zanim przejdziesz|прежде чем (?:вы )?(?:продолж|перейти (?:на|к|в) (?:google|youtube)))/iu,
  /^(?:fehler|erreur|errore|erro|eroare|fout|fel|feil|fejl|virhe|błąd|chyba|hiba|ошибка|помилка|σφάλμα|hata|lỗi|kesalahan|خطأ|خطای|שגיאה|오류|エラー|错误|錯誤)\s?404[^\p{L}\p{N}]*$/iu,
  /^(?:sidan kunde inte hittas|sidan finns inte|siden (?:blev|ble) ikke fun[dn]et|fant ikke siden|sivua ei löyt|stránka ne|az oldal nem található|pagina nu (?:a fost găsită|există)|сторінку не знайдено|η σελίδα δεν βρέθηκε|sayfa bulunamadı|halaman tidak ditemukan|không tìm thấy trang|ไม่พบหน้า|पेज नहीं मिला|הדף לא נמצא|הדף המבוקש|الصفحة غير موجودة|لم يتم العثور على الصفحة|صفحه (?:مورد نظر )?(?:یافت|پیدا) نشد|페이지를 찾을 수 없|お探しのページ|抱歉，?(?:您|你)访问的页面)/i,
  /^(?:404[^\p{L}\p{N}]+)?(?:seite (?:wurde )?nicht gefunden|page (?:non trouvée|introuvable)|página no encontrada|página não encontrada|pagina non trovata|pagina niet gevonden|nie znaleziono strony|страница не найдена|не найден[ао]?[^\p{L}\p{N}]*$|页面不存在|找不到页面|ページが見つかりません)/iu,
  /^(?:log ?in|sign ?in|sign ?up|anmelden|einloggen|se connecter|connexion|iniciar sesión|entrar|accedi|inloggen|zaloguj się|вход|登录|ログイン|logga in|log ind|logg inn|kirjaudu|přihlášení|bejelentkezés|autentificare|увійти|giriş yap|đăng nhập|เข้าสู่ระบบ|로그인|تسجيل الدخول|ورود|התחברות)(?:$|[^\p{L}\p{N}]+(?:to|bei|à|en|no|a|op|do)(?!\p{L}))/iu,
];

/** Walls of consent. */
const CONSENT_NOTICES = [
  /\b(?:we|site|website|partners?)\b.{0,60}\b(?:use|uses|store)\b(?:.{0,30}|.{0,60}\bsuch as )\bcookies\b.{0,400}\b(?:accept|consent|partners|privacy policy|manage|preferences)\b/is,
  /(?<!\p{L})(?:cookies|файл\p{L}* cookie|куки|werbung (?:und|&) tracking|tracking (?:und|&) werbung)(?!\p{L}).{0,300}(?<!\p{L})(?:akzeptieren|zustimm\p{L}+|einwilligung|(?:unsere[nr]?|\d+) partnern?|accepter|consentement|aceptar|consentimiento|aceitar|consentimento|accett\p{L}+|consenso|accepteren|toestemming|akceptuj\p{L}*|zgod\p{L}+|согласи\p{L}*|согласен|принять)(?!\p{L})/isu,
];

/** Short texts that are a notice, not an article. */
const NOTICES = [
  ...CONSENT_NOTICES,
  /\b(?:enable|activate|turn on) (?:javascript|cookies)\b|\bjavascript (?:is|seems to be|must be) (?:disabled|enabled|required|turned)/i,
  /\b(?:checking|verify(?:ing)?|confirm(?:ing)?) (?:that )?(?:your browser|you are (?:not )?(?:a )?(?:human|robot))|\bunusual (?:traffic|activity)\b|\bsolve (?:the|this) captcha\b/i,
  /\b(?:page|content|file|address|url) (?:that )?(?:you(?:'re|’re| are| were)? (?:looking for|requested|trying)|requested)\b.{0,80}\b(?:not|no longer|moved|removed|gone|unavailable|doesn.t)\b/is,
  /\byou(?: have|['’]ve) (?:reached|exceeded|used|read) (?:all )?(?:of )?(?:your|the) (?:\w+ ){0,4}(?:articles?|stories) (?:limit|this (?:month|week))/i,
  /\byou(?: have|['’]ve) (?:reached|exceeded) (?:your|the) (?:\w+ ){0,2}limit of (?:\w+ ){0,2}(?:articles|stories)/i,
  // shown until scripts replace it
  /^[^\p{L}\p{N}]*(?:please wait|loading|wird geladen|chargement|cargando|carregando|caricamento)\b[^.…]{0,80}(?:…|\.\.\.)/iu,
  /\b(?:log|sign) in (?:to|or (?:register|sign up) to) (?:continue|view|read|see|access)\b/i,
];

export function hasDoubtfulTitle(title: string): boolean {
  const [own = ''] = title.split(SITE_SEPARATOR);
  return (
    hasListTitle(title) ||
    (ERROR_WORDS.test(own) && ERROR_SIGN.test(own)) ||
    TITLES.some((pattern) => pattern.test(own))
  );
}

export function hasListTitle(title: string): boolean {
  const [own = ''] = title.split(SITE_SEPARATOR);
  return SEARCH_TITLE.test(title) || LIST_TITLES.some((pattern) => pattern.test(own));
}

/** Detects a line that is a link before a paragraph. */
function isLinkLine({ localName, firstElementChild, textContent, nextElementSibling }: Element): boolean {
  const isLink =
    localName === 'a' ||
    (firstElementChild?.localName === 'a' && firstElementChild.textContent.trim() === textContent.trim());
  return isLink && nextElementSibling?.localName === 'p';
}

/** Detects walls of consent, checks of the browser, error pages and requests to sign in by a short text. */
export function isNotice(text: string, isDeclared: boolean): boolean {
  return (
    text.length <= (isDeclared ? MAX_DECLARED_NOTICE_LENGTH : MAX_NOTICE_LENGTH) &&
    NOTICES.some((pattern) => pattern.test(text))
  );
}

/** Detects a wall of consent by a short text. */
export function isConsentNotice(text: string): boolean {
  return text.length <= MAX_NOTICE_LENGTH && CONSENT_NOTICES.some((pattern) => pattern.test(text));
}

/**
 * Detects a page of teasers: most of its headings are links, each with little text.
 * @param isHome lines that are links count as headings
 * @param url of a page that may list pages of other sites in an article; null if its links to other sites are teasers too
 */
export function isTeaserList(root: Element, url: string | null, isHome: boolean): boolean {
  const headings = [
    ...selectAll(root, 'h1, h2, h3, h4'),
    ...(isHome ? selectAll(root, 'p, a[href]').filter(isLinkLine) : []),
  ];
  const links = headings.filter((heading) => {
    const links = selectAll(heading, 'a[href]');
    const length = lengthOf(heading);
    const isLinksOnly = links.reduce((sum, one) => sum + lengthOf(one), 0) >= length * MIN_LINK_SHARE;
    // the links of a declaration are its types
    const isTitle = (one: Element) => links.length === 1 || isLinksOnly || lengthOf(one) * 2 >= length;
    const link = selectClosest(heading, 'a[href]') ?? links.find(isTitle);
    const href = link?.getAttribute('href') ?? '#';
    return !href.startsWith('#') && (url === null || siteOf(href) === siteOf(url));
  });
  if (links.length < MIN_TEASERS || links.length < headings.length * MIN_TEASER_SHARE) return false;
  return root.textContent.length < links.length * MAX_TEXT_OF_TEASER;
}

/** Detects what an application shows instead of an article, such as a dashboard or a board of tasks: hardly any sentences. */
export function isInterface(root: Element): boolean {
  const blocks = [root, ...selectAll(root, BLOCKS)];
  const prose = blocks.reduce((sum, block) => sum + measureProse(block), 0);
  return prose < MIN_PROSE_LENGTH && prose < measureText(root.textContent) * MIN_PROSE_SHARE;
}

/** Measures the text of a block without the blocks in it: 0 if it is no prose. A row of cells has a text for each. */
function measureProse(block: Element): number {
  const own = [...block.childNodes].filter((node) => node.textContent?.trim() && !(isElement(node) && hasBlock(node)));
  const isRow = own.length >= MIN_CELLS && own.length <= MAX_CELLS && own.every(isElement);
  const texts = isRow
    ? own.map(({ textContent }) => textContent)
    : [own.map(({ textContent }) => textContent).join(' ')];
  return texts.reduce((sum, text) => sum + measureSentences(toLine(text), block.localName === 'pre'), 0);
}

function measureSentences(text: string, isCode: boolean): number {
  const length = measureText(text);
  const isProse =
    isCode ||
    (text.includes(' ') && SENTENCE_END.test(text.slice(-SENTENCE_END_LENGTH))) ||
    length >= MIN_PARAGRAPH_LENGTH ||
    (length >= MIN_PHRASE_LENGTH && PHRASE.test(text));
  return isProse ? length : 0;
}

function hasBlock(element: Element): boolean {
  return isMatch(element, BLOCKS) || selectFirst(element, BLOCKS) !== null;
}
