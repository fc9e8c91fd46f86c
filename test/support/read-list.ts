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
    const part = response.json<{ id: string }[]>();
    if (part.length > max) throw new Error(`The list returned ${part.length} items, but at most ${max} were requested`);
    ids.push(...part.map(({ id }) => id));
    const next = response.headers[NEXT_CURSOR_HEADER];
    cursor = next === undefined ? undefined : String(next);
    await betweenPages();
  } while (cursor !== undefined);
  return ids;
}
