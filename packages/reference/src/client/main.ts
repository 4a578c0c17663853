import { addCodeTools, addPageTools, showActualOrigin } from './code.ts';
import { keepLanguage } from './languages.ts';
import { loadSearchOnFocus } from './search-loader.ts';
import { readKept } from './storage.ts';
import { addTrials } from './trial.ts';

/** The theme that was chosen in the console. */
const THEME_KEY = 'embed-gateway:theme';

/** Deep links of the Swagger UI that used to be at this URL: `/docs#/Embeds/listEmbeds`. */
const SWAGGER_LINK = /^#\/\w+\/(\w+)$/;

document.documentElement.classList.add('with-script');
document.documentElement.dataset.theme = readKept(THEME_KEY) ?? 'system';

const operation = SWAGGER_LINK.exec(location.hash)?.[1];
if (location.pathname === '/docs' && operation) location.replace(`/docs/rest/${operation}`);

document.addEventListener('DOMContentLoaded', () => {
  showActualOrigin();
  keepLanguage();
  addCodeTools();
  addPageTools();
  addTrials();
  loadSearchOnFocus();
  showCurrentPage();
});

/** Scrolls the navigation, and nothing else, so that the current page is in its middle. On narrow screens it has no height until it is opened. */
function showCurrentPage(): void {
  const navigation = document.querySelector('#navigation');
  const current = navigation?.querySelector<HTMLElement>('[aria-current]');
  if (!navigation || !current) return;
  const center = () => {
    navigation.scrollTop = current.offsetTop - navigation.clientHeight / 2;
  };
  center();
  navigation.addEventListener('toggle', center);
}
