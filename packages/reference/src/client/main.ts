import { addCopyButtons, showActualOrigin } from './code.ts';
import { keepLanguage } from './languages.ts';
import { openSearch } from './search.ts';
import { addTrials } from './trial.ts';

/** The theme that was chosen in the console. */
const THEME_KEY = 'embed-gateway:theme';

/** Deep links of the Swagger UI that used to be at this URL: `/docs#/Embeds/listEmbeds`. */
const SWAGGER_LINK = /^#\/\w+\/(\w+)$/;

document.documentElement.classList.add('with-script');
try {
  document.documentElement.dataset.theme = localStorage.getItem(THEME_KEY) ?? 'system';
} catch {
  // the browser blocks storage
}

const operation = SWAGGER_LINK.exec(location.hash)?.[1];
if (location.pathname === '/docs' && operation) location.replace(`/docs/rest/${operation}`);

document.addEventListener('DOMContentLoaded', () => {
  showActualOrigin();
  keepLanguage();
  addCopyButtons();
  addTrials();
  openSearch();
  document.querySelector('#navigation [aria-current]')?.scrollIntoView({ block: 'nearest' });
});
