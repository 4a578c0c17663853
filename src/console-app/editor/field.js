import { jsx as _jsx } from 'preact/jsx-runtime';
/** What is wrong with a field, beside it. The API's sentences go on where the name of the field leaves off. */
export function FaultText({ of, name, faults, whenEmpty }) {
  const fault = faults[of];
  return _jsx('p', {
    id: `${of}-fault`,
    class: 'fault',
    role: 'alert',
    children: fault && (whenEmpty ?? `${name} ${fault}.`),
  });
}
