import type { ObjectRef } from '@pothos/core';
import { BULK_NAMES } from '../../domain/embed/bulk.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import { ALL_FIELDS, type ComputedFieldName, type InputName, inputFieldsOf } from '../../domain/embed/fields.ts';
import type { ValueType } from '../../domain/input/parameters.ts';
import type { Context } from '../execution/context.ts';
import { builder } from './builder.ts';

const TYPES = {
  id: 'ID',
  instant: 'DateTime',
  url: 'URL',
  uuid: 'UUID',
  text: 'String',
  boolean: 'Boolean',
  integer: 'Int',
} as const satisfies Record<Exclude<ValueType, 'enum' | 'object'>, string>;

const ENUM_TYPES = new Map(
  ALL_FIELDS.flatMap(({ name, enumName, values = {}, description }) =>
    enumName ? [[name as string, defineEnum(enumName, `${description.replace(/\.$/, '')} of an embed.`, values)]] : [],
  ),
);

export function defineEnum(name: string, description: string, values: Readonly<Record<string, string>>) {
  const described = Object.entries(values).map(([value, text]) => [value, { description: text }]);
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(described) as Record<string, { description: string }>,
  });
}

/** Returns the GraphQL type of a field. Pothos only accepts literal types, so the result claims to be one of them. */
export function graphqlTypeOf({ name, type }: { readonly name: string; readonly type: ValueType }): 'String' {
  return (type === 'enum' || type === 'object' ? ENUM_TYPES.get(name) : TYPES[type]) as 'String';
}

type Types = typeof builder.$inferSchemaTypes;
export type InputFieldBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;
export type ObjectFieldBuilder<Parent extends object> = PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>;

type ShownType = 'ID' | 'String' | 'Int' | 'DateTime' | 'URL';

/** Defines fields that show properties of their parent under the same names. `?` marks those that can be null. */
export function shownFields<Parent extends object>(
  t: ObjectFieldBuilder<Parent>,
  descriptions: Readonly<Record<string, string>>,
  types: { readonly [Name in keyof Parent]?: ShownType | `${ShownType}?` },
) {
  const fields = Object.entries(types as Readonly<Record<string, string>>).map(([name, type]) => {
    const options = { type: type.replace('?', ''), nullable: type.endsWith('?'), description: descriptions[name] };
    return [name, t.expose(name as never, options as never)];
  });
  return Object.fromEntries(fields);
}

/** Defines the payload of a mutation whose work returns one object. */
export function payloadOf<Parent extends object>(
  name: string,
  type: ObjectRef<Types, Parent>,
  description: string,
  fieldDescription = description,
) {
  const resolve = (parent: Parent) => parent;
  const outputFields = (t: ObjectFieldBuilder<Parent>) => ({
    [name]: t.field({ type, description: fieldDescription, resolve: resolve as never }),
  });
  return { description, outputFields };
}

/** Defines the input fields that name the embed to update or delete. */
export function targetFields(t: InputFieldBuilder) {
  return {
    id: t.id({ required: true, description: 'The id of the embed.' }),
    expectedVersion: t.int({
      required: false,
      description:
        'The version of the embed that you have read. If the embed has another one, the mutation fails with `CONFLICT`.',
    }),
  };
}

/** Defines the fields that an input accepts. Those of a create are not nullable, and have defaults. */
export function inputFields(t: InputFieldBuilder, input: InputName) {
  const isCreate = input === 'create';
  return Object.fromEntries(
    inputFieldsOf(input).map((field) => {
      const { name, description, isNullable, default: defaultValue } = field;
      const type = graphqlTypeOf(field);
      const withDefault = isCreate && defaultValue !== undefined && { defaultValue: defaultValue as string };
      return [name, t.field({ type, description, required: isCreate && !isNullable, ...withDefault })];
    }),
  );
}

/** Defines the fields of an update that apply to several embeds. */
export function bulkFields(t: InputFieldBuilder) {
  return Object.fromEntries(Object.entries(inputFields(t, 'update')).filter(([name]) => BULK_NAMES.includes(name)));
}

type Compute = (embed: Embed, context: Context) => string | Date | Promise<string>;

/** Defines the fields of the object type, except for `id`, which Relay's plugin defines. */
export function outputFields(
  t: ObjectFieldBuilder<Embed>,
  computed: Readonly<Record<ComputedFieldName | 'updatedAt', Compute>>,
) {
  const shown = ALL_FIELDS.filter(({ name }) => name !== 'id');
  return Object.fromEntries(
    shown.map(({ name, type, description, isNullable }) => {
      const options = { type: graphqlTypeOf({ name, type }), description };
      const compute: Compute | undefined = computed[name as ComputedFieldName];
      const field = compute
        ? t.field({ ...options, resolve: (embed, _args, context) => compute(embed, context) as string })
        : t.expose(name as 'font', { ...options, nullable: isNullable ?? false });
      return [name, field];
    }),
  );
}
