import { useEffect, useRef, useState } from 'preact/hooks';
import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { signIn } from './api/session.ts';
import { Icon, Logo } from './ui/icons.tsx';
export function SignIn({ reason, hasDrafts, onSignedIn, onEnded }) {
  const field = useRef(null);
  const [fault, setFault] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Embed Gateway';
    field.current?.focus();
  }, []);
  async function submit(event) {
    event.preventDefault();
    setBusy(true);
    const result = await signIn(field.current?.value ?? '', onEnded);
    setBusy(false);
    if ('client' in result) return onSignedIn(result);
    setFault(result.message);
    field.current?.focus();
  }
  return _jsx('main', {
    class: 'sign-in',
    children: _jsxs('form', {
      class: 'sign-in-card',
      onSubmit: submit,
      noValidate: true,
      children: [
        _jsx(Logo, {}),
        _jsx('h1', { children: 'Sign in to Embed Gateway' }),
        reason &&
          _jsxs('p', {
            class: 'note warning',
            role: 'status',
            children: [
              _jsx(Icon, { name: 'warning' }),
              _jsxs('span', {
                children: [
                  'You were signed out. ',
                  reason,
                  ' ',
                  hasDrafts && _jsx('b', { children: 'What you typed is kept.' }),
                ],
              }),
            ],
          }),
        _jsxs('div', {
          class: 'field',
          children: [
            _jsx('label', { for: 'token', children: 'Access token' }),
            _jsxs('div', {
              class: 'with-button',
              children: [
                _jsx('input', {
                  ref: field,
                  id: 'token',
                  class: 'input mono',
                  type: isShown ? 'text' : 'password',
                  placeholder: 'emb_\u2026',
                  autoComplete: 'off',
                  autoCapitalize: 'off',
                  spellcheck: false,
                  'aria-describedby': 'token-hint token-fault',
                  'aria-invalid': fault !== null,
                  onInput: () => setFault(null),
                }),
                _jsxs('button', {
                  type: 'button',
                  class: 'button ghost small',
                  'aria-pressed': isShown,
                  onClick: () => setShown(!isShown),
                  children: [isShown ? 'Hide' : 'Show', _jsx('span', { class: 'spoken', children: ' token' })],
                }),
              ],
            }),
            _jsx('p', { id: 'token-fault', class: 'fault', role: 'alert', children: fault }),
            _jsx('p', {
              id: 'token-hint',
              class: 'hint',
              children: 'The first start of the service printed one. It is kept in this tab only, until you close it.',
            }),
          ],
        }),
        _jsx('button', {
          type: 'submit',
          class: 'button primary wide',
          'aria-busy': isBusy,
          children: isBusy ? 'Signing in…' : 'Sign in',
        }),
        _jsxs('p', {
          class: 'sign-in-more',
          children: [
            'Another one: ',
            _jsx('code', { children: 'npm run tokens -- create --account default --name me' }),
          ],
        }),
      ],
    }),
  });
}
