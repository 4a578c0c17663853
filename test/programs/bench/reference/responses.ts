import type { ServerResponse } from 'node:http';
import { createEmbedIdGenerator } from '../../../../src/domain/embed/id.ts';

/** A row of the table `Embed` in either database. */
export interface Row {
  readonly id: string;
  /** ISO 8601 in UTC, with `Z` or `+00:00`. */
  readonly createdAt: string;
  readonly pageUrl: string;
  readonly pageId: string;
  readonly title: string;
  readonly mode: string;
  readonly font: string;
  readonly showTopBar: number | boolean;
}

/** Creates the response bodies of both references. */
export function createResponses(embedHost: string) {
  const toJson = (row: Row) => ({
    id: row.id,
    created_at: row.createdAt.replace('+00:00', 'Z'),
    embed_url: `http://${row.id}.${embedHost}/${row.title.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')}-${row.pageId.replaceAll('-', '')}`,
    page_id: row.pageId,
    page_url: row.pageUrl,
    mode: row.mode.toLowerCase(),
    font: row.font,
    show_top_bar: Boolean(row.showTopBar),
  });
  return {
    one: (row: Row) => ({ embed: toJson(row) }),
    /** @param rows up to `first` + 1 rows: the last one only shows that there is a next page */
    page(rows: readonly Row[], first: number, total: number) {
      const embeds = rows.slice(0, first).map(toJson);
      const pagination = {
        end_cursor: embeds.at(-1)?.id ?? null,
        has_next_page: rows.length > first,
        total_count: total,
      };
      return { embeds, total_count: total, pagination };
    },
  };
}

const newIdentity = createEmbedIdGenerator();

/** Creates a row from the body of a create. */
export function newRow(body: string): Row {
  const input = JSON.parse(body) as { page_url: string; mode?: string; font?: string; show_top_bar?: boolean };
  const segment = new URL(input.page_url).pathname.split('/').at(-1) ?? '';
  const hex = segment.slice(-32);
  const { id, createdAt } = newIdentity('bench');
  return {
    id,
    createdAt: createdAt.toISOString().replace('Z', '+00:00'),
    pageUrl: input.page_url,
    pageId: [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-'),
    title: segment.slice(0, -33).replaceAll('-', ' '),
    mode: (input.mode ?? 'light').toUpperCase(),
    font: input.font ?? 'default',
    showTopBar: (input.show_top_bar ?? true) ? 1 : 0,
  };
}

/** Matches the path of REST. Groups: id, query. */
export const PATH = /^\/v1\/embeds(?:\/([^/?]+))?(?:\?(.*))?$/;

export function send(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
