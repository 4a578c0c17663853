import { createContext, Script } from 'node:vm';
import highlighter from 'highlight.js/lib/common';
import clojure from 'highlight.js/lib/languages/clojure';
import dart from 'highlight.js/lib/languages/dart';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import elixir from 'highlight.js/lib/languages/elixir';
import erlang from 'highlight.js/lib/languages/erlang';
import haskell from 'highlight.js/lib/languages/haskell';
import http from 'highlight.js/lib/languages/http';
import julia from 'highlight.js/lib/languages/julia';
import nginx from 'highlight.js/lib/languages/nginx';
import nix from 'highlight.js/lib/languages/nix';
import ocaml from 'highlight.js/lib/languages/ocaml';
import powershell from 'highlight.js/lib/languages/powershell';
import protobuf from 'highlight.js/lib/languages/protobuf';
import scala from 'highlight.js/lib/languages/scala';
import { selectAll } from '../tree/select.ts';

/** Languages besides the common ones of the library. */
const MORE_LANGUAGES = {
  clojure,
  dart,
  dockerfile,
  elixir,
  erlang,
  haskell,
  http,
  julia,
  nginx,
  nix,
  ocaml,
  powershell,
  protobuf,
  scala,
};
/** Names of languages that the library does not know. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  python: ['python3', 'ipython', 'ipython3'],
  javascript: ['jscript', 'node'],
  shell: ['sh-session', 'bash-session', 'shell-session'],
  xml: ['vue', 'svelte', 'astro', 'text-html-basic'],
  ini: ['conf', 'properties'],
};
for (const [name, language] of Object.entries(MORE_LANGUAGES)) highlighter.registerLanguage(name, language);
for (const [languageName, aliases] of Object.entries(ALIASES))
  highlighter.registerAliases([...aliases], { languageName });

const context = createContext({ run: (): string => '' });
const run = new Script('run()');

/** In characters. Longer code stays uncoloured. */
const MAX_BLOCK_LENGTH = 20_000;
/** In characters, for all code of an article. The rest stays uncoloured. */
const MAX_TOTAL_LENGTH = 100_000;
/** For one piece of code, and for all of an article. The rest stays uncoloured. */
const MAX_BLOCK_TIME_MS = 1_000;
const MAX_TIME_MS = 2_000;

const DECLARED = /(?:^|[\s-])(?:language|lang|highlight-source)-([\w+#.-]{1,30})(?=\s|$)/;
const PREFIXED = /(?:^|\s)(?:highlight-|hl-|src-|geshifilter-|brush:\s*)([\w+#.-]{1,30})(?=[\s;]|$)/;
/** What is a language for sure, also if the library does not know it: Org mode, SyntaxHighlighter, GeSHi, Sphinx and Pandoc. */
const NAMED =
  /(?:^|\s)(?:src\s+src-|brush:\s*|geshifilter-|highlight-(?=\S+\s+notranslate)|sourceCode\s+)([a-z][\w+#.-]{1,29})(?=[\s;]|$)/;
const NO_LANGUAGE = /^(?:default|none|text|plain|plaintext|output|literate)$|code|lines?$|numbers?$/i;
/** Classes of highlighters that name the language in another class. */
const HIGHLIGHTED =
  /(?:^|\s)(?:hljs|sourceCode|syntaxhighlighter|highlight|chroma|prettyprint|rust-example-rendered|code)(?:\s|$)/;

/** Finds the name of a language in class names: `language-x`, `lang-x`, `highlight-source-x`, `brush: x` and others. */
export function findLanguage(classes: string): string | null {
  const declared = DECLARED.exec(classes)?.[1] ?? null;
  const names = [declared, PREFIXED.exec(classes)?.[1], ...(HIGHLIGHTED.test(classes) ? classes.split(/\s+/) : [])];
  const named = NAMED.exec(classes)?.[1] ?? 'none';
  const unknown = declared ?? (NO_LANGUAGE.test(named) ? null : named);
  return (names.find((name) => name && isKnownLanguage(name)) ?? unknown)?.toLowerCase() ?? null;
}

export function isKnownLanguage(name: string): boolean {
  return highlighter.getLanguage(name) !== undefined;
}

/** Colours the code of an article: adds elements with the classes of highlight.js. */
export function highlightCode(root: Element): void {
  const startedAt = performance.now();
  let total = 0;
  for (const code of selectAll(root, 'pre > code[class^="language-"]')) {
    const language = code.className.slice('language-'.length);
    const text = code.textContent;
    if (text.length > MAX_BLOCK_LENGTH || !isKnownLanguage(language)) continue;
    total += text.length;
    if (total > MAX_TOTAL_LENGTH || performance.now() - startedAt > MAX_TIME_MS) return;
    code.innerHTML = highlight(text, language) ?? code.innerHTML;
  }
}

/** Runs the highlighter with a time limit: the patterns of some languages take cubic time on hostile code. */
function highlight(text: string, language: string): string | null {
  context.run = () => highlighter.highlight(text, { language, ignoreIllegals: true }).value;
  try {
    return run.runInContext(context, { timeout: MAX_BLOCK_TIME_MS }) as string;
  } catch {
    return null;
  }
}
