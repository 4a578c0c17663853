import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

export type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;

/**
 * Collects the fields of selection sets and of the fragments spread in them. Each set is visited once.
 * @param isIncluded false for selections that are left out; by default all are included
 */
export function fieldsIn(
  sets: Iterable<SelectionSetNode | undefined>,
  fragments: Fragments,
  isIncluded: (selection: SelectionNode) => boolean = () => true,
): readonly FieldNode[] {
  const fields: FieldNode[] = [];
  const visited = new Set<SelectionSetNode>();
  const visit = (set: SelectionSetNode | undefined) => {
    if (!set || visited.has(set)) return;
    visited.add(set);
    for (const selection of set.selections) {
      if (!isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet);
      else visit(fragments[selection.name.value]?.selectionSet);
    }
  };
  for (const set of sets) visit(set);
  return fields;
}

/** Returns the fragments of a document by their names. */
export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}

/** The key of a field in the result. */
export function responseKeyOf({ name, alias }: FieldNode): string {
  return (alias ?? name).value;
}
