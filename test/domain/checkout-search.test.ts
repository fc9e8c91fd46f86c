// @spec 7.search-checkouts
import { expect, test } from 'vitest';
import { parseCheckoutSearch } from '#domain/checkout-search.ts';

test.each([
  ['', { kind: 'everything' }],
  ['  ', { kind: 'everything' }],
  ['25', { kind: 'number', number: '25', cents: 2500 }],
  ['0077', { kind: 'number', number: '0077', cents: 7700 }],
  ['no. 1210', { kind: 'number', number: '1210', cents: undefined }],
  ['#1210', { kind: 'number', number: '1210', cents: undefined }],
  ['Receipt no. 1210', { kind: 'number', number: '1210', cents: undefined }],
  ['check 1210', { kind: 'number', number: '1210', cents: undefined }],
  ['$25', { kind: 'amount', cents: 2500 }],
  ['$ 25.5', { kind: 'amount', cents: 2550 }],
  ['1,234.50', { kind: 'amount', cents: 123_450 }],
  ['1234567.89', { kind: 'amount', cents: 123_456_789 }],
  [' Ada@Example.org ', { kind: 'email', email: 'ada@example.org' }],
  ['ada@', { kind: 'text', text: 'ada@' }],
  ['Ada Giver', { kind: 'text', text: 'Ada Giver' }],
  ['pi_3abc', { kind: 'text', text: 'pi_3abc' }],
  ['25 Main Street', { kind: 'text', text: '25 Main Street' }],
  ['1,23', { kind: 'text', text: '1,23' }],
  ['25.123', { kind: 'text', text: '25.123' }],
  ['-25', { kind: 'text', text: '-25' }],
])('%j searches for %j', (query, expected) => {
  expect(parseCheckoutSearch(query)).toEqual(expected);
});
