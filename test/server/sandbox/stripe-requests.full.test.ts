// @spec decisions.3
import { expect, test } from 'vitest';
import generated from '#sandbox/schemas/stripe-requests.gen.json' with { type: 'json' };
import { readSchemaSources } from '#scripts/stripe-schemas/schema-sources.ts';

test('the request schemas match the installed SDK and the request types', () => {
  const { requests, ...generatedSources } = generated;
  expect(generatedSources, 'run `npm run stripe-schemas`').toEqual(readSchemaSources());
  expect(Object.keys(requests)).toContain('SessionCreate');
});
