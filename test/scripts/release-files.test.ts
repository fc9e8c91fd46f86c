import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { RELEASE_FILES } from '#scripts/release/make-release.ts';

test('a release contains the licenses of its fonts', async () => {
  const licenses = (await readdir('src/web/fonts')).filter((file) => file.endsWith('-OFL.txt'));
  expect(licenses).toHaveLength(2);
  expect(RELEASE_FILES).toEqual(expect.arrayContaining(licenses.map((file) => `src/web/fonts/${file}`)));
});
