import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DEFAULT_LANGUAGE,
  folderForLanguage,
  localizeAddress,
  parseLanguage,
  splitLanguage,
  toStoredLanguage,
} from '#contract/languages.ts';
import { PAGES } from '#contract/pages.ts';
import { slugFailure } from '#domain/site-failures.ts';

import { LANGUAGES } from '#messages';

test.each([
  ['/', 'en', '/'],
  ['/orgs/x', 'en', '/orgs/x'],
  ['/es', 'es', '/'],
  ['/es/', 'es', '/'],
  ['/es?a=b', 'es', '/?a=b'],
  ['/es#cart', 'es', '/#cart'],
  ['/es/orgs/x?a=b#c', 'es', '/orgs/x?a=b#c'],
  // English has no path prefix, and a slug may start with a language code.
  ['/en/orgs/x', 'en', '/en/orgs/x'],
  ['/estate', 'en', '/estate'],
  ['/es-x', 'en', '/es-x'],
  ['//es/orgs', 'en', '//es/orgs'],
])('%s splits into language %s and path %s', (address, language, rest) => {
  expect(splitLanguage(address)).toEqual({ language, rest });
});

test('a localized address splits back into its parts', () => {
  const addresses = fc.constantFrom(...Object.values(PAGES)).map((pattern) => pattern.replaceAll(':', ''));
  fc.assert(
    fc.property(
      addresses,
      fc.constantFrom(...LANGUAGES),
      fc.constantFrom('', '?a=b', '#c'),
      (path, language, suffix) => {
        const address = localizeAddress(path + suffix, language);
        expect(splitLanguage(address)).toEqual({ language, rest: path + suffix });
      },
    ),
  );
});

test('language codes can’t be used as an organization’s short name', () => {
  for (const language of LANGUAGES.map(folderForLanguage))
    expect(language === '' || slugFailure(language, [])).toBeTruthy();
  expect(DEFAULT_LANGUAGE).toBe('en');
});

test.each([
  ['es', 'es'],
  ['en', 'en'],
  // Accept-Language values from browsers and other clients.
  ['es-MX,es;q=0.9', 'en'],
  ['es,en;q=0.5', 'en'],
  ['es-419', 'en'],
  ['ES', 'en'],
  [' es', 'en'],
  ['fr', 'en'],
  ['*', 'en'],
  ['', 'en'],
  [undefined, 'en'],
  [null, 'en'],
])('the language name %j resolves to %s', (name, language) => {
  expect(parseLanguage(name)).toBe(language);
});

test('a stored language name resolves to its language', () => {
  for (const language of LANGUAGES) expect(parseLanguage(toStoredLanguage(language))).toBe(language);
  expect(toStoredLanguage(DEFAULT_LANGUAGE)).toBeNull();
});
