import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

/** The fragments of a document by their names. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;

/** The fields that stand in selection sets, and in the fragments that are spread in them: each set is entered once. */
export function fieldsIn(sets: Iterable<SelectionSetNode | undefined>, fragments: Fragments): readonly FieldNode[] {
  const fields: FieldNode[] = [];
  const entered = new Set<SelectionSetNode>();
  const enter = (set: SelectionSetNode | undefined) => {
    if (!set || entered.has(set)) return;
    entered.add(set);
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) enter(selection.selectionSet);
      else enter(fragments[selection.name.value]?.selectionSet);
    }
  };
  for (const set of sets) enter(set);
  return fields;
}

/** The name under which a field is answered. */
export function keyOf({ name, alias }: FieldNode): string {
  return (alias ?? name).value;
}
