import { render } from 'preact';
import { Console } from './console.tsx';
import { applyTheme } from './theme.ts';

applyTheme();
const root = document.getElementById('console');
if (root) render(<Console />, root);
