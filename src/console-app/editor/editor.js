import { useEffect, useRef, useState } from 'preact/hooks';
import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { changesBetween } from '../list/embed-view-model.ts';
import { goTo, LIST } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { FontField } from './font-field.tsx';
import { ModeField } from './mode-field.tsx';
import { completeUrl, PageUrlField } from './page-url-field.tsx';
import { Preview } from './preview.tsx';
import { TopBarField } from './top-bar-field.tsx';
/** The form of an embed beside what it makes. New embeds and those that exist are edited alike. */
export function Editor({ name, heading, saved, drafts, token, mayWrite, embedUrl, onSave, children }) {
  const typed = drafts.get(name);
  const [draft, setDraft] = useState(typed?.draft ?? saved);
  const [trouble, setTrouble] = useState(typed?.trouble ?? null);
  const [isBusy, setBusy] = useState(false);
  const form = useRef(null);
  const isNew = name === 'new';
  const isChanged = isNew || Object.keys(changesBetween(saved, draft)).length > 0;
  useEffect(() => {
    document.title = `${heading} · Embed Gateway`;
    const start =
      isNew && saved.pageUrl === '' ? form.current?.querySelector('input') : document.getElementById('main');
    start?.focus();
  }, []);
  useEffect(() => {
    if (trouble)
      (form.current?.querySelector('[aria-invalid="true"]') ?? form.current?.querySelector('.note'))?.focus();
  }, [trouble]);
  function change(part) {
    const next = { ...draft, ...part };
    setDraft(next);
    drafts.set(name, { draft: next, trouble: null });
    const untouched = Object.entries(trouble?.faults ?? {}).filter(([field]) => !(field in part));
    if (trouble) setTrouble(untouched.length > 0 ? { ...trouble, faults: Object.fromEntries(untouched) } : null);
  }
  async function submit(event) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setTrouble(null);
    const found = await onSave({ ...draft, pageUrl: completeUrl(draft.pageUrl) });
    setBusy(false);
    setTrouble(found);
  }
  const leave = () => {
    drafts.delete(name);
    goTo(LIST);
  };
  const faults = trouble?.faults ?? {};
  const isGeneral = trouble !== null && Object.keys(faults).length === 0;
  const field = { draft, faults, onChange: change, isDisabled: !mayWrite };
  return _jsxs('main', {
    id: 'main',
    class: 'editor',
    tabIndex: -1,
    'aria-labelledby': 'editor-heading',
    children: [
      _jsxs('div', {
        class: 'view-head',
        children: [
          _jsx('a', {
            class: 'button ghost icon-only',
            href: LIST,
            'aria-label': 'Back to all embeds',
            children: _jsx(Icon, { name: 'back' }),
          }),
          _jsx('h1', { id: 'editor-heading', children: heading }),
        ],
      }),
      _jsxs('div', {
        class: 'split',
        children: [
          _jsxs('div', {
            class: 'side',
            children: [
              _jsxs('form', {
                ref: form,
                class: 'panel',
                onSubmit: submit,
                noValidate: true,
                'aria-label': 'Settings',
                children: [
                  !mayWrite &&
                    _jsx('p', {
                      class: 'note',
                      children: 'This token may only read. Sign in with one that may write to change embeds.',
                    }),
                  _jsx(PageUrlField, { ...field }),
                  _jsx(ModeField, { ...field }),
                  _jsx(FontField, { ...field }),
                  _jsx(TopBarField, { ...field }),
                  isGeneral &&
                    _jsxs('p', {
                      class: 'note warning',
                      role: 'alert',
                      tabIndex: -1,
                      children: [_jsx(Icon, { name: 'warning' }), trouble.message],
                    }),
                  _jsxs('div', {
                    class: 'actions',
                    children: [
                      _jsx('button', {
                        type: 'submit',
                        class: 'button primary',
                        'aria-busy': isBusy,
                        disabled: !mayWrite || !isChanged,
                        children: isNew ? 'Create embed' : 'Save changes',
                      }),
                      _jsx('button', { type: 'button', class: 'button ghost', onClick: leave, children: 'Cancel' }),
                    ],
                  }),
                ],
              }),
              children,
            ],
          }),
          _jsx(Preview, { draft: draft, token: token, isAllowed: mayWrite, embedUrl: embedUrl }),
        ],
      }),
    ],
  });
}
