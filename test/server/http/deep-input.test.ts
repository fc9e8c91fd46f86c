import Fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { orgCalls } from '#contract/schemas/orgs.ts';
import { parseInput } from '#server/http/input.ts';
import { registerJsonParser } from '#server/http/json-parser.ts';

// @asvs 1.5.2
test('a field that accepts anything is rejected if nested 20,000 deep', () => {
  const nestedInput: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
  expect(() => parseInput(orgCalls.editOrg.body, { statsUpdatedTimestamp: nestedInput })).toThrow(
    expect.objectContaining({
      code: 'invalid-input',
      details: { problem: 'The stats updated timestamp is nested too deeply.', field: 'statsUpdatedTimestamp' },
    }),
  );
});

const postJson = async (payload: string) => {
  const app = Fastify();
  registerJsonParser(app);
  app.post('/', async ({ body }) => ({ body }));
  return app.inject({ method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, payload });
};

test.each(['['.repeat(20_000) + ']'.repeat(20_000), '{"a":'.repeat(65), `["]",${'['.repeat(64)}`])(
  'JSON nested too deeply is rejected before parsing: %.20s…',
  async (body) => {
    const parseSpy = vi.spyOn(JSON, 'parse');
    const response = await postJson(body);
    expect(parseSpy).not.toHaveBeenCalled();
    parseSpy.mockRestore();
    expect(response.json()).toMatchObject({ code: 'invalid-input' });
  },
);

/** An item with every field, like those of a full cart. */
const FULL_ITEM = {
  title: 'Flights for four people',
  description: `From one city to another and back, with a long name each: ${'x'.repeat(200)}`,
  type: 'offset',
  cost: 1234.5678,
  carbon: 123_456.789,
  offsetType: 'air',
  recurring: 'month',
  recurringInterval: 12,
  factorsVersion: 'x'.repeat(40),
};

test.each([
  ['60,000 keys', JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1])))],
  ['a list of 2,002 numbers', JSON.stringify(Array(2002).fill(1))],
])('JSON with %s is rejected before parsing', async (_title, body) => {
  const parseSpy = vi.spyOn(JSON, 'parse');
  const response = await postJson(body);
  expect(parseSpy).not.toHaveBeenCalled();
  parseSpy.mockRestore();
  expect(response.json()).toMatchObject({ code: 'invalid-input' });
});

test.each([
  ['['.repeat(64) + ']'.repeat(64)],
  [JSON.stringify(Array(2001).fill(1))],
  [JSON.stringify({ text: `a "quotation" \\ ${'[{'.repeat(100)}`, list: Array.from({ length: 100 }, () => [{}]) })],
  [JSON.stringify({ cart: Array(100).fill(FULL_ITEM) })],
])('shallow JSON with many brackets is accepted: %.20s…', async (body) => {
  expect((await postJson(body)).json()).toEqual({ body: JSON.parse(body) });
});
