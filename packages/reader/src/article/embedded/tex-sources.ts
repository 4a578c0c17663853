import { findText, isObject, parseJson } from '../../json.ts';
import { decodeSegment } from '../../page-url.ts';

type Attributes = Readonly<Record<string, string>>;

export interface TexSource {
  readonly tex: string;
  readonly isDisplay: boolean;
}

/** Attributes in which editors and chats keep the TeX of a formula that they have rendered. */
const TEX_ATTRIBUTES = [
  'data-math',
  'data-tex',
  'data-latex',
  'data-formula',
  'data-expr',
  'data-equation',
  'data-katex',
];
const FORMULA_CLASS = /(?:^|[\s_-])(?:math|katex|tex|latex|formula|equation|mathjax|mathquill)(?:$|[\s_-])/i;
const DISPLAY_CLASS = /(?:^|[\s_-])(?:display|block|displaymath|math-block)(?:$|[\s_-])/i;
/** Servers that draw formulas, and the parameter or the part of the path with the TeX. */
const IMAGE_SERVICES: readonly RegExp[] = [
  /^https?:\/\/(?:latex|tex)\.codecogs\.com\/[\w.]+\?(.+)$/i,
  /^https?:\/\/[\w.]+\/(?:cgi-bin\/)?(?:mathtex|mimetex)\.cgi\?(.+)$/i,
  /^https?:\/\/chart\.(?:apis\.google|googleapis)\.com\/chart\?(?=.*\bcht=tx\b)(?:.*&)?chl=([^&]+)/i,
  /^https?:\/\/(?:s\d\.wp|[\w.]+\.wordpress)\.com\/latex\.php\?(?:.*&)?latex=([^&]+)/i,
  /^https?:\/\/(?:www\.zhihu\.com|[\w.]+)\/equation\?(?:.*&)?tex=([^&]+)/i,
  /^https?:\/\/[^/]+\/(?:latex|tex|formula|math|equation)\/((?:%5C|\\).+?)(?:\.(?:png|svg|gif))?$/i,
];
const SIZE_COMMANDS =
  /^(?:\s|\\(?:dpi|fn|bg|large|small|tiny|huge|inline|displaystyle)(?:\{[^}]{0,20}\}|_\w+)?(?=[\s\\{]|$)|\{\\color\{[^}]{0,20}\}\})+/;
const TEX_COMMAND = /\\[a-z]{2,}|_\{|\^|\\[()[\]]/i;
const MAX_TEX_LENGTH = 5_000;

/** Finds the TeX of a formula that scripts have rendered as ordinary elements. */
export function findTexOfElement({ class: classes = '', ...attributes }: Attributes): TexSource | null {
  // Substack
  const data = classes.includes('latex-rendered') ? parseJson(attributes['data-attrs'] ?? '') : null;
  const inData = isObject(data) ? findText(data.persistentExpression) : null;
  if (inData !== null && inData.length <= MAX_TEX_LENGTH) return { tex: inData, isDisplay: true };
  const tex = TEX_ATTRIBUTES.map((name) => attributes[name]).find((value) => value?.trim());
  if (!tex || tex.length > MAX_TEX_LENGTH || !FORMULA_CLASS.test(classes)) return null;
  return { tex: withoutDelimiters(tex), isDisplay: DISPLAY_CLASS.test(classes) };
}

/** Finds the TeX of a picture of a formula, in its address or its alternative text. */
export function findTexOfImage({ src = '', alt = '', class: classes = '' }: Attributes): TexSource | null {
  if (src.length > MAX_TEX_LENGTH || alt.length > MAX_TEX_LENGTH) return null;
  for (const service of IMAGE_SERVICES) {
    const encoded = service.exec(src.replaceAll('&amp;', '&'))?.[1];
    if (encoded === undefined) continue;
    // only the value of a parameter is encoded like that of a form
    const blank = src.includes(`=${encoded}`) ? '%20' : '%2B';
    return {
      tex: decodeSegment(encoded.replaceAll('&space;', ' ').replaceAll('+', blank)).replace(SIZE_COMMANDS, ''),
      isDisplay: false,
    };
  }
  const isDelimited = /^\s*(?:\$.+\$|\\[([].+\\[)\]])\s*$/s.test(alt);
  if (!isDelimited && !(FORMULA_CLASS.test(classes) && TEX_COMMAND.test(alt))) return null;
  return { tex: withoutDelimiters(alt), isDisplay: /^\s*(?:\$\$|\\\[)/.test(alt) };
}

function withoutDelimiters(tex: string): string {
  return tex
    .trim()
    .replace(/^(?:\$\$?|\\[([])|(?:\$\$?|\\[)\]])$/g, '')
    .trim();
}
