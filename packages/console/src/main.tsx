import { render } from 'preact';
import { Console } from './console.tsx';
import { applyTheme } from './top-bar.tsx';

applyTheme();
const root = document.getElementById('console');
if (root) render(<Console />, root);
