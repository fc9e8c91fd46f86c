import { expect, test } from 'vitest';
import { downloadFile } from '#web/api/transfer.ts';

test('a complete file is returned, and its progress is reported', async () => {
  const progress: number[] = [];
  const response = new Response('Name\r\nIda\r\nJoe\r\n');
  const file = await downloadFile(response, 2, (fraction) => progress.push(fraction));
  expect(await file.text()).toBe('Name\r\nIda\r\nJoe\r\n');
  expect(progress.at(-1)).toBe(1);
});

test('a file with fewer lines than announced is rejected', async () => {
  await expect(downloadFile(new Response('Name\r\nIda\r\n'), 2)).rejects.toThrow('after 1 of 2 lines');
  await expect(downloadFile(new Response(''), 0)).rejects.toThrow('after 0 of 0 lines');
});
