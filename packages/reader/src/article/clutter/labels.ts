/**
 * Lines that are labels of a page in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, Chinese, Arabic, Hindi,
 * Japanese and Indonesian. They are compared by their letters and digits only.
 */
const LABELS = `
  advert | advertisement | advertisements | ad | ads | sponsored | sponsored content | promoted | anzeige | werbung | publicité
  | publicidad | publicidade | pubblicità | advertentie | reklama | реклама | 广告 | 広告 | iklan | article continues below
  | article continues below advertisement | story continues below advertisement | story continues below | scroll to continue
  | continue reading below | continue reading | continue reading the main story | skip to content | skip to main content
  | skip advertisement | advertisement continue reading the main story | loading | loading advertisement
  | share | share this | share this article | share this story | share this post | share on facebook | share on twitter | share on whatsapp | share this on whatsapp | tweet
  | like this story share it with a friend | teilen | artikel teilen | partager | compartir | compartilhar | condividi | delen
  | udostępnij | поделиться | 分享 | シェア | bagikan | شارك | مشاركة | शेयर करें
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
  | archivado en | explore more on these topics | reuse this content | this video is unavailable | javascript is required | press enter or click to view image in full size
`;

/** The beginnings of lines that point to other pages. A link must follow. */
const POINTERS = `
  read more | read also | also read | read | read next | related | related article | related story | related post | related stories
  | related coverage | related content | see also | see more | also see | also | more | watch | watch also | also on | also from
  | you may also like | you might also like | you may be interested in | dont miss | dont miss this | must read | recommended
  | click here to subscribe | click here for | click here to get | click here | get the latest | for more on | more on
  | previous message(?: \\(by thread\\))? | next message(?: \\(by thread\\))? | messages sorted by
  | lesen sie auch | lesen sie mehr | lesen sie hier | mehr zum thema | mehr dazu | auch interessant | à lire aussi
  | lire aussi | más información | explore more on these topics | lea también | lee también | lea más | te puede interesar | leia também | leia mais
  | veja também | saiba mais | leggi anche | per approfondire | lees ook | lees meer | czytaj także
  | czytaj też | zobacz także | читайте также | смотрите также | 相关阅读 | 延伸阅读 | 関連記事 | baca juga | lihat juga | اقرأ أيضا | اقرأ أيضًا | यह भी पढ़ें | ये भी पढ़ें
`;

/** Parts of lines that ask their readers to subscribe or to follow, or that say who owns the rights. */
const REQUESTS = [
  /\b(?:subscribe|sign up|signing up|join|register)\b.{0,80}\b(?:newsletters?|e-?mails?|alerts?|mailing list|inbox|daily|weekly|channel)\b/i,
  /\bnewsletters?\b.{0,60}\b(?:subscribe|sign(?:ed)? up|inbox)\b/i,
  /\b(?:delivered|straight|right|sent) (?:in)?to your (?:inbox|phone|e-?mail)\b/i,
  /\b(?:meet|in|to) your inbox\b/i,
  /\bfollow (?:us|me|him|her|them|[\p{Lu}][\p{L}]+(?: [\p{Lu}][\p{L}]+)?)\b.{0,20}\b(?:on|at) (?:our )?(?:twitter|facebook|instagram|youtube|linkedin|x|tiktok|threads)\b/iu,
  /\b(?:newsletter|rundbrief)\b.{0,60}\b(?:abonnieren|anmelden)\b/i,
  /\b(?:abonnez-vous|inscrivez-vous)\b.{0,60}\b(?:newsletter|lettre)\b/i,
  /\bsuscr[ií]b(?:ete|ase)\b.{0,60}\b(?:bolet[ií]n|newsletter)\b/i,
  /\b(?:assine|inscreva-se)\b.{0,60}\bnewsletter\b/i,
  /\biscriviti\b.{0,60}\bnewsletter\b/i,
  /^(?:subscribe|sign (?:in|up)|log in|register)\b.{0,60}\bto (?:read|continue|keep reading|view|access|unlock)\b/i,
  /^(?:listen to (?:this |the )?(?:article|story|post)|(?:artikel|beitrag|text) anhören|écouter (?:l.|cet |cette )?article|escuchar (?:el |este )?artículo|ascolta (?:l.|questo )?articolo)\P{L}{0,20}(?:min(?:s|ut\p{L}{1,3})?\P{L}{0,20})?$/iu,
  /^[^\p{L}\p{P}]*(?:подпишитесь|подписывайтесь|подписаться) на .{0,40}(?:канал|telegram|телеграм|рассылк|новост|дзен)/iu,
  /^(?:©|ⓒ|\(c\)|copyright\b).{0,200}$/i,
  /^[【[（(]?(?:责任编辑|责编|编辑|校对|审核|监制)\s?[:：].{1,30}$/,
  /\ball rights reserved\b/i,
  /^a version of this (?:article|story) appear(?:s|ed) in print\b/i,
  /^this entry was posted (?:on|in|by)\b/i,
  /\bmay (?:contain|earn|receive).{0,60}\b(?:affiliate|referral)\b/i,
  /\b(?:affiliate|referral) links?\b.{0,80}\bcommission\b/i,
  /\bthis (?:website|site) uses cookies\b/i,
  /\bgot a (?:news )?tip\?|\bhave a (?:news )?tip\?|\bcontact (?:us|the author) at\b/i,
];

const LABEL_SET = new Set(LABELS.split('|').map(compact));
const POINTER_PATTERN = new RegExp(
  `^[\\[(>►▶•→»*\\s]*(?:${POINTERS.split('|')
    .map((words) => words.trim().replace(/dont/, 'don.?t').replace(/\s+/g, '\\s+'))
    .join('|')})(?=\\s*[:：\\-–—|>»!…]|\\s*\\.{0,3}\\s*$)`,
  'iu',
);
/** A count of readers, of their comments or of their reactions. */
const COUNT =
  /^\W*\d[\d.,]*\s?[km]?\s(?:views?|comments?|likes?|shares?|claps?|reads?|replies|responses|reactions?|followers?|aufrufe|kommentare|vues|commentaires|comentarios|visitas|visualizações|commenti)\W*$|^\d(?:\.\d+)? from \d+ votes?$/i;
const MAX_REQUEST_LENGTH = 400;

/** Links of a reference to catalogues. */
export const CATALOGUE =
  /^(?:google scholar|pubmed(?: central)?|crossref|scopus|web of science|view article|cas|ads|mathscinet|(?:pmc )?free (?:pmc )?article)$/i;
/** Headings of references. */
export const REFERENCES =
  /^[\d.\s]*(?:(?:notes (?:and|&) )?references(?: (?:and|&) notes| cited)?|bibliography|works cited|(?:cited )?literature(?: cited)?|literatur(?:verzeichnis)?|quellen|références|bibliographie|referencias|bibliografía|referências|bibliografia|riferimenti|literatuur|список литературы|литература|参考文献)\W*$/i;
export const CHANGE =
  /^(?:last (?:updated|modified|edited)|zuletzt (?:aktualisiert|geändert)|dernière (?:mise à jour|modification)|última (?:actualización|atualização))\b.{0,40}$/i;
/** Words before the title of a neighbouring page. */
export const NEIGHBOUR =
  /^(?:next|previous|prev|older|newer|weiter|zurück|suivant|précédent|siguiente|anterior)(?: (?:post|page|article|chapter))?$/i;

export function isLabel(text: string): boolean {
  return text.length < 60 && (LABEL_SET.has(compact(text)) || COUNT.test(text));
}

/** Detects text such as "Read more: …", which points to another page. */
export function isPointer(text: string): boolean {
  return POINTER_PATTERN.test(text.slice(0, 100));
}

export function isRequest(text: string): boolean {
  return text.length <= MAX_REQUEST_LENGTH && REQUESTS.some((pattern) => pattern.test(text));
}

function compact(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
