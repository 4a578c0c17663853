import { addCodeTools, addPageTools, showActualOrigin } from './code.ts';
import { keepLanguage } from './languages.ts';
import { findNewAddress } from './old-addresses.ts';
import { loadSearchOnFocus } from './search-loader.ts';
import { readKept } from './storage.ts';
import { addTrials } from './trial.ts';

/** The theme that was chosen in the console. */
const THEME_KEY = 'embed-gateway:theme';

document.documentElement.classList.add('with-script');
document.documentElement.dataset.theme = readKept(THEME_KEY) ?? 'system';

const newAddress = findNewAddress(location.pathname, location.hash);
if (newAddress !== null) location.replace(newAddress);

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
