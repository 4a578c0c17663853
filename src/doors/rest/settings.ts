import { ACCOUNT_PARAMETERS, SETTINGS_PARAMETERS } from '../../domain/embed/input.ts';
import { ACCOUNT_SETTINGS, EMBED_SETTINGS, type NamedSetting } from '../../domain/embed/settings.ts';
import { namedEntries, spellValue } from '../../domain/input/parameters.ts';
import {
  type AccountPartsFragment,
  RetrieveAccountDocument,
  RetrieveSettingsDocument,
  type SettingsPartsFragment,
  UpdateAccountDocument,
  UpdateSettingsDocument,
} from '../../generated/operations.ts';
import type { Reply } from '../../http/reply.ts';
import { json, matchedInput, requireEmbed, resourceReply, taggedReply, type Versioned } from './replies.ts';
import type { Call, ResourceSpecs } from './resource.ts';

export const SETTINGS_RESOURCES: ResourceSpecs = {
  '/v1/embeds/{id}/settings': {
    GET: {
      requestHeaders: ['If-None-Match'],
      scope: 'read',
      success: { description: 'The settings.', body: 'SettingsAnswer', headers: ['ETag'] },
      id: 'retrieveSettings',
      summary: 'Retrieve the settings of an embed',
      description:
        'Returns what is set for the embed itself. Where it has null, the account or the usual value applies.',
      handle: (call) => resourceReply(call, readSettings),
    },
    PATCH: {
      parameters: SETTINGS_PARAMETERS,
      requestHeaders: ['If-Match'],
      scope: 'write',
      success: { description: 'The updated settings.', body: 'SettingsAnswer', headers: ['ETag'] },
      id: 'updateSettings',
      summary: 'Update the settings of an embed',
      description:
        'Changes the given settings and keeps the others; null, which only a body in JSON can express, removes one. An update that changes nothing also needs a token with the scope `read`. With `If-Match`, the settings are changed only if the embed has not changed since you read them.',
      handle: async (call) => {
        const input = await matchedInput(call, readSettings);
        const { updateEmbed } = await call.run(UpdateSettingsDocument, { input });
        return taggedReply(versionedOf(updateEmbed.embed));
      },
    },
  },
};

export const ACCOUNT_RESOURCES: ResourceSpecs = {
  '/v1/account': {
    GET: {
      scope: 'read',
      success: { description: 'The account.', body: 'AccountAnswer' },
      id: 'retrieveAccount',
      summary: 'Retrieve the account',
      description: 'Returns the account of the token, with the settings of all embeds that have none of their own.',
      handle: async ({ run }) => accountReply((await run(RetrieveAccountDocument, {})).viewer),
    },
    PATCH: {
      parameters: ACCOUNT_PARAMETERS.rest,
      scope: 'admin',
      success: { description: 'The updated account.', body: 'AccountAnswer' },
      id: 'updateAccount',
      summary: 'Update the account',
      description:
        'Changes the given settings of the account and keeps the others; null, which only a body in JSON can express, removes one. All embeds without settings of their own show the change within 5 s.',
      handle: async ({ run, variables }) =>
        accountReply((await run(UpdateAccountDocument, { input: variables })).updateAccount),
    },
  },
};

async function readSettings({ run, id }: Call): Promise<Versioned> {
  return versionedOf(requireEmbed(await run(RetrieveSettingsDocument, { id })));
}

function versionedOf({ version, ...embed }: SettingsPartsFragment & Pick<Versioned, 'version'>): Versioned {
  const { externalId: external_id, updatedAt: updated_at } = embed;
  const settings = { external_id, updated_at, ...toRestSettings(EMBED_SETTINGS, embed) };
  return { version, representation: JSON.stringify({ settings }) };
}

function accountReply({ account }: { readonly account: AccountPartsFragment }): Reply {
  return json({ account: { id: account.id, ...toRestSettings(ACCOUNT_SETTINGS, account) } });
}

function toRestSettings(settings: readonly NamedSetting[], values: object): object {
  const byName = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(settings.map((setting) => [setting.restName, toRestValue(setting, byName[setting.name])]));
}

function toRestValue({ members, values }: NamedSetting, value: unknown): unknown {
  if (members && typeof value === 'object' && value !== null) return toRestSettings(namedEntries(members), value);
  return values && typeof value === 'string' ? spellValue(value) : (value ?? null);
}
