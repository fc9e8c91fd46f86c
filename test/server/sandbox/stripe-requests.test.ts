import { expect, test } from 'vitest';
import generated from '#sandbox/schemas/stripe-requests.gen.json' with { type: 'json' };
import { madeFrom } from '#scripts/stripe-schemas/made-from.ts';

test('the request schemas were made from the installed SDK and from the request types as they are', () => {
  const { requests, ...was } = generated;
  expect(was, 'run `npm run stripe-schemas`').toEqual(madeFrom());
  expect(Object.keys(requests)).toContain('SessionCreate');
});
