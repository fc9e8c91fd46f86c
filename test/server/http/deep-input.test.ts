import { expect, test } from 'vitest';
import { orgCalls } from '#contract/schemas/orgs.ts';
import { read } from '#server/http/input.ts';

test('a field that takes anything is refused if it is nested 20,000 deep', () => {
  const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
  expect(() => read(orgCalls.editOrg.body, { statsUpdatedTimestamp: deep })).toThrow(
    expect.objectContaining({
      code: 'invalid-input',
      details: { problem: 'The stats updated timestamp is nested too deeply.', field: 'statsUpdatedTimestamp' },
    }),
  );
});
