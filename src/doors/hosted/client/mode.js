/*
 * The control of the top bar. Runs in the head, before anything is painted: the attribute that it sets is what the
 * style sheet reads, and without it (no script, no control) the system decides.
 */
(() => {
  const KEY = 'mode';
  const root = document.documentElement;

  const choose = (choice) => {
    root.dataset.choice = choice === 'light' || choice === 'dark' ? choice : 'system';
  };

  const showChoice = () => {
    for (const radio of document.getElementsByName(KEY)) radio.checked = radio.value === root.dataset.choice;
  };

  /* Storage throws where the browser keeps it from third-party frames: then the choice lasts as long as the page. */
  try {
    choose(localStorage.getItem(KEY));
  } catch {
    choose();
  }

  document.addEventListener('DOMContentLoaded', showChoice);

  document.addEventListener('change', ({ target }) => {
    if (target.name !== KEY) return;
    choose(target.value);
    try {
      localStorage.setItem(KEY, target.value);
    } catch {}
  });

  /* The same embed, shown twice or in another tab. */
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== KEY) return;
    choose(newValue);
    showChoice();
  });
})();
