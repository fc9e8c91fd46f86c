import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convert, decodeForm } from '#sandbox/requests.ts';
import type { WireSchema } from '#sandbox/schemas/stripe-requests.ts';

const CART: WireSchema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { cents: { type: 'integer' }, gift: { type: 'boolean' }, name: { type: 'string' } },
      },
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    from: { anyOf: [{ type: 'object', properties: { gte: { type: 'integer' } } }, { type: 'integer' }] },
  },
};
const parseForm = (form: string) => convert(decodeForm(form), CART) as Record<string, unknown>;

test('a request encoded by the SDK decodes to the same value', () => {
  const item = fc.record({ cents: fc.integer({ min: -1e9, max: 1e9 }), gift: fc.boolean(), name: fc.string() });
  const items = fc.array(item, { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(items, (sentItems) => {
      const pairs = sentItems.flatMap((sentItem, index) =>
        Object.entries(sentItem).map(([key, value]) => [`items[${index}][${key}]`, String(value)]),
      );
      expect(JSON.parse(JSON.stringify(parseForm(new URLSearchParams(pairs).toString())))).toEqual({
        items: sentItems,
      });
    }),
  );
});

test('an object with numeric keys stays an object if the schema has one', () => {
  expect({ ...(parseForm('labels[0]=a&labels[1]=b').labels as object) }).toEqual({ 0: 'a', 1: 'b' });
});

test('a list may have implicit indexes', () => {
  const list = convert(decodeForm('expand[]=a&expand[]=b'), {
    type: 'object',
    properties: { expand: { type: 'array', items: { type: 'string' } } },
  });
  expect(list).toMatchObject({ expand: ['a', 'b'] });
});

test('a value with two possible types is parsed as the matching type', () => {
  expect(parseForm('from=17').from).toBe(17);
  expect(parseForm('from[gte]=17').from).toMatchObject({ gte: 17 });
  expect(parseForm('from=soon').from).toBe('soon');
});

test('a parameter named __proto__ doesn’t pollute prototypes', () => {
  const tree = decodeForm('__proto__[polluted]=yes&constructor[prototype][polluted]=yes');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.keys(tree)).toEqual(['__proto__', 'constructor']);
});

test.each([`${'a'}${'[b]'.repeat(12)}=1`, 'a=1&a[b]=2', '[a]=1', 'a]b=1'])('%s is rejected', (form) => {
  expect(() => decodeForm(form)).toThrow(/^Invalid parameter/);
});
