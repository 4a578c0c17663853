/*
 * Controls the colour mode. Runs in the head, before the first paint, and sets the attribute that the style sheet reads.
 * Without JavaScript the control is hidden, and the system's mode applies.
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

  /* Browsers may deny storage to third-party frames. The choice is then lost with the page. */
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

  /* Follows the choice in other frames and tabs with the same embed. */
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== KEY) return;
    choose(newValue);
    showChoice();
  });
})();
