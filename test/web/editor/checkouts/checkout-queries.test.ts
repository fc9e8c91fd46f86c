import { expect, test } from 'vitest';
import { createApiClient } from '#web/api/client.ts';
import { createQueryClient } from '#web/api/queries.ts';
import { parseView } from '#web/routes/editor/checkout-view.ts';
import { checkoutsQuery } from '#web/routes/editor/checkouts/checkout-queries.ts';

/** A server with one checkout that rejects this cursor as unknown. */
function createServerWithout(cursor: string) {
  const cursors: unknown[] = [];
  const fetch = async (_input: string | URL | Request, init?: RequestInit) => {
    const body: { cursorRef?: string } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}');
    cursors.push(body.cursorRef);
    if (body.cursorRef !== cursor) return Response.json([{ id: 'c1' }]);
    return Response.json({ status: 400, code: 'unknown-cursor', detail: 'It is not there.' }, { status: 400 });
  };
  return { api: createApiClient({ fetch }), cursors };
}

test('a page whose last checkout was deleted shows the first page', async () => {
  const fetch = async (_input: string | URL | Request, init?: RequestInit) =>
    Response.json(JSON.stringify(init?.body).includes('cursorRef') ? [] : [{ id: 'c1' }]);
  const query = checkoutsQuery(createApiClient({ fetch }), 'ours', parseView({ after: 'c9' }));
  const page = await createQueryClient().fetchQuery(query);
  expect(page).toMatchObject({ checkouts: [{ id: 'c1' }], hasPrevious: false });
});

test('if the cursor is a deleted checkout, the first page is shown', async () => {
  const { api, cursors } = createServerWithout('deleted');
  const query = checkoutsQuery(api, 'ours', parseView({ after: 'deleted' }));
  const page = await createQueryClient().fetchQuery(query);
  expect(page).toMatchObject({ checkouts: [{ id: 'c1' }], hasPrevious: false });
  expect(cursors).toEqual(['deleted', undefined]);
});
