import { andThen } from '../../../awaitable.ts';
import { TOKEN_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { type Identity, type Person, requireScope } from '../../../domain/identity/account.ts';
import { toScopeValue } from '../../../domain/identity/token-input.ts';
import { builder } from '../builder.ts';
import { AccountType } from './account.ts';
import { ScopeType } from './tokens.ts';

const PersonType = builder.objectRef<Person>('Person').implement({
  description: 'A person whom the OpenID Connect provider has signed in.',
  fields: (t) => ({
    subject: t.exposeString('subject', { description: 'Names the person at the provider.' }),
    name: t.exposeString('name', {
      description: 'The name or user name of the person, or a verified e-mail address, or else the subject.',
    }),
    accounts: t.stringList({
      description: 'The names of the accounts in which the person has a role.',
      resolve: ({ accounts }) => Object.keys(accounts).sort(),
    }),
  }),
});

const ViewerType = builder.objectRef<Identity>('Viewer').implement({
  description: 'The caller, as the service knows it by its token.',
  fields: (t) => ({
    accountId: t.exposeID('accountId', { description: 'The name of the account that the token belongs to.' }),
    tokenName: t.string({
      nullable: true,
      description: 'The name of the token; null for `ACCESS_TOKEN` of the operator, which has none, and for a person.',
      resolve: async ({ accountId, tokenId, person }, _args, { tokens }) =>
        person ? null : ((await tokens.find(accountId, tokenId))?.name ?? null),
    }),
    person: t.expose('person', {
      type: PersonType,
      nullable: true,
      description: 'The person who is signed in to the console; null for a token.',
    }),
    scopes: t.field({
      type: [ScopeType],
      description: TOKEN_DESCRIPTIONS.scopes,
      resolve: ({ scopes }) => scopes.map(toScopeValue),
    }),
    account: t.field({
      type: AccountType,
      description: 'The account that the token belongs to, with its settings. Needs the scope `read`.',
      resolve: (identity, _args, { accounts }) => {
        const id = requireScope(identity, 'read');
        return andThen(accounts.findSettings(id), (settings) => ({ id, settings }));
      },
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerType,
    description: 'The account and the scopes of the token that the request carries. Needs no scope.',
    resolve: (_root, _args, { identity }) => identity,
  }),
);
