import { render } from 'preact';
import { Console } from './console.tsx';
import { applyTheme } from './theme.ts';

applyTheme();
forgetToken();
const root = document.getElementById('console');
if (root) render(<Console />, root);

/** Removes what earlier releases stored. Storage throws where the browser blocks it. */
function forgetToken(): void {
  try {
    localStorage.removeItem('embed-gateway:console-token');
  } catch {}
}
