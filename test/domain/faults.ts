import type { Fault, Refusal } from '../../src/errors.ts';

/** Returns the faults with which the work is refused; none if it is not. */
export function faultsOf(work: () => unknown): readonly Fault[] {
  try {
    work();
  } catch (error) {
    return (error as Refusal).faults;
  }
  return [];
}
