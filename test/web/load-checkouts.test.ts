import { expect, test } from 'vitest';
import { createApiClient } from '#web/api/client.ts';
import { loadCheckouts } from '#web/routes/editor/checkouts/route.ts';

/** A server that knows one checkout, and no cursor. */
function serverWithout(cursor: string) {
  const asked: unknown[] = [];
  const fetch = async (_input: string | URL | Request, init?: RequestInit) => {
    const body: { cursorRef?: string } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}');
    asked.push(body.cursorRef);
    if (body.cursorRef !== cursor) return Response.json([{ id: 'c1' }]);
    return Response.json({ status: 400, code: 'unknown-cursor', detail: 'It is not there.' }, { status: 400 });
  };
  return { api: createApiClient({ fetch }), asked };
}

test('an address of a page whose checkout is not there any more shows the first page', async () => {
  const { api, asked } = serverWithout('gone');
  const { page } = await loadCheckouts(api, 'ours', { after: 'gone' });
  expect(page).toMatchObject({ checkouts: [{ id: 'c1' }], hasPrevious: false });
  expect(asked).toEqual(['gone', undefined]);
});
