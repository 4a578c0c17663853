import { LOOK, type NamedSetting, SETTINGS } from '../../../domain/embed/settings.ts';
import { namedEntries } from '../../../domain/input/parameters.ts';
import { WATCHES } from '../../../domain/watch.ts';
import { builder } from '../builder.ts';
import { defineEnum, graphqlTypeOf, type InputFieldBuilder, type ObjectFieldBuilder } from '../fields.ts';

const LOOK_SETTINGS = namedEntries(LOOK);

const WatchType: unknown = defineEnum('EmbedWatch', SETTINGS.watch.description, WATCHES);

const LookType: unknown = builder.objectRef<object>('Look').implement({
  description: 'The look of a frame, as far as it is set. A member that is null has the value of the account.',
  fields: (t) => settingFields(t, LOOK_SETTINGS, (look) => look),
});

const LookInputType: unknown = builder.inputType('LookInput', {
  description: 'Changes to a look. An omitted member keeps its value, and null removes it.',
  fields: (t) => settingInputs(t, LOOK_SETTINGS),
});

/** Defines the fields of a type that has settings. All of them are nullable. */
export function settingFields<Parent extends object>(
  t: ObjectFieldBuilder<Parent>,
  settings: readonly NamedSetting[],
  read: (parent: Parent) => object,
) {
  return Object.fromEntries(
    settings.map((setting) => {
      const { name, description } = setting;
      const resolve = (parent: Parent) => (read(parent) as Readonly<Record<string, string>>)[name] ?? null;
      return [name, t.field({ type: typeOf(setting, LookType), nullable: true, description, resolve })];
    }),
  );
}

/** Defines the fields of an input that changes settings. */
export function settingInputs(t: InputFieldBuilder, settings: readonly NamedSetting[], ofNull = 'Null removes it.') {
  return Object.fromEntries(
    settings.map((setting) => {
      const { name, description } = setting;
      const type = typeOf(setting, LookInputType);
      return [name, t.field({ type, required: false, description: `${description} ${ofNull}` })];
    }),
  );
}

/** Returns the type of a setting. Pothos only accepts literal types, so the result claims to be one. */
function typeOf({ name, type, typeName, isList, members }: NamedSetting, lookType: unknown): 'String' {
  const scalar = type === 'enum' ? WatchType : (typeName ?? graphqlTypeOf({ name, type }));
  const own = members ? lookType : scalar;
  return (isList ? [own] : own) as 'String';
}
