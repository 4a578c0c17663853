import { VIEW_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { changesBetween } from '../../../domain/embed/field-changes.ts';
import { parseAccountPatch } from '../../../domain/embed/input.ts';
import { ACCOUNT_SETTINGS, mergeSettings, readSettings } from '../../../domain/embed/settings.ts';
import { ALL_EMBEDS } from '../../../domain/views.ts';
import { recordChange } from '../../execution/context.ts';
import { builder, mutationOf } from '../builder.ts';
import { payloadOf } from '../fields.ts';
import { findViews, ViewStatisticsType, viewArguments, viewRule } from '../views/view-statistics.ts';
import { settingFields, settingInputs } from './settings.ts';

interface Account {
  readonly id: string;
  readonly settings: string | null;
}

export const AccountType = builder.objectRef<Account>('Account').implement({
  description: 'An owner of embeds and tokens, with the settings of all embeds that have none of their own.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'The name of the account.' }),
    views: t.field({
      type: ViewStatisticsType,
      description: VIEW_DESCRIPTIONS.ofAccount,
      args: viewArguments(t),
      extensions: { rule: viewRule },
      resolve: (_account, args, context) => findViews(ALL_EMBEDS, args, context),
    }),
    ...settingFields(t, ACCOUNT_SETTINGS, ({ settings }) => readSettings(settings)),
  }),
});

builder.relayMutationField(
  'updateAccount',
  {
    description: 'New settings of the account. Omitted ones keep their values, and null removes one.',
    inputFields: (t) => settingInputs(t, ACCOUNT_SETTINGS),
  },
  {
    description:
      'Changes settings of the account, and of all embeds without settings of their own. Needs the scope `admin`. Fails with `BAD_USER_INPUT`, which lists all faults.',
    ...mutationOf({ scopes: ['admin'], parse: parseAccountPatch }, async (patch, context) => {
      const { accountId: id } = context.identity;
      const { before, settings } = await context.accounts.updateSettings(id, (stored) => mergeSettings(stored, patch));
      const changes = changesBetween({ ...readSettings(before) }, { ...readSettings(settings) });
      recordChange(context, { event: 'account.updated', changes });
      return { id, settings };
    }),
  },
  payloadOf('account', AccountType, 'The updated account.'),
);
