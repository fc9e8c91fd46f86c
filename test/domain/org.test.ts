// @spec 3.org 8.strings decisions.7
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PAGES } from '#contract/pages.ts';
import { RESERVED_SLUGS } from '#contract/reserved-slugs.ts';
import { displayedStats, isSlug, MAX_TAG_LENGTH, NO_STATS, normalizeTag, suggestSlug } from '#domain/org.ts';
import { slugFailure, tagFailure } from '#domain/site-failures.ts';

test('each displayed stat is the actual stat plus the editors’ correction', () => {
  const stats = { co2: 3864.1234, gas: 197.07, funds: 48.3, grants: 6 };
  const delta = { co2: -864.1234, gas: 2.93, funds: 0.1, grants: -1 };
  expect(displayedStats(stats, delta)).toEqual({ co2: 3000, gas: 200, funds: 48.4, grants: 5 });
  expect(displayedStats(stats, NO_STATS)).toEqual(stats);
  expect(displayedStats({ ...NO_STATS, funds: 0.1 }, { ...NO_STATS, funds: 0.2 }).funds).toBe(0.3);
});

test.each([
  ['abc', true],
  ['ithaca-climate-fund', true],
  ['a1b2-3', true],
  ['123', true],
  ['a'.repeat(40), true],
  ['a'.repeat(41), false],
  ['ab', false],
  ['', false],
  ['a--b', false],
  ['-abc', false],
  ['abc-', false],
  ['Ithaca', false],
  ['ithaca fund', false],
  ['ithaca_fund', false],
  ['ithacä', false],
  ['abc\n', false],
  ['../abc', false],
])('the slug %j: %s', (slug, isValid) => {
  expect(isSlug(slug, RESERVED_SLUGS)).toBe(isValid);
});

test('no organization slug can shadow a path the program uses', () => {
  for (const word of [
    'login',
    'signup',
    'users',
    'user-home',
    'admin',
    'test',
    'orgs',
    'api',
    'media',
    'sandbox',
    'dev',
  ]) {
    expect(isSlug(word, []), word).toBe(true);
    expect(isSlug(word, RESERVED_SLUGS), word).toBe(false);
  }
  const firstSegments = Object.values(PAGES).map((pattern) => pattern.split('/')[1] ?? '');
  for (const word of firstSegments.filter((name) => isSlug(name, [])))
    expect(isSlug(word, RESERVED_SLUGS), word).toBe(false);
});

test('a slug needs no escaping in an address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9-]{1,42}$/)), (text) => {
      if (isSlug(text, RESERVED_SLUGS)) expect(encodeURIComponent(text)).toBe(text);
    }),
  );
});

test.each([
  ['', 'no-slug'],
  ['ab', 'slug-invalid'],
  ['a--b', 'slug-invalid'],
  ['<svg>', 'slug-invalid'],
  ['admin', 'slug-reserved'],
  ['ithaca', undefined],
])('the slug %j is rejected as %s', (slug, code) => {
  expect(slugFailure(slug, RESERVED_SLUGS)?.code).toBe(code);
});

test.each([
  ['Ithaca Climate Fund', 'ithaca-climate-fund'],
  ['  Città di Zürich – Fund №2 ', 'citta-di-zurich-fund-no2'],
  ['St. Mary’s Fund', 'st-marys-fund'],
  ['The very long name of a fund that never ends', 'the-very-long-name-of-a-fund-that-never'],
  ['Admin', ''],
  ['東京', ''],
  ['A', ''],
])('the suggested slug for %j is %j', (name, slug) => {
  expect(suggestSlug(name, RESERVED_SLUGS)).toBe(slug);
});

test('the suggested slug is always valid or empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (name) => {
      const slug = suggestSlug(name, RESERVED_SLUGS);
      expect(slug === '' || isSlug(slug, RESERVED_SLUGS)).toBe(true);
    }),
  );
});

test('a tag is a single nonempty line within the length limit', () => {
  expect(normalizeTag('  Warm homes,\n\tcooler   planet ')).toBe('Warm homes, cooler planet');
  expect(tagFailure(' \n')?.code).toBe('no-tag');
  expect(tagFailure('x'.repeat(MAX_TAG_LENGTH))).toBeUndefined();
  expect(tagFailure('x'.repeat(MAX_TAG_LENGTH + 1))?.code).toBe('tag-too-long');
});
