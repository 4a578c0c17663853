import { useEffect } from 'preact/hooks';

/** Names the document, and moves the focus to the page. */
export function usePage(title: string): void {
  useEffect(() => {
    document.title = `${title} · Embed Gateway`;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [title]);
}
