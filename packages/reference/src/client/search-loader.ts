/** Loads the search when its field gets the focus, which `/` moves there. If that fails, the next focus or letter tries again. */
export function loadSearchOnFocus(): void {
  const search = document.querySelector('search');
  const input = search?.querySelector('input');
  const list = search?.querySelector('ul');
  if (!search || !input || !list) return;
  let script: HTMLScriptElement | null = null;

  const load = (): void => {
    if (script) return;
    script = document.createElement('script');
    script.type = 'module';
    script.src = search.dataset.src ?? '';
    script.integrity = search.dataset.integrity ?? '';
    script.addEventListener('error', () => {
      script?.remove();
      script = null;
      const item = document.createElement('li');
      item.textContent = 'The search could not be loaded. Check your connection, then type again.';
      list.replaceChildren(item);
      list.hidden = input.value === '';
    });
    document.head.append(script);
  };
  input.addEventListener('focus', load);
  input.addEventListener('input', load);
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}
