import { LOOK, type NamedSetting, namedSettings, SETTINGS } from '../../../domain/embed/settings.ts';
import { WATCHES } from '../../../domain/watch.ts';
import { builder } from '../builder.ts';
import { defineEnum, graphqlTypeOf, type InputFieldBuilder, type ObjectFieldBuilder } from '../fields.ts';

const LOOK_SETTINGS = namedSettings(LOOK);

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
      const { name, type, description } = setting;
      const resolve = (parent: Parent) => {
        const value: unknown = (read(parent) as Readonly<Record<string, unknown>>)[name] ?? null;
        return (type === 'instant' && value !== null ? new Date(String(value)) : value) as string;
      };
      const own = setting.members ? (LookType as 'String') : typeOf(setting);
      const shown = setting.isList ? ([own] as unknown as 'String') : own;
      return [name, t.field({ type: shown, nullable: true, description, resolve })];
    }),
  );
}

/** Defines the fields of an input that changes settings. */
export function settingInputs(t: InputFieldBuilder, settings: readonly NamedSetting[], ofNull = 'Null removes it.') {
  return Object.fromEntries(
    settings.map((setting) => {
      const { name, description } = setting;
      const own = setting.members ? (LookInputType as 'String') : typeOf(setting);
      const type = setting.isList ? ([own] as unknown as 'String') : own;
      return [name, t.field({ type, required: false, description: `${description} ${ofNull}` })];
    }),
  );
}

/** Returns the type of a setting that is no object. Pothos only accepts literal types, so the result claims to be one. */
function typeOf({ name, type, typeName }: NamedSetting): 'String' {
  if (type === 'enum') return WatchType as 'String';
  return (typeName as 'String' | undefined) ?? graphqlTypeOf({ name, type });
}
