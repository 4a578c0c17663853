import { Icon } from '../ui/icons.tsx';
import { ALL_EMBEDS, conditionsOf, type ListQuery } from './list-query.ts';

interface Props {
  readonly query: ListQuery;
  readonly onChange: (query: ListQuery) => void;
}

/** The conditions of the list. Each chip is a button that removes its condition. */
export function FilterChips({ query, onChange }: Props) {
  const conditions = conditionsOf(query);
  if (conditions.length === 0) return null;
  return (
    <ul class="chips filter-chips" aria-label="Filters">
      {conditions.map(({ label, value, without }) => (
        <li key={label}>
          <button type="button" class="chip" onClick={() => onChange(without)}>
            <span class="visually-hidden">Remove filter </span>
            <span class="chip-text">
              {label}: <b>{value}</b>
            </span>
            <Icon name="close" />
          </button>
        </li>
      ))}
      {conditions.length > 1 && (
        <li>
          <button
            type="button"
            class="chip"
            onClick={() => onChange({ ...ALL_EMBEDS, isOldestFirst: query.isOldestFirst })}
          >
            Remove all filters
          </button>
        </li>
      )}
    </ul>
  );
}
