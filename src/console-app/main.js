import { render } from 'preact';
import { jsx as _jsx } from 'preact/jsx-runtime';
import { Console } from './console.tsx';
import { applyTheme } from './theme.ts';

applyTheme();
const root = document.getElementById('console');
if (root) render(_jsx(Console, {}), root);
