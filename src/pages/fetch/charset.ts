/** The HTML standard looks for a declaration in this many bytes. */
const PRESCAN_BYTES = 1_024;

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const META = /<meta[\s/]([^>]*)/gi;
const ATTRIBUTE = /([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
const CHARSET = /charset\s*=\s*["']?([^"';\s]+)/i;
const XML_DECLARATION = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)/;

/**
 * Decodes a page by its byte order mark, else its `Content-Type`, else its own declaration (WHATWG HTML section 13.2.3).
 * Without a declaration the page is UTF-8, or windows-1252 if it is not valid UTF-8.
 */
export function decodePage(bytes: Uint8Array, contentType: string | null): string {
  const decoder =
    createDecoder(byteOrderMarkOf(bytes)) ??
    createDecoder(CHARSET.exec(contentType ?? '')?.[1]) ??
    createDecoder(findDeclaredCharset(bytes));
  if (decoder) return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function createDecoder(label: string | undefined): TextDecoder | null {
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

/** A declaration that is readable as ASCII cannot be in a UTF-16 page: the standard then assumes UTF-8. */
function findDeclaredCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1').replace(COMMENT, '');
  const label = findMetaCharset(start) ?? XML_DECLARATION.exec(start)?.[1];
  return label && /^utf-16/i.test(label) ? 'utf-8' : label;
}

function findMetaCharset(html: string): string | undefined {
  for (const [, text = ''] of html.matchAll(META)) {
    const attributes = new Map<string, string>();
    for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
      attributes.set(name.toLowerCase(), double ?? single ?? bare ?? '');
    }
    const isContentType = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
    const label =
      attributes.get('charset') ?? (isContentType ? CHARSET.exec(attributes.get('content') ?? '')?.[1] : undefined);
    if (label !== undefined && createDecoder(label)) return label;
  }
  return undefined;
}
