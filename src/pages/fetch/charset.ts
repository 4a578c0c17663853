/** How far into a page a declaration of its encoding may stand. */
const PRESCAN_BYTES = 1_024;

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const META = /<meta[\s/]([^>]*)/gi;
const ATTRIBUTE = /([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
const CHARSET = /charset\s*=\s*["']?([^"';\s]+)/i;
const XML_DECLARATION = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)/;

/**
 * The text of a page (WHATWG HTML section 13.2.3): its byte order mark decides, else the `Content-Type` header, else
 * the page itself. What declares nothing is UTF-8, or windows-1252 when it cannot be that.
 */
export function decodePage(bytes: Uint8Array, contentType: string | null): string {
  const decoder =
    decoderOf(byteOrderMarkOf(bytes)) ??
    decoderOf(CHARSET.exec(contentType ?? '')?.[1]) ??
    decoderOf(declaredIn(bytes));
  if (decoder) return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** None for a label that nobody knows, which then counts as not declared. */
function decoderOf(label: string | undefined): TextDecoder | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function byteOrderMarkOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

/** What the page says of its own encoding. A page whose ASCII could be read is not UTF-16, whatever it says. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1').replace(COMMENT, '');
  const label = charsetOfMeta(start) ?? XML_DECLARATION.exec(start)?.[1];
  return label && /^utf-16/i.test(label) ? 'utf-8' : label;
}

function charsetOfMeta(html: string): string | undefined {
  for (const [, text = ''] of html.matchAll(META)) {
    const attributes = new Map<string, string>();
    for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
      attributes.set(name.toLowerCase(), double ?? single ?? bare ?? '');
    }
    const isContentType = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
    const label =
      attributes.get('charset') ?? (isContentType ? CHARSET.exec(attributes.get('content') ?? '')?.[1] : undefined);
    if (label !== undefined && decoderOf(label)) return label;
  }
  return undefined;
}
