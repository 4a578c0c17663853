import { useState } from 'preact/hooks';
import { capitalise } from '../list/embed-view-model.ts';
import { Dialog } from '../ui/dialog.tsx';
import { CHOICES, type Choice, type ListQuery, labelOfChoice } from './list-query.ts';

interface Props {
  readonly query: ListQuery;
  readonly onApply: (query: ListQuery) => void;
  readonly onClose: () => void;
}

const DAYS = { from: 'Created from', to: 'Created until', changed: 'Changed from' } as const;

/** A form with every filter of the API. */
export function FilterDialog({ query, onApply, onClose }: Props) {
  const [filters, setFilters] = useState(query.filters);
  const [days, setDays] = useState({ from: query.from, to: query.to, changed: query.changed });
  const apply = (event: SubmitEvent) => {
    event.preventDefault();
    const entries = Object.entries(filters).map(([name, value]) => [name, value.trim()]);
    onApply({ ...query, ...days, filters: Object.fromEntries(entries.filter(([, value]) => value !== '')) });
  };
  return (
    <Dialog heading="Filter embeds" class="filter-dialog" onClose={onClose}>
      <form class="dialog-form" onSubmit={apply} noValidate>
        <div class="field-columns">
          {CHOICES.map((choice) => (
            <FilterField
              key={choice.name}
              choice={choice}
              value={filters[choice.name] ?? ''}
              onChange={(value) => setFilters({ ...filters, [choice.name]: value })}
            />
          ))}
        </div>
        <div class="field-columns days">
          {(Object.keys(DAYS) as (keyof typeof DAYS)[]).map((name) => (
            <div key={name} class="field">
              <label for={`filter-${name}`}>{DAYS[name]}</label>
              <input
                id={`filter-${name}`}
                class="input"
                type="date"
                value={days[name]}
                onInput={({ currentTarget }) => setDays({ ...days, [name]: currentTarget.value })}
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
  readonly choice: Choice;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FilterField({ choice, value, onChange }: FieldProps) {
  const { name, label, values } = choice;
  const id = `filter-${name}`;
  return (
    <div class="field">
      <label for={id}>{capitalise(label)}</label>
      {values ? (
        <select id={id} class="input" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">Any</option>
          {values.map((option) => (
            <option key={option} value={option}>
              {labelOfChoice(choice, option)}
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
