import { VIEW_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { requireScope } from '../../../domain/identity/account.ts';
import {
  daysIn,
  parseViewRange,
  VIEW_GROUPINGS,
  type ViewGroup,
  type ViewRange,
  type ViewStatistics,
} from '../../../domain/views.ts';
import type { Context } from '../../execution/context.ts';
import { type ArgumentsRule, builder } from '../builder.ts';
import { defineEnum, type ObjectFieldBuilder, shownFields } from '../fields.ts';

const ViewGroupingType = defineEnum('ViewGrouping', 'How views are grouped.', VIEW_GROUPINGS);

const ViewGroupType = builder.objectRef<ViewGroup>('ViewGroup').implement({
  description: VIEW_DESCRIPTIONS.group,
  fields: (t) => shownFields(t, VIEW_DESCRIPTIONS, { key: 'String', views: 'Int', reads: 'Int' }),
});

export const ViewStatisticsType = builder.objectRef<ViewStatistics>('ViewStatistics').implement({
  description: VIEW_DESCRIPTIONS.object,
  fields: (t) => ({
    ...shownFields(t, VIEW_DESCRIPTIONS, { views: 'Int', reads: 'Int' }),
    groups: t.expose('groups', { type: [ViewGroupType], description: VIEW_DESCRIPTIONS.groups }),
  }),
});

/** Defines the arguments of a range. */
export const viewArguments = ({ arg }: Pick<ObjectFieldBuilder<never>, 'arg'>) => ({
  from: arg({ type: 'Date', required: true, description: VIEW_DESCRIPTIONS.from }),
  to: arg({ type: 'Date', required: true, description: VIEW_DESCRIPTIONS.to }),
  by: arg({ type: ViewGroupingType, required: true, defaultValue: 'DAY', description: VIEW_DESCRIPTIONS.by }),
});

export const viewRule: ArgumentsRule = (args, pagePolicy) =>
  void parseViewRange({ values: args }, pagePolicy, 'graphql');

/** @throws {Refusal} `insufficient_scope`, `invalid` */
export function findViews(
  embedId: string,
  args: Readonly<Record<keyof ViewRange, string>>,
  context: Context,
): Promise<ViewStatistics> {
  const accountId = requireScope(context.identity, 'read');
  const range = parseViewRange({ values: args }, context.pagePolicy, 'graphql');
  context.budget.spend('days', 'from', daysIn(range));
  return context.views.find(accountId, embedId, range);
}
