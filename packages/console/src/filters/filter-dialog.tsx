import { useState } from 'preact/hooks';
import { FILTERS, type Filter } from '../generated/fields.ts';
import { capitalise, labelOfValue } from '../list/embed-view-model.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { ListQuery } from './list-query.ts';

interface Props {
  readonly query: ListQuery;
  readonly onApply: (query: ListQuery) => void;
  readonly onClose: () => void;
}

/** The filters to choose come before those to type. */
const FIELDS = FILTERS.toSorted((a, b) => Number(!a.values) - Number(!b.values));

/** A form with every filter of the API. */
export function FilterDialog({ query, onApply, onClose }: Props) {
  const [filters, setFilters] = useState(query.filters);
  const [days, setDays] = useState({ from: query.from, to: query.to });
  const apply = (event: SubmitEvent) => {
    event.preventDefault();
    const entries = Object.entries(filters).map(([name, value]) => [name, value.trim()]);
    onApply({ ...query, ...days, filters: Object.fromEntries(entries.filter(([, value]) => value !== '')) });
  };
  return (
    <Dialog heading="Filter embeds" onClose={onClose}>
      <form class="dialog-form" onSubmit={apply} noValidate>
        {FIELDS.map((filter) => (
          <FilterField
            key={filter.name}
            filter={filter}
            value={filters[filter.name] ?? ''}
            onChange={(value) => setFilters({ ...filters, [filter.name]: value })}
          />
        ))}
        <div class="day-range">
          {(['from', 'to'] as const).map((end) => (
            <div key={end} class="field">
              <label for={`filter-${end}`}>{end === 'from' ? 'Created from' : 'Created until'}</label>
              <input
                id={`filter-${end}`}
                class="input"
                type="date"
                value={days[end]}
                onInput={({ currentTarget }) => setDays({ ...days, [end]: currentTarget.value })}
              />
            </div>
          ))}
        </div>
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            Apply filters
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface FieldProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FilterField({ filter: { name, label, values }, value, onChange }: FieldProps) {
  const id = `filter-${name}`;
  return (
    <div class="field">
      <label for={id}>{capitalise(label)}</label>
      {values ? (
        <select id={id} class="input" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">Any</option>
          {values.map((option) => (
            <option key={option} value={option}>
              {labelOfValue(option)}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          class="input"
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </div>
  );
}
