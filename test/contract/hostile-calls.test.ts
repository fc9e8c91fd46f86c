// @spec decisions.5
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type CallSchema, SCHEMAS } from '#contract/schemas.ts';
import { FIELDS_WITHOUT_ROW, HOSTILE_CALLS } from '../corpora/hostile-calls.ts';

const SCRIPT = '<script>alert(1)</script>';

/** The schema's fields that accept a script as text, such as 'received.note'. For a list, the fields of its items. */
function textFields(schema: z.core.$ZodType | undefined, name = ''): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, field]) =>
      textFields(field, name === '' ? key : `${name}.${key}`),
    );
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return textFields(schema.def.innerType, name);
  }
  if (schema instanceof z.ZodArray) return textFields(schema.def.element, name);
  return schema && z.safeParse(schema, SCRIPT).success ? [name] : [];
}

const schemas: readonly (readonly [string, CallSchema])[] = Object.entries(SCHEMAS);
const acceptedTextFields = schemas.flatMap(([call, { params, query, body, form }]) =>
  [params, query, body, form].flatMap((part) => textFields(part)).map((field) => `${call} ${field}`),
);
const testedFields = HOSTILE_CALLS.flatMap(({ call, fields }) => fields.map((field) => `${call} ${field}`));

test('every free-text field is either tested with hostile text (npm run corpora) or exempt with a reason', () => {
  const documentedFields = new Set([...testedFields, ...Object.keys(FIELDS_WITHOUT_ROW)]);
  expect([...documentedFields].toSorted()).toEqual(acceptedTextFields.toSorted());
});

test('no field is both tested and exempt', () => {
  expect(testedFields.filter((field) => field in FIELDS_WITHOUT_ROW)).toEqual([]);
});

test('text fields are found in objects, lists, and optional parts; other fields are skipped', () => {
  const schema = z.strictObject({
    name: z.string(),
    id: z.string().regex(/^\w+$/),
    items: z.array(z.object({ title: z.string().optional(), cost: z.number(), kind: z.enum(['one', 'other']) })),
    received: z.object({ note: z.string().default(''), anything: z.unknown() }).optional(),
  });
  expect(textFields(schema)).toEqual(['name', 'items.title', 'received.note', 'received.anything']);
});
