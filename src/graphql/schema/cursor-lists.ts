import type { ArgBuilder, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { SpelledParameters } from '../../domain/embed/input.ts';
import { requireScope } from '../../domain/identity/account.ts';
import { type CursorPage, type CursorPaging, parseCursorPaging } from '../../domain/identity/cursor-paging.ts';
import type { Context } from '../execution/context.ts';
import { type ArgumentsRule, builder } from './builder.ts';
import { countLists, cursorConnectionOf } from './page-info.ts';

type SchemaTypes = typeof builder.$inferSchemaTypes;

/**
 * Returns the arguments of a list that is read in one direction, their rule and their parser.
 * @param noun the objects of the list, in the plural
 * @param maxNodes the most objects that the list can have
 */
export function cursorListOf(noun: string, parameters: SpelledParameters, maxNodes = Number.POSITIVE_INFINITY) {
  const rule: ArgumentsRule = (args, pagePolicy) => void parseCursorPaging(args, parameters, pagePolicy);
  return {
    rule,
    args: (t: ArgBuilder<SchemaTypes>) => ({
      first: t.int({ description: `The number of ${noun}: 1 to 100, 10 if omitted.` }),
      after: t.string({ description: `Only ${noun} after this cursor: older ones.` }),
    }),
    /** Also counts the objects that the request asks for. */
    readPaging(args: Readonly<Record<string, unknown>>, { budget, pagePolicy }: Context, info: GraphQLResolveInfo) {
      const paging = parseCursorPaging(args, parameters, pagePolicy);
      budget.spend('nodes', 'first', Math.min(paging.size, maxNodes) * countLists(info));
      return paging;
    },
  };
}

interface CountedList<Node> {
  readonly type: ObjectRef<SchemaTypes, Node>;
  /** Such as "a token". */
  readonly noun: string;
  readonly totalDescription: string;
  readonly parameters: SpelledParameters;
}

/** Returns the parts of a list like {@link cursorListOf}, and the type of its pages, which have the total. */
export function countedListOf<Node extends { readonly id: string }>(list: CountedList<Node>) {
  const { type, noun, totalDescription, parameters } = list;
  const plural = `${noun.replace(/^an? /, '').replace(/y$/, 'ie')}s`;
  const connection = builder.connectionObject(
    {
      type,
      name: `${type.name}Connection`,
      description: `A page of ${plural}.`,
      fields: (t) => ({
        totalCount: t.int({
          description: totalDescription,
          resolve: (page) => (page as unknown as ReturnType<typeof pageOf>).count(),
        }),
      }),
    },
    { name: `${type.name}Edge`, description: `${noun.replace('a', 'A')} and its position in the list.` },
  );
  /** @param count counts all objects, if the client selects the total */
  const pageOf = (page: CursorPage<Node>, count: () => Promise<number>) => ({ ...cursorConnectionOf(page), count });
  return { ...cursorListOf(plural, parameters), connection, pageOf };
}

interface AdminList<Node> extends CountedList<Node> {
  readonly description: string;
  readonly count: (context: Context, accountId: string) => Promise<number>;
  readonly findPage: (context: Context, accountId: string, paging: CursorPaging) => Promise<CursorPage<Node>>;
}

/** Adds a query of objects of the account, newest first, that needs the scope `admin`. */
export function addAdminList<Node extends { readonly id: string }>(field: string, list: AdminList<Node>): void {
  const { rule, args, readPaging, connection, pageOf } = countedListOf(list);
  builder.queryField(field, (t) =>
    t.field({
      type: connection,
      description: `${list.description} Needs the scope \`admin\`.`,
      args: args(t.arg),
      extensions: { rule, scopes: ['admin'] },
      resolve: async (_root, sent, context, info) => {
        const accountId = requireScope(context.identity, 'admin');
        const page = await list.findPage(context, accountId, readPaging(sent, context, info));
        return pageOf(page, () => list.count(context, accountId));
      },
    }),
  );
}
