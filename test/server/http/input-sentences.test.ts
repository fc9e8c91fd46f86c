// @spec decisions.6
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PROBLEM_TYPE } from '#contract/problem.ts';
import { day, printableText } from '#contract/schemas/shared.ts';
import { type CallSchema, SCHEMAS } from '#contract/schemas.ts';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import { Failure } from '#domain/failures.ts';
import { failureSentence } from '#domain/server-failures.ts';
import { parseInput } from '#server/http/input.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { createUnreachableDatabase, findAnyOrg } from '#test/support/unreachable-database.ts';

const app = await buildTestApp(await createTestDeps(createUnreachableDatabase(), { findOrg: findAnyOrg }));

/** The names of all fields that clients can send. */
function listFieldNames(): Set<string> {
  const shapes = Object.values<CallSchema>(SCHEMAS).flatMap(({ query, body, form }) => [query, body, form]);
  const names = shapes.flatMap((schema) => Object.keys(schema ? readProperties(schema) : {}));
  return new Set(names);
}

function readProperties(schema: z.ZodType): Record<string, unknown> {
  const {
    $ref: reference,
    $defs: definitions = {},
    properties = {},
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  // A named schema refers to its own definition.
  return definitions[reference?.replace('#/$defs/', '') ?? '']?.properties ?? properties;
}

function catchFailure(schema: z.ZodType, input: unknown): Failure {
  try {
    parseInput(schema, input);
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error('The input was not rejected.');
}

const donation = { type: 'donation', cost: 25 };
const cartWithSecond = (fields: object) => ({ cart: [donation, { ...donation, ...fields }] });
const pledge = (fields: object) => ({ name: 'Dora Donor', email: 'dora@example.org', amount: 50, ...fields });

async function readRejection(call: string, body: unknown) {
  const response = await app.inject({
    method: 'POST',
    url: `/api/orgs/sample/${call}`,
    headers: { 'x-requested-with': 'test', 'content-type': 'application/json' },
    // A number that JSON can express and JavaScript can't: 1e999.
    payload: JSON.stringify(body)?.replaceAll('"1e999"', '1e999') ?? '',
  });
  expect(response.statusCode).toBe(400);
  expect(response.headers['content-type']).toContain(PROBLEM_TYPE);
  return response.json();
}

// @asvs 2.2.1
test.each([
  [[], undefined, 'The request must be a JSON object.'],
  ['cart', undefined, 'The request must be a JSON object.'],
  [{}, 'cart', 'The cart is required.'],
  [{ cart: null }, 'cart', 'The cart must be a list.'],
  [{ cart: { 0: donation } }, 'cart', 'The cart must be a list.'],
  [{ cart: [null] }, 'cart.0', 'Cart item 1 must be a JSON object.'],
  [{ cart: [donation, [donation]] }, 'cart.1', 'Cart item 2 must be a JSON object.'],
  [{ cart: [], coupon: 1 }, 'coupon', 'The request has an unknown field: "coupon".'],
  [{ cart: [], a: 1, b: 1 }, 'a', 'The request has unknown fields: "a", "b".'],
  [{ cart: [], a: 1, b: 1, c: 1, d: 1, e: 1 }, 'a', 'The request has unknown fields: "a", "b", "c" and 2 more.'],
  [{ cart: [], constructor: 1 }, 'constructor', 'The request has an unknown field: "constructor".'],
  [cartWithSecond({ discount: 5 }), 'cart.1.discount', 'Cart item 2 has an unknown field: "discount".'],
  [cartWithSecond({ type: undefined }), 'cart.1.type', 'Cart item 2: the type is required.'],
  [cartWithSecond({ type: 'gift' }), 'cart.1.type', 'Cart item 2: the type must be one of: donation, offset.'],
  [cartWithSecond({ cost: undefined }), 'cart.1.cost', 'Cart item 2: the cost is required.'],
  [cartWithSecond({ cost: null }), 'cart.1.cost', 'Cart item 2: the cost must be a number.'],
  [cartWithSecond({ cost: '25' }), 'cart.1.cost', 'Cart item 2: the cost must be a number.'],
  [cartWithSecond({ cost: {} }), 'cart.1.cost', 'Cart item 2: the cost must be a number.'],
  [cartWithSecond({ cost: -1 }), 'cart.1.cost', 'Cart item 2: the cost must be at least 0.'],
  [cartWithSecond({ cost: 1e300 }), 'cart.1.cost', 'Cart item 2: the cost can be at most 1,000,000,000.'],
  [cartWithSecond({ cost: '1e999' }), 'cart.1.cost', 'Cart item 2: the cost is too large.'],
  [
    cartWithSecond({ carbon: 121.70001 }),
    'cart.1.carbon',
    'Cart item 2: the carbon can have at most 4 decimal places.',
  ],
  [cartWithSecond({ title: 5 }), 'cart.1.title', 'Cart item 2: the title must be text.'],
  [
    cartWithSecond({ title: 'x'.repeat(201) }),
    'cart.1.title',
    'Cart item 2: the title can be at most 200 characters long.',
  ],
  [
    cartWithSecond({ offsetType: 'unknown-type' }),
    'cart.1.offsetType',
    `Cart item 2: the offset type must be one of: ${OFFSET_TYPES.join(', ')}.`,
  ],
  [
    cartWithSecond({ recurring: true }),
    'cart.1.recurring',
    'Cart item 2: the recurrence must be one of: no, month, year.',
  ],
  [
    cartWithSecond({ recurring: 'month', recurringInterval: 0 }),
    'cart.1.recurringInterval',
    'Cart item 2: the recurring interval must be at least 1.',
  ],
  [
    cartWithSecond({ recurring: 'month', recurringInterval: 1.5 }),
    'cart.1.recurringInterval',
    'Cart item 2: the recurring interval must be a whole number.',
  ],
  [{ cart: Array.from({ length: 101 }, () => donation) }, 'cart', 'A cart can hold at most 100 items.'],
])('a cart of %j is rejected, naming %s: %s', async (body, field, title) => {
  const problem = await readRejection('checkouts', body);
  expect([problem.code, problem.field, problem.detail]).toEqual(['invalid-input', field, title]);
});

// @asvs 15.3.5
test.each([
  [pledge({ amount: 5.5 }), 'amount', 'The amount must be a whole number.'],
  [pledge({ amount: 0 }), 'amount', 'The amount must be at least 1.'],
  [pledge({ amount: 1_000_000 }), 'amount', 'The amount can be at most 999,999.'],
  [pledge({ amount: '50' }), 'amount', 'The amount must be a number.'],
  [pledge({ name: 'D\u0000ra' }), 'name', 'The name has characters that can’t be printed.'],
  [pledge({ name: 'D\u001b[31mra' }), 'name', 'The name has characters that can’t be printed.'],
  [pledge({ email: ['a@b.example'] }), 'email', 'The email address must be text.'],
])('a pledge of %j is rejected, naming %s: %s', async (body, field, title) => {
  const problem = await readRejection('pledges', body);
  expect([problem.code, problem.field, problem.detail]).toEqual(['invalid-input', field, title]);
});

// @asvs 2.2.1 15.3.7
test.each([
  ['max=0', 'max', 'The page size must be at least 1.'],
  ['max=51', 'max', 'The page size can be at most 50.'],
  ['max=ten', 'max', 'The page size must be a number.'],
  ['max=1.5', 'max', 'The page size must be a whole number.'],
  ['max=1&max=2', 'max', 'The page size must be a number.'],
  ['order=up', 'order', 'The order must be one of: asc, desc.'],
  ['cursorRef=a/b', 'cursorRef', 'The cursor is not valid.'],
  ['cursorRef=a&cursorRef=b', 'cursorRef', 'The cursor must be text.'],
  ['slug=%00', 'slug', 'The slug has characters that can’t be printed.'],
  ['page=2', 'page', 'The request has an unknown field: "page".'],
  ['__proto__=2', '__proto__', 'The request has an unknown field: "__proto__".'],
])('a list of organizations with ?%s is rejected, naming %s: %s', async (query, field, title) => {
  const response = await app.inject(`/api/orgs?${query}`);
  expect(response.statusCode).toBe(400);
  expect([response.json().field, response.json().detail]).toEqual([field, title]);
});

test('every field has a label that reads well in a sentence', () => {
  const labels = [...listFieldNames()].sort().map((name) => {
    const failure = catchFailure(z.object({ [name]: z.string() }), { [name]: 5 });
    return /^The (.+) must be text\.$/.exec(failureSentence(failure))?.[1];
  });
  expect(labels).toMatchInlineSnapshot(`
    [
      "account",
      "admin role",
      "choice to record the check again",
      "amount",
      "date of the application",
      "awardee",
      "settings before the edit",
      "version before the edit",
      "text before the edit",
      "name before the edit",
      "story before the edit",
      "cart",
      "cause",
      "Turnstile response",
      "check number",
      "checkout id",
      "choice of numbers",
      "code",
      "consent",
      "number of months or years",
      "choice to cover the card fee",
      "current password",
      "cursor",
      "choice to hide the first steps",
      "completion date",
      "choice to require a second step",
      "email address",
      "gift",
      "list of checks",
      "start date",
      "reason to count the full savings",
      "gifts",
      "Google sign-in",
      "checkout filter",
      "list of ids",
      "date of the inspection",
      "installer",
      "direction of the list",
      "receipt key",
      "kind of gift",
      "language",
      "payout or deposit",
      "login hint",
      "markdown",
      "page size",
      "measures",
      "method",
      "source of the savings",
      "whether the story is yours",
      "month",
      "name",
      "choice to hide awardees",
      "note",
      "registration token",
      "date",
      "order",
      "organization",
      "other funding",
      "source of the other funding",
      "other donor",
      "page",
      "passkey",
      "password",
      "choice to pause",
      "period",
      "person",
      "place",
      "postal address",
      "stats before the edit",
      "problems",
      "list of public fields",
      "search text",
      "reason",
      "receipt",
      "received check",
      "date received",
      "recipients",
      "recovery code",
      "request id",
      "return address",
      "choice to review stories",
      "role",
      "search text",
      "second step",
      "statement check mark",
      "name display setting",
      "choice to show homes",
      "choice to show pounds",
      "version",
      "slug",
      "sort",
      "stage",
      "choice to start at the cursor",
      "state",
      "statements",
      "stats",
      "adjustment",
      "stats updated timestamp",
      "status",
      "steps",
      "stories",
      "story",
      "kind of activity",
      "gift or donor",
      "tag",
      "choice to take applications",
      "text",
      "time zone",
      "end date",
      "total",
      "tribute",
      "typical grant",
      "choice of months or years",
      "wait",
      "choice to cancel",
      "year",
      "pounds a year",
      "years",
    ]
  `);
});

test('a long field name is truncated in the error', async () => {
  const { field, detail } = await readRejection('checkouts', { cart: [], ['x'.repeat(5000)]: 1 });
  expect(field.length + detail.length).toBeLessThan(200);
});

const FORM_SCHEMA = z.object({
  name: z.string().min(2).max(5).optional(),
  cart: z
    .array(z.object({ cost: z.number().max(9).multipleOf(0.01) }))
    .max(2, 'cart-too-many-items')
    .optional(),
  shownAs: z.enum(['full', 'first']).optional(),
  email: z.string().regex(/@/).optional(),
  story: printableText(10).optional(),
  previousStats: z.number().optional(),
  receivedOn: day.optional(),
});

test.each([
  [{ name: '123456' }, 'Nombre: puede tener 5 caracteres como máximo.'],
  [{ name: 'x' }, 'Nombre: debe tener 2 caracteres como mínimo.'],
  [{ cart: [{ cost: 1 }, {}] }, 'Carrito, elemento 2: costo: falta este dato.'],
  [{ cart: [{ cost: 10 }] }, 'Carrito, elemento 1: costo: puede ser 9 como máximo.'],
  [{ cart: [{ cost: 1.234 }] }, 'Carrito, elemento 1: costo: puede tener 2 decimales como máximo.'],
  [{ cart: [{ cost: 1 }, { cost: 1 }, { cost: 1 }] }, 'En un carrito caben 2 artículos como máximo.'],
  [{ shownAs: 'none' }, 'Elección de cómo aparecer: debe ser uno de estos valores: full, first.'],
  [{ email: 'ada' }, 'Correo electrónico: no es válido.'],
  [{ story: 'a\u0001' }, 'Historia: tiene caracteres que no se pueden imprimir.'],
  [{ name: 'a\0' }, 'Nombre: tiene caracteres que no se pueden imprimir.'],
  // Errors that only editors or other programs can cause.
  [{ receivedOn: '2026-02-30' }, 'Date received is not a valid date.'],
  [{ previousStats: 'x' }, 'The stats before the edit must be a number.'],
] as const)('in Spanish, %j is rejected: %s', (input, sentence) => {
  expect(failureSentence(catchFailure(FORM_SCHEMA, input), { locale: 'es' })).toBe(sentence);
});
