/** Returns one of the choices for the case with this index, so that every choice is used; all of them in long tests. */
export function rotated<T>(choices: readonly T[], index: number): readonly T[] {
  return process.env.MODE === 'long' ? choices : [choices[index % choices.length] as T];
}
