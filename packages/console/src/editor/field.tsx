import type { Draft } from './draft.ts';

export interface FieldProps {
  readonly draft: Draft;
  /** The API's errors by field name. */
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (fields: Partial<Draft>) => void;
  readonly isDisabled: boolean;
}

interface FaultProps extends Pick<FieldProps, 'faults'> {
  readonly field: keyof Draft;
  /** The subject of the error sentence, such as "The font". The API's messages continue it. */
  readonly subject: string;
  /** Replaces the API's message while the field is empty. */
  readonly whenEmpty?: string | undefined;
}

export function FaultText({ field, subject, faults, whenEmpty }: FaultProps) {
  const fault = faults[field];
  return (
    <p id={`${field}-fault`} class="fault" role="alert">
      {fault && (whenEmpty ?? `${subject} ${fault}.`)}
    </p>
  );
}
