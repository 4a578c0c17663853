import { type FieldNode, type FragmentDefinitionNode, Kind } from 'graphql';

/** Collects the fields that are selected in some fields, also by fragments. Each selection set is visited once. */
export function fieldsIn(
  fieldNodes: readonly FieldNode[],
  fragments: Readonly<Record<string, FragmentDefinitionNode | undefined>>,
): readonly FieldNode[] {
  const fields: FieldNode[] = [];
  const sets = new Set(fieldNodes.map(({ selectionSet }) => selectionSet));
  for (const set of sets) {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) sets.add(selection.selectionSet);
      else sets.add(fragments[selection.name.value]?.selectionSet);
    }
  }
  return fields;
}

/** The key of a field in the result. */
export function responseKeyOf({ name, alias }: FieldNode): string {
  return (alias ?? name).value;
}
