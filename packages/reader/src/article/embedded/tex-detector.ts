/** Recognises pages whose scripts convert the TeX in their text, from the events of a parser. */
export class TexDetector {
  isUsed = false;
  hasDollars = false;
  #isInScript = false;

  onopentag(name: string, { src, href }: Readonly<Record<string, string>>): void {
    this.#isInScript = name === 'script';
    const isLoaded = /\b(?:mathjax|katex)\b/i.test((name === 'script' && src) || (name === 'link' && href) || '');
    if (isLoaded) this.isUsed = true;
  }

  ontext(text: string): void {
    if (!this.#isInScript) return;
    if (/\bMathJax\b|\brenderMathInElement\b|\bkatex\.render\b/.test(text)) this.isUsed = true;
    if (/inlineMath\W{1,9}['"]\$['"]|left\W{1,9}['"]\$['"]|inlineMath[^;]{1,60}\[\s?['"]\$['"]/.test(text))
      this.hasDollars = true;
  }

  onclosetag(): void {
    this.#isInScript = false;
  }
}
