import type { FastifyInstance } from 'fastify';
import { NEXT_CURSOR_HEADER } from '#contract/calls.ts';

export type ListQuery = { readonly max?: number; readonly order?: 'asc' | 'desc' };

/** Reads a whole list page by page, running a callback between pages. @returns the ids */
export async function readWholeList(
  app: FastifyInstance,
  path: string,
  { max = 10, order = 'desc' }: ListQuery = {},
  betweenPages: () => Promise<unknown> = async () => {},
  headers: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { max: String(max), order, ...(cursor === undefined ? {} : { cursorRef: cursor }) };
    const response = await app.inject({ url: path, query, headers });
    const page = response.json<{ id: string }[]>();
    if (page.length > max) throw new Error(`The list returned ${page.length} items, but at most ${max} were requested`);
    ids.push(...page.map(({ id }) => id));
    const nextCursor = response.headers[NEXT_CURSOR_HEADER];
    cursor = nextCursor === undefined ? undefined : String(nextCursor);
    await betweenPages();
  } while (cursor !== undefined);
  return ids;
}
