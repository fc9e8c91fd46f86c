// @spec decisions.3
import { expect, test } from 'vitest';
import { LINE_COUNT_HEADER } from '#contract/calls.ts';
import { OfflineError } from '#web/api/api-error.ts';
import { createApiClient } from '#web/api/client.ts';

const params = { orgid: 'o1' };

function createClient(parts: readonly string[], lines: number, status = 200) {
  const body = new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  const response = new Response(body, { status, headers: { [LINE_COUNT_HEADER]: String(lines) } });
  return createApiClient({ fetch: async () => response });
}

test('a download reads the file as it arrives and reports progress', async () => {
  const progress: number[] = [];
  const client = createClient(['heading\na\n', 'b\n', 'c\nd\n'], 4);
  const file = await client.download('downloadLedger', { params, onProgress: (fraction) => progress.push(fraction) });
  expect(await file.text()).toBe('heading\na\nb\nc\nd\n');
  expect(progress).toEqual([0.25, 0.5, 1]);
});

test('a truncated download fails', async () => {
  await expect(createClient(['heading\na\n'], 2).download('downloadLedger', { params })).rejects.toThrow(OfflineError);
});

test('line breaks in cells are harmless, and an empty file finishes immediately', async () => {
  expect((await createClient(['heading\n"a\nb"\n'], 1).download('downloadLedger', { params })).size).toBe(14);
  expect((await createClient(['heading\n'], 0).download('downloadLedger', { params })).size).toBe(8);
});

test('a failed download rejects with the server’s error', async () => {
  const client = createClient([JSON.stringify({ code: 'forbidden', detail: 'No.' })], 0, 403);
  await expect(client.download('downloadLedger', { params })).rejects.toMatchObject({ code: 'forbidden' });
});
