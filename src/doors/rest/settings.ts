import { embedNotFound } from '../../domain/embed/embed.ts';
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
import { unlessKnown } from '../../http/representation.ts';
import { type Call, json, requireMatching, taggedReply, type Versioned } from './embeds.ts';

/** `GET /v1/embeds/{id}/settings` */
export async function retrieveSettings({ run, id, headers }: Call): Promise<Reply> {
  const { embed } = await run(RetrieveSettingsDocument, { id });
  if (!embed) throw embedNotFound();
  return unlessKnown(headers, taggedReply(200, versionedOf(embed)));
}

/** `PATCH /v1/embeds/{id}/settings` */
export async function updateSettings(call: Call): Promise<Reply> {
  const { run, id, variables } = call;
  const expected = await requireMatching(call, async () => {
    const { embed } = await run(RetrieveSettingsDocument, { id });
    return embed && versionedOf(embed);
  });
  const { updateEmbed } = await run(UpdateSettingsDocument, { input: { ...variables, id, ...expected } });
  return taggedReply(200, versionedOf(updateEmbed.embed));
}

/** `GET /v1/account` */
export async function retrieveAccount({ run }: Call): Promise<Reply> {
  const { viewer } = await run(RetrieveAccountDocument, {});
  return accountReply(viewer.account);
}

/** `PATCH /v1/account` */
export async function updateAccount({ run, variables }: Call): Promise<Reply> {
  const { updateAccount } = await run(UpdateAccountDocument, { input: variables });
  return accountReply(updateAccount.account);
}

type VersionedSettings = SettingsPartsFragment & { readonly version: number };

function versionedOf({ version, ...embed }: VersionedSettings): Versioned {
  const { externalId: external_id, updatedAt: updated_at } = embed;
  const settings = { external_id, updated_at, ...toRestSettings(EMBED_SETTINGS, embed) };
  return { version, representation: JSON.stringify({ settings }) };
}

function accountReply(account: AccountPartsFragment): Reply {
  const { id } = account;
  return json(200, JSON.stringify({ account: { id, ...toRestSettings(ACCOUNT_SETTINGS, account) } }));
}

function toRestSettings(settings: readonly NamedSetting[], values: object): object {
  const byName = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(settings.map((setting) => [setting.restName, toRestValue(setting, byName[setting.name])]));
}

function toRestValue({ members, values }: NamedSetting, value: unknown): unknown {
  if (members && typeof value === 'object' && value !== null) return toRestSettings(namedEntries(members), value);
  return values && typeof value === 'string' ? spellValue(value, 'rest') : (value ?? null);
}
