/** Hosts of code: the page of a file, and the URL of its bytes. GitLab and Forgejo run on many hosts. */
const FILE_PAGES: readonly (readonly [page: RegExp, raw: string])[] = [
  [/^https:\/\/github\.com\/([\w.-]{1,100}\/[\w.-]{1,100})\/blob\/([^?#]+)/, 'https://raw.githubusercontent.com/$1/$2'],
  [/^(https:\/\/gitlab\.[a-z.-]{1,100}\/[^?#]{1,300})\/-\/blob\/([^?#]+)/, '$1/-/raw/$2'],
  [/^(https:\/\/bitbucket\.org\/[\w.-]{1,100}\/[\w.-]{1,100})\/src\/([^?#]+\/[^?#/]+)/, '$1/raw/$2'],
  [/^(https:\/\/codeberg\.org\/[\w.-]{1,100}\/[\w.-]{1,100})\/src\/((?:branch|tag|commit)\/[^?#]+)/, '$1/raw/$2'],
];
/** Files that these hosts render: their pages have more, such as the pictures of the text. */
const RENDERED = /\.(?:adoc|asciidoc|markdown|md|mdown|mkdn?|org|rst|textile)$/i;

/** Finds the URL of the bytes of a file that a page of a code host shows; null for other pages. */
export function findRawFile(pageUrl: string): string | null {
  const [page = '', raw] = FILE_PAGES.find(([pattern]) => pattern.test(pageUrl)) ?? [];
  if (raw === undefined || RENDERED.test(pageUrl.replace(/[?#].*$/s, ''))) return null;
  return pageUrl.replace(/[?#].*$/s, '').replace(page, raw);
}
