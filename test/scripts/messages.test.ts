import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { LANGUAGES, m } from '#messages';
import { problemsOf } from '#scripts/build/messages.ts';

const catalogs = (es: object) =>
  new Map(
    Object.entries({ en: { hello: 'Hello {name}', items: { one: '{count} item', other: '{count} items' } }, es }),
  ) as Parameters<typeof problemsOf>[0];
const GOOD = { hello: 'Hola, {name}', items: { one: '{count} cosa', other: '{count} cosas' } };

test.each([
  ['the same in another language', GOOD, []],
  ['a missing message', { hello: GOOD.hello }, ['es: items is missing']],
  ['a message too many', { ...GOOD, bye: 'Adiós' }, ['es: bye is not in en.json']],
  ['another thing to fill in', { ...GOOD, hello: 'Hola, {nombre}' }, ['es: hello contains {nombre} instead of {name}']],
  [
    'a link that is lost',
    { ...GOOD, hello: '<b>Hola</b>, {name}' },
    ['es: hello contains </b> <b> {name} instead of {name}'],
  ],
  ['forms in one language only', { ...GOOD, items: '{count} cosas' }, ['es: items has forms in one language only']],
])('%s', (_name, es, problems) => {
  expect(problemsOf(catalogs(es))).toEqual(problems);
});

test('the server renders each language with plural forms, and pages only their own', async () => {
  expect(LANGUAGES).toEqual(['en', 'es']);
  expect(m.skipToContent()).toBe('Skip to content');
  expect(m.skipToContent({}, { locale: 'es' })).toBe('Ir al contenido');
  // The compiler's own way to look for a language would be in every page.
  const compiled = await readFile('build/messages/es/messages/skipToContent.js', 'utf8');
  expect(compiled).toContain('Ir al contenido');
  expect(compiled).not.toMatch(/getLocale|Skip to content/);
});
