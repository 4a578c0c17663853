import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

export type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;

/** Collects the fields of selection sets and of the fragments spread in them. Each set is visited once. */
export function fieldsIn(sets: Iterable<SelectionSetNode | undefined>, fragments: Fragments): readonly FieldNode[] {
  const fields: FieldNode[] = [];
  const visited = new Set<SelectionSetNode>();
  const visit = (set: SelectionSetNode | undefined) => {
    if (!set || visited.has(set)) return;
    visited.add(set);
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet);
      else visit(fragments[selection.name.value]?.selectionSet);
    }
  };
  for (const set of sets) visit(set);
  return fields;
}

/** The key of a field in the result. */
export function responseKeyOf({ name, alias }: FieldNode): string {
  return (alias ?? name).value;
}
