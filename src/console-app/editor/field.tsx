import type { Draft } from '../list/embed-view-model.ts';

/** What each field of the editor gets. */
export interface FieldProps {
  readonly draft: Draft;
  /** What the API finds wrong, by the name of the field. */
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly isDisabled: boolean;
}

interface FaultProps extends Pick<FieldProps, 'faults'> {
  readonly of: keyof Draft;
  readonly name: string;
  /** What to say instead while nothing is entered. */
  readonly whenEmpty?: string | undefined;
}

/** What is wrong with a field, beside it. The API's sentences go on where the name of the field leaves off. */
export function FaultText({ of, name, faults, whenEmpty }: FaultProps) {
  const fault = faults[of];
  return (
    <p id={`${of}-fault`} class="fault" role="alert">
      {fault && (whenEmpty ?? `${name} ${fault}.`)}
    </p>
  );
}
