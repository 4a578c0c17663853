/** The token of the console, which keeps it under this key. */
const CONSOLE_KEY = 'embed-gateway:console-token';
/** The token that was entered here or in GraphiQL. */
const ENTERED_KEY = 'embed-gateway:token';

export interface KnownToken {
  readonly text: string;
  readonly source: 'console' | 'entered';
}

/** Finds the token of the console, or else the one that was entered before. */
export function findToken(): KnownToken | null {
  try {
    const ofConsole = localStorage.getItem(CONSOLE_KEY);
    if (ofConsole) return { text: ofConsole, source: 'console' };
    const entered = localStorage.getItem(ENTERED_KEY);
    return entered ? { text: entered, source: 'entered' } : null;
  } catch {
    return null;
  }
}

/** Keeps an entered token for this page and GraphiQL. Without storage it lasts until the page is reloaded. */
export function keepToken(text: string): void {
  try {
    localStorage.setItem(ENTERED_KEY, text);
  } catch {
    // the browser blocks storage
  }
}
