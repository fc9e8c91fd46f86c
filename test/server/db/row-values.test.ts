import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';

const { pool } = await createTestDatabase();

test.each<[expression: string, value: unknown]>([
  ['42::int8', 42],
  ['9007199254740991::int8', Number.MAX_SAFE_INTEGER],
  ['-9007199254740991::int8', Number.MIN_SAFE_INTEGER],
  ['count(*)', 1],
  ['array[1, null, -3]::int8[]', [1, null, -3]],
  [
    'array[[1, 2], [3, 4]]::int8[]',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ["'1.5213'::numeric", '1.5213'],
  ["'0.10'::numeric(10, 2)", '0.10'],
  ["array['1.50', null]::numeric[]", ['1.50', null]],
  ["'2024-02-29'::date", '2024-02-29'],
  ["array['2024-02-29']::date[]", ['2024-02-29']],
  ["'2024-02-29 12:34:56.789+00'::timestamptz", new Date('2024-02-29T12:34:56.789Z')],
  ["'2024-02-29 12:34:56.789-05:30'::timestamptz", new Date('2024-02-29T18:04:56.789Z')],
  ["'2024-02-29 12:34:56.789456+00'::timestamptz(3)", new Date('2024-02-29T12:34:56.789Z')],
  ["'1871-10-08 21:00+00'::timestamptz", new Date('1871-10-08T21:00:00Z')],
  ["'2024-02-29 12:34:56.789'::timestamp", new Date('2024-02-29T12:34:56.789Z')],
  ["'0044-03-15 12:00 BC'::timestamp", new Date('-000043-03-15T12:00:00Z')],
  ["array['2024-02-29 12:34:56.7+00', null]::timestamptz[]", [new Date('2024-02-29T12:34:56.700Z'), null]],
  ["array['2024-02-29 12:34:56.7']::timestamp[]", [new Date('2024-02-29T12:34:56.700Z')]],
  ["('2024-02-29 23:30-05'::timestamptz)::date", '2024-03-01'],
  ["'1 day 2 hours'::interval::text", '1 day 02:00:00'],
  ['7::int4', 7],
  ['0.1::float8', 0.1],
  ['true', true],
  ['null::int8', null],
  ["'žluťoučký 🌍 O''Brien'::text", "žluťoučký 🌍 O'Brien"],
  ["array['a,b', 'c\"d', '']::text[]", ['a,b', 'c"d', '']],
  [`'{"cost": 1.5213, "kinds": ["air", null]}'::jsonb`, { cost: 1.5213, kinds: ['air', null] }],
  ["'\\xdeadbeef'::bytea", Buffer.from('deadbeef', 'hex')],
  ["'b4b0f5c2-8f0a-4a7e-9d3e-0c1f2a3b4c5d'::uuid", 'b4b0f5c2-8f0a-4a7e-9d3e-0c1f2a3b4c5d'],
])('%s is read as the expected value', async (expression, value) => {
  const { rows } = await pool.query(`select ${expression} as value`);
  expect(rows).toStrictEqual([{ value }]);
});

test.each([
  ['9007199254740992::int8', /too large for an exact number/],
  ['array[-9007199254740992]::int8[]', /too large for an exact number/],
  ["'infinity'::timestamptz", /is not a valid date/],
  ["'-infinity'::timestamp", /is not a valid date/],
])('%s is rejected rather than misread', async (expression, message) => {
  await expect(pool.query(`select ${expression} as value`)).rejects.toThrow(message);
  await expect(pool.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
});

test('values round-trip: times to the millisecond, integers, decimals, text, and JSON', async () => {
  const storedValues = {
    time: new Date('2024-07-04T23:59:59.999Z'),
    amount: Number.MAX_SAFE_INTEGER,
    price: '0.0125',
    text: 'ünï\ncode \\ "quoted"',
    json: { list: [1, 'two', null] },
    names: ['a', 'b,c'],
  };
  const { rows } = await pool.query(
    `select $1::timestamptz(3) as time, $2::int8 as amount, $3::numeric as price, $4::text as text, $5::jsonb as json,
      $6::text[] as names`,
    Object.values(storedValues),
  );
  expect(rows).toStrictEqual([storedValues]);
});

// @asvs 16.2.2
test('database days are UTC days', async () => {
  const { rows } = await pool.query(
    `select current_setting('timezone') as zone, '2024-07-04'::timestamptz as midnight`,
  );
  expect(rows).toStrictEqual([{ zone: 'UTC', midnight: new Date('2024-07-04T00:00:00Z') }]);
});
