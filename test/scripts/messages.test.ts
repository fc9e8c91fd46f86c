import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { LANGUAGES, m } from '#messages';
import { findProblems } from '#scripts/build/messages.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';

const buildCatalogs = (es: object) =>
  new Map(
    Object.entries({ en: { hello: 'Hello {name}', items: { one: '{count} item', other: '{count} items' } }, es }),
  ) as Parameters<typeof findProblems>[0];
const VALID_SPANISH = { hello: 'Hola, {name}', items: { one: '{count} cosa', other: '{count} cosas' } };

test.each([
  ['a complete translation', VALID_SPANISH, []],
  ['a missing message', { hello: VALID_SPANISH.hello }, ['es: items is missing']],
  ['an extra message', { ...VALID_SPANISH, bye: 'Adiós' }, ['es: bye is not in en.json']],
  [
    'a different placeholder',
    { ...VALID_SPANISH, hello: 'Hola, {nombre}' },
    ['es: hello contains {nombre} instead of {name}'],
  ],
  [
    'a missing link',
    { ...VALID_SPANISH, hello: '<b>Hola</b>, {name}' },
    ['es: hello contains </b> <b> {name} instead of {name}'],
  ],
  [
    'forms in one language only',
    { ...VALID_SPANISH, items: '{count} cosas' },
    ['es: items has forms in one language only'],
  ],
])('%s', (_name, es, problems) => {
  expect(findProblems(buildCatalogs(es))).toEqual(problems);
});

test('the server renders each language with plural forms', () => {
  expect(LANGUAGES).toEqual(['en', 'es']);
  expect(m.skipToContent()).toBe('Skip to content');
  expect(m.skipToContent({}, { locale: 'es' })).toBe('Ir al contenido');
  expect(m.everyMonth({ count: 1 }, { locale: 'es' })).not.toBe(m.everyMonth({ count: 2 }, { locale: 'es' }));
});

test('pages contain only the messages they use, in their own language', async () => {
  const entry = path.join(await createScratchFolder('messages'), 'page.js');
  const messages = path.resolve('build/messages/es/messages.js');
  await writeFile(entry, `import { m } from '${messages}'; console.log(m.skipToContent());`);
  const { code } = await bundle(entry);
  expect(code).toContain('Ir al contenido');
  // The bundle contains neither the compiler's language detection nor the English text.
  expect(code).not.toMatch(/getLocale|Skip to content|locale/);
  expect(code.length).toBeLessThan(500);
});

async function bundle(entry: string): Promise<{ readonly code: string }> {
  const treeshake = { moduleSideEffects: false };
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, rolldownOptions: { input: entry, treeshake } },
  });
  const chunks = [result].flat().flatMap((output) => ('output' in output ? output.output : []));
  const [chunk] = chunks.filter((output) => output.type === 'chunk');
  if (!chunk) throw new Error('The page was not built.');
  return chunk;
}
