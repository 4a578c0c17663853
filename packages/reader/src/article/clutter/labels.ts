import { compact } from '../plain-text.ts';

/**
 * Lines that are labels of a page in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, Chinese, Arabic, Hindi,
 * Japanese and Indonesian, and the most usual ones in ten other languages. They are compared by their letters and digits only.
 */
const ADVERTISEMENTS = `
  advert | advertisement | advertisements | ad | ads | sponsored | sponsored content | promoted | anzeige | werbung | publicité
  | publicidad | publicidade | pubblicità | advertentie | reklama | реклама | 广告 | 広告 | iklan | article continues below
  | article continues below advertisement | story continues below advertisement | story continues below | scroll to continue
  | continue reading below | continue reading | continue reading the main story | skip to content | skip to main content
  | skip advertisement | advertisement continue reading the main story | loading | loading advertisement
`;

const LABELS = `
  share | share this | share this article | share this story | share this post | share on facebook | share on twitter | share on whatsapp | share this on whatsapp | tweet
  | like this story share it with a friend | teilen | artikel teilen | partager | compartir | compartilhar | condividi | delen
  | udostępnij | поделиться | 分享 | シェア | bagikan | شارك | مشاركة | शेयर करें | שתפו | שיתוף | แชร์ | 공유 | 공유하기 | κοινοποίηση
  | paylaş | chia sẻ | dela | sdílet | megosztás | distribuie | поділитися
  | comments | comment | post comment | leave a comment | discussion about this post | no comments | no comments yet | leave a reply | add a comment | view comments | show comments
  | tell us what you think | join the conversation | kommentare | commentaires | comentarios | comentários | commenti | reacties
  | komentarze | комментарии | 评论 | コメント | komentar
  | image | images | photo | photos | picture | caption | close | image caption | image copyright | enlarge | enlarge this image
  | toggle caption | hide caption | view gallery | view image | play | play video | watch | watch video | video | open gallery
  | bild | foto | fotos | image source | next | previous | prev
  | subscribe | subscribe now | sign up | sign up now | log in | login | sign in | register | follow | follow us | print | print this | email | email this | save
  | copy link | link copied | listen | back to top | top | read more | more | see more | show more | load more | related
  | related articles | related stories | related content | related posts | you may also like | you might also like | dont miss
  | recommended | recommended for you | more from this author | mehr zum thema | lesen sie auch | auch interessant | à lire aussi
  | lire aussi | sur le même sujet | lea también | te puede interesar | leia também | leia mais | veja também | leggi anche
  | lees ook | czytaj także | zobacz także | читайте также | 相关阅读 | 関連記事 | baca juga | view author archive | email the author
  | pin | pin recipe | print recipe | jump to recipe | rate this recipe | full size image | open in a new tab | download ppt | enter fullscreen mode
  | exit fullscreen mode | was this helpful | was this page helpful | was this article helpful | war diese seite hilfreich | recent articles | recent posts | popular this week | most popular | most read | trending | trending now | this slideshow requires javascript
  | more on this story | similar articles | similar content being viewed by others | sign in to edit | reprints and permissions | cook mode prevent your screen from going dark | article réservé aux abonnés
  | advertising | contents | table of contents | on this page | in this article | inhaltsverzeichnis | sommaire | tags | webmentions
  | reply via email | subscribe via rss | 関連ニュース | 関連リンク | archivado en | explore more on these topics | reuse this content | this video is unavailable | javascript is required | press enter or click to view image in full size
`;

/** The beginnings of lines that point to other pages. A link must follow. */
const POINTERS = `
  read more | read also | also read | read | read next | related | related article | related story | related post | related stories
  | related coverage | related content | see also | see more | also see | also | more | watch | watch also | also on | also from | tags | tagged | filed under | posted in | more on this story | similar articles | 関連ニュース | 関連リンク
  | you may also like | you might also like | you may be interested in | dont miss | dont miss this | must read | recommended
  | click here to subscribe | click here for | click here to get | click here | get the latest | for more on | more on
  | previous message(?: \\(by thread\\))? | next message(?: \\(by thread\\))? | messages sorted by
  | lesen sie auch | lesen sie mehr | lesen sie hier | mehr zum thema | mehr dazu | auch interessant | à lire aussi
  | lire aussi | más información | explore more on these topics | lea también | lee también | lea más | te puede interesar | leia também | leia mais
  | veja também | saiba mais | leggi anche | per approfondire | lees ook | lees meer | czytaj także
  | czytaj też | zobacz także | читайте также | смотрите также | 相关阅读 | 延伸阅读 | 関連記事 | baca juga | lihat juga | اقرأ أيضا | اقرأ أيضًا | यह भी पढ़ें | ये भी पढ़ें
  | קראו גם | อ่านเพิ่มเติม | อ่านข่าวเพิ่มเติม | 관련기사 | 관련 기사 | διαβάστε επίσης | διαβάστε ακόμα | ayrıca oku | ilgili haber | xem thêm | đọc thêm
  | läs också | läs även | læs også | les også | lue myös | čtěte také | čtěte též | citește și | olvassa el | читайте також
`;

/** The start of a line that is no quote, or of a sentence, with words before what it asks for. */
const START = String.raw`(?:^[^\p{L}«"“„‘']*|[.!?|…]\s+)(?:click here to |please |you can (?:also )?|(?:don['’]t forget|be sure|make sure|feel free) to )?`;
/** The part of a sentence before what it asks for. It tells of no words that somebody said. */
const INTRODUCTION = String.raw`^(?!.*(?<!\p{L})(?:said|says|told|asked|wrote|sagte|dit|dijo|disse)(?!\p{L}))[^«"“„]{0,120}(?:[,:;—–]|\s(?:and|also))\s(?:please )?`;
const NETWORKS = 'twitter|facebook|instagram|youtube|linkedin|tiktok|whatsapp|telegram|google news';
const startsWith = (words: string) => new RegExp(START + words, 'iu');

/** Parts of lines that ask their readers to subscribe or to follow, or that say who owns the rights. Each is no part of a usual sentence. */
const REQUESTS = [
  startsWith(String.raw`(?:subscribe|sign up|join|register)\b.{0,80}\b(?:newsletters?|inbox)\b`),
  startsWith(
    String.raw`(?:(?:subscribe|sign up|register)\b.{0,40}\b(?:our|my|free|breaking)|(?:join|follow) (?:our|my))\b.{0,60}\b(?:e-?mails?|alerts?|mailing list|channel)\b`,
  ),
  startsWith(
    String.raw`(?:join the\b.{0,40}\bmailing list|sign up for\b.{0,60}\be-?mail (?:alerts?|updates)|subscribe to\b.{0,60}\byoutube channel)\b`,
  ),
  startsWith(
    String.raw`(?:subscribe|sign up|get|receive|have)\b.{0,80}\b(?:posts|news|stories|updates|articles) (?:sent|delivered) (?:in)?to your (?:e-?mail|inbox)\b`,
  ),
  new RegExp(
    String.raw`${INTRODUCTION}(?:(?:subscribe|sign up|join|register)\b.{0,20}\b(?:our|my)\b.{0,40}\b(?:newsletters?|mailing list|channel)\b|follow (?:us|me|our)\b.{0,20}\b(?:on|at) (?:our )?(?:${NETWORKS})\b|(?:abonnez|inscrivez)-vous à notre\b.{0,30}\b(?:newsletter|lettre)\b|suscr[ií]b(?:ete|ase)\b.{0,20}\bnuestr[ao]\b.{0,30}\b(?:bolet[ií]n|newsletter)\b|abonnieren sie unseren\b.{0,30}\bnewsletter\b)`,
    'iu',
  ),
  /(?:^|\b(?:our|my|free|this|the) .{0,30})\bnewsletters?\s?[:.!?|–—-].{0,40}\b(?:subscribe|sign up)\b/i,
  startsWith(
    String.raw`(?:get|receive|have|let)\b(?=.{0,80}\b(?:our|latest|news|stories|updates|best|newsletter|daily|weekly)\b).{0,100}\b(?:meet|in|to) your inbox\b`,
  ),
  /^[^.]{0,100}(?<!\b(?:is|are|be|was|were|been|gets?|goes|go|comes?|sent|it|them) )(?:delivered|straight|right) (?:in)?to your inbox[.!]?$/i,
  startsWith(
    String.raw`(?:follow (?:us|me|him|her|them|our)|like us)\b.{0,20}\b(?:(?:on|at) (?:our )?(?:${NETWORKS})|on (?:x|threads))\b`,
  ),
  new RegExp(
    String.raw`(?:^|[.!?|…]\s+|[Yy]ou can |[Pp]lease )(?:[Ff]ollow|FOLLOW) \p{Lu}[\p{L}.]+(?: \p{Lu}[\p{L}.]+){0,2} (?:on|at) (?:${NETWORKS.replace(/\b[a-z]/g, (one) => `[${one}${one.toUpperCase()}]`)}|YouTube|LinkedIn|TikTok|X|Threads)(?![\p{L}-])`,
    'u',
  ),
  startsWith(
    String.raw`(?:(?:jetzt|hier|gleich|für|zum|den|unseren|kostenlos(?:en)?|täglichen|wöchentlichen) )*(?:\p{L}{1,20}-){0,3}\p{L}{0,20}(?:newsletter|rundbrief) (?:jetzt |hier |kostenlos )?(?:abonnieren|anmelden|bestellen)(?!\p{L})`,
  ),
  startsWith(
    String.raw`(?:abonnieren sie|melden sie sich|hier können sie)\b.{0,40}(?:\b(?:unser(?:en)?|zum)\s(?:\S{1,20}\s)?(?:\S{1,20}-)?(?:newsletter|rundbrief)\b|\b(?:newsletter|rundbrief)\b.{0,30}\b(?:abonnieren|anmelden|bestellen|an)[.!]*$)`,
  ),
  startsWith(String.raw`(?:abonnez|inscrivez)-vous\b.{0,20}\s(?:à|aux?|pour)\s.{0,30}\b(?:newsletters?|lettres?)\b`),
  startsWith(String.raw`¡?suscr[ií]b(?:ete|ase)\b.{0,40}\b(?:bolet[ií]n|newsletter)\b`),
  startsWith(String.raw`(?:assine|inscreva-se)\b.{0,60}\bnewsletter\b`),
  startsWith(String.raw`iscriviti\b.{0,60}\bnewsletter\b`),
  startsWith(
    String.raw`(?:schrijf je in\b.{0,20}\b(?:nieuwsbrief|newsletter)|zapisz się do\s.{0,20}\bnewslettera|bültenimize .{0,20}abone ol|εγγραφείτε στο newsletter|đăng ký nhận bản tin(?:\s\S{1,12}){0,3}[.!]*$|اشترك(?:وا)? في .{0,20}(?:النشرة|نشرتنا) البريدية\P{L}*$|הירשמו לניוזלטר|हमारे न्यूज़लेटर की सदस्यता लें|สมัครรับจดหมายข่าว|订阅.{0,8}(?:新闻通讯|电子报)\P{L}*$|メールマガジンに登録(?:する|して(?:ください|みませんか))?\P{L}*$|뉴스레터를? ?구독(?:하세요|하기|\s?신청)?\P{L}*$)`,
  ),
  /^(?:subscribe|sign (?:in|up)|log ?in|register)(?: (?:now|today|here|for free|or (?:subscribe|sign (?:in|up)|log ?in|register)))* to (?:continue|(?:continue|keep) reading|(?:read|view|access|unlock)(?: (?:more|on|this|(?:(?:the|our|all|your) )?(?:full |rest of (?:the|this) |whole |entire )?(?:articles?|story|stories|posts?|content))\b.{0,30})?)[.!…]*$/i,
  /^(?:listen to (?:this |the )?(?:article|story|post)|(?:artikel|beitrag|text) anhören|écouter (?:l.|cet |cette )?article|escuchar (?:el |este )?artículo|ascolta (?:l.|questo )?articolo)\P{L}{0,20}(?:min(?:s|ut\p{L}{1,3})?\P{L}{0,20})?$/iu,
  /^(?:add|follow|set)(?: .{2,40})? (?:as|on) (?:a |your )?(?:preferred source (?:on|in) google|google news)\P{L}*$/iu,
  /^[^\p{L}\p{P}]*(?:подпишитесь|подписывайтесь|подписаться) на (?:(?:наш\p{L}*|мо[йюи]|telegram|телеграм|дзен|youtube)(?!\p{L})|(?:канал|рассылк|новост)[^,.]{0,20}$)/iu,
  /^(?:copyright\s*)?[©ⓒ](?!\s(?:is|was|means|stands|and|or|ist|und|steht|bedeutet|est|et|signifie|es|y)\b).{0,200}$/i,
  /^(?:(?:[Cc]opyright|COPYRIGHT)\s(?:\([Cc]\)\s?)?|\([Cc]\)\s?)(?:19|20)\d\d\b(?!\s(?!by\b)\p{Ll})/u,
  /^(?:[Cc]opyright|COPYRIGHT)\s(?:by\s)?\p{Lu}[^.]{0,60}(?<!\b(?:in|of|since|from|after|before|until)),?\s(?:19|20)\d\d\.?$/u,
  /^[【[（(]?(?:责任编辑|责编|编辑|校对|审核|监制)\s?[:：][^。！？，]{1,30}$/,
  /(?:^|[.,;|©–—-]\s*|\d{4}\s+)all rights reserved(?=\P{L}*$|\s?[.,;|–—-])/iu,
  /^a version of this (?:article|story) appear(?:s|ed) in print (?:on|in (?!\d))/i,
  /^this entry was posted (?:on|in|by (?!the\b|an?\b))\b/i,
  /\bmay (?:contain|earn|receive)\b.{0,60}\baffiliate (?:(?:and|or|and\/or|&) \w+ )?(?:links?|commissions?|partners?|programs?|products?)\b/i,
  /^(?=.*\b(?:affiliates?|(?:our|these|the|through|via) links?|qualifying purchases?)\b).*\b(?:(?:we|i)\b.{0,30}\b(?:earn|get|receive|make)|(?:earns?|gives?|pays?) (?:us|me)) (?:an? )?(?:(?:small|affiliate|referral) )?commissions?\b(?! of\b)/i,
  /^this (?:website|site) uses cookies(?:[.;]|$| (?:to|from|and|for)\b)/i,
  /\b(?:got|have) a (?:news |story )?tip\?(?:$|.{0,80}(?:@|\b(?:e-?mail|contact|call us|write|reached|send|submit|tell us|let us know)\b))/i,
  startsWith(String.raw`contact (?:us|the author) at\b.{0,40}(?:@|\d{3})`),
];

const ADVERTISEMENT_SET = new Set(ADVERTISEMENTS.split('|').map(compact));
const LABEL_SET = new Set([...ADVERTISEMENT_SET, ...LABELS.split('|').map(compact)]);
const POINTER_PATTERN = new RegExp(
  `^[\\[(>►▶•→»*\\s]*(?:${POINTERS.split('|')
    .map((words) => words.trim().replace(/dont/, 'don.?t').replace(/\s+/g, '\\s+'))
    .join('|')})(?=\\s*[:：\\-–—|>»!…]|\\s*\\.{0,3}\\s*$)`,
  'iu',
);
/** A count of readers, of their comments or of their reactions. */
const COUNT =
  /^[^\p{L}\p{N}]*\d[\d.,]*\s?[km]?\s(?:views?|comments?|likes?|shares?|claps?|reads?|replies|responses|reactions?|followers?|aufrufe|kommentare|vues|commentaires|comentarios|visitas|visualizações|commenti|accesses|altmetric)[^\p{L}\p{N}]*$|^[★☆\s]*\d(?:\.\d+)? from \d+ (?:votes?|reviews?|ratings?)$|^(?:[☆\s]+|★)$/iu;
const MAX_REQUEST_LENGTH = 300;

/** Links of a reference to catalogues. */
export const CATALOGUE =
  /^(?:google scholar|pubmed(?: central)?|crossref|scopus|web of science|view article|cas|ads|mathscinet|(?:pmc )?free (?:pmc )?article)$/i;
/** Headings of references. */
export const REFERENCES =
  /^[\d.\s]*(?:(?:notes (?:and|&) )?references(?: (?:and|&) notes| cited)?|bibliography|works cited|(?:cited )?literature(?: cited)?|literatur(?:verzeichnis)?|quellen|références|bibliographie|referencias|bibliografía|referências|bibliografia|riferimenti|literatuur|список литературы|литература|参考文献)[^\p{L}\p{N}]*$/iu;
/** Links to the editor or the source of a page. */
export const EDIT =
  /^\P{L}*(?:edit (?:this )?page(?: on github)?|edit on github|suggest (?:an edit|edits)|improve this page|view page source|diese seite bearbeiten|modifier cette page|editar esta página)\P{L}*$/iu;
export const CHANGE =
  /^(?:last (?:updated|modified|edited)|updated(?=\s?:)|zuletzt (?:aktualisiert|geändert)|dernière (?:mise à jour|modification)|última (?:actualización|atualização))\b.{0,40}$/i;
/** Words before the title of a neighbouring page. */
export const NEIGHBOUR =
  /^(?:next|previous|prev|older|newer|weiter|zurück|suivant|précédent|siguiente|anterior)(?: (?:post|page|article|chapter))?$/i;

export function isLabel(text: string): boolean {
  return text.length < 60 && (LABEL_SET.has(compact(text)) || COUNT.test(text));
}

/** Detects a label of an advertisement or of what is not shown yet. */
export function isAdvertisement(text: string): boolean {
  return ADVERTISEMENT_SET.has(compact(text));
}

/** Detects text such as "Read more: …", which points to another page. */
export function isPointer(text: string): boolean {
  return POINTER_PATTERN.test(text.slice(0, 100));
}

export function isRequest(text: string): boolean {
  return text.length <= MAX_REQUEST_LENGTH && REQUESTS.some((pattern) => pattern.test(text));
}
