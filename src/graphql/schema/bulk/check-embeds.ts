import { parseDraft } from '../../../domain/embed/input.ts';
import { MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import { requireScope } from '../../../domain/identity/account.ts';
import { type Fault, faultsOf, refuseFaults } from '../../../errors.ts';
import { type ArgumentsRule, builder } from '../builder.ts';
import { CreateEmbedInputType } from '../create-embed.ts';

const checkRule: ArgumentsRule = ({ inputs }) => {
  if (Array.isArray(inputs) && inputs.length > MAX_PAGE_SIZE)
    throw refuseFaults([{ path: 'inputs', message: `must be a list of at most ${MAX_PAGE_SIZE} embeds` }]);
};

const InputFaultType = builder.objectRef<Fault>('InputFault').implement({
  description: 'A rule that an input violates.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The name of the field.' }),
    message: t.exposeString('message', { description: 'The rule, as a predicate: `must be …`.' }),
  }),
});

const EmbedCheckType = builder.objectRef<readonly Fault[]>('EmbedCheck').implement({
  description: 'The result of checking a new embed.',
  fields: (t) => ({
    faults: t.field({
      type: [InputFaultType],
      description: 'What `createEmbed` would refuse; empty if it would create the embed.',
      resolve: (faults) => faults,
    }),
  }),
});

builder.queryField('checkEmbeds', (t) =>
  t.field({
    type: [EmbedCheckType],
    description:
      'Checks at most 100 new embeds with the rules of `createEmbed`, except the one of `externalId`, in their order, and creates none. Needs the scope `write`.',
    args: { inputs: t.arg({ type: [CreateEmbedInputType], required: true, description: 'The new embeds.' }) },
    extensions: { rule: checkRule, scopes: ['write'] },
    resolve: (_root, args, context) => {
      requireScope(context.identity, 'write');
      checkRule(args, context.pagePolicy, context.now());
      return args.inputs.map((input) => faultsOf(() => parseDraft(input, context.pagePolicy)));
    },
  }),
);
