/** Returns a kept value; null also where the browser blocks storage. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // the browser blocks storage
  }
}

/** Keeps a value for all pages. Without storage it lasts until the page is reloaded. */
export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // the browser blocks storage
  }
}
