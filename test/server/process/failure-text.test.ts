import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { formatFailure } from '#server/process/failure-text.ts';

const folder = await createScratchFolder('failure-text');
const file = path.join(folder, 'file');
const missingPath = path.join(folder, 'missing');
await fs.writeFile(file, '');

const catchError = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

test.each<[string, () => Promise<unknown>, string]>([
  ['a folder that is missing', () => fs.readdir(missingPath), `${missingPath} does not exist.`],
  ['a folder that is a file', () => fs.readdir(file), `${file} is not a folder, or is inside a file.`],
  [
    'a folder to create at the path of a file',
    () => fs.mkdir(file, { recursive: true }),
    `${file} is a file, not a folder.`,
  ],
  ['a new file that already exists', () => fs.writeFile(file, '', { flag: 'wx' }), `${file} already exists.`],
  ['a file that is a folder', () => fs.writeFile(folder, ''), `${folder} is a folder, not a file.`],
])('the message for %s names the path and the problem', async (_name, work, text) => {
  expect(formatFailure(await catchError(work()))).toBe(text);
});

test('an error that isn’t about a file keeps its own message and its cause’s message', () => {
  expect(formatFailure(new Error('It failed.', { cause: new Error('The disk is slow.') }))).toBe(
    'It failed. The disk is slow.',
  );
  expect(formatFailure(new AggregateError([new Error('Connection refused.')], ''))).toBe('Connection refused.');
  expect(formatFailure('it')).toBe('it');
});
