/** Values that a template or a script has not filled in. */
const PLACEHOLDER =
  /\{\{|\}\}|\$\{|<%|%>|^%\w+%$|^\[object \w+\]$|^(?:undefined|null|nan|none|n\/a|unknown|untitled|false|true|default|todo|tbd|test title|site name|page title)$/i;

/** Detects placeholders, and texts without a letter or digit. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text.trim()) || !/[\p{L}\p{N}]/u.test(text);
}
