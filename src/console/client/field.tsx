import type { Draft } from './embed-facts.ts';

/** What each field of the editor gets. */
export interface FieldProps {
  readonly draft: Draft;
  /** What the API finds wrong, by the name of the field. */
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly isDisabled: boolean;
}

/** What is wrong with a field, beside it. The API's sentences go on where the name of the field leaves off. */
export function FaultText({
  of,
  name,
  faults,
}: { readonly of: keyof Draft; readonly name: string } & Pick<FieldProps, 'faults'>) {
  const fault = faults[of];
  return (
    <p id={`${of}-fault`} class="fault" role="alert">
      {fault && `${name} ${fault}.`}
    </p>
  );
}
