import type { FieldProps } from './field.tsx';
import type { Heading } from './preview-frame.ts';

interface Props extends FieldProps {
  readonly headings: readonly Heading[];
}

/** A choice of the section that the embed shows, by the headings of the page. It changes the fragment of the page URL. */
export function PartField({ draft, onChange, isDisabled, headings }: Props) {
  const [page = '', ...rest] = draft.pageUrl.split('#');
  const fragment = rest.join('#');
  const anchors = headings.map(({ anchor }) => encodeURIComponent(anchor));
  // a view of an application is another page
  if (headings.length === 0 || /^[!/]|^[^:]*=/.test(fragment)) return null;
  const isOther = fragment !== '' && !anchors.includes(fragment);
  return (
    <div class="field">
      <label for="page-part">Part of the page</label>
      <select
        id="page-part"
        class="input"
        value={fragment}
        disabled={isDisabled}
        onChange={({ currentTarget: { value } }) => onChange({ pageUrl: value === '' ? page : `${page}#${value}` })}
      >
        <option value="">The whole page</option>
        {isOther && <option value={fragment}>#{fragment}</option>}
        {headings.map(({ level, text }, i) => (
          <option key={anchors[i]} value={anchors[i]}>
            {'\u2003'.repeat(Math.max(0, level - 2)) + text}
          </option>
        ))}
      </select>
    </div>
  );
}
