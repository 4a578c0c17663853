import type { ApiError } from '../api/api-error.ts';
import { Icon } from './icons.tsx';

/** The message of an error that no field of the form shows. It can have the focus. */
export function FormError({ error }: { readonly error: ApiError | null }) {
  if (!error || Object.keys(error.faults).length > 0) return null;
  return (
    <p class="note warning" role="alert" tabIndex={-1}>
      <Icon name="warning" />
      {error.message}
    </p>
  );
}
