// Requests are form-encoded, so there is no null, and every scalar is text.
import type { Definition } from 'ts-json-schema-generator';
import type { WireSchema } from '#sandbox/schemas/stripe-requests.ts';

type TypeSchema = NonNullable<Definition['anyOf']>[number];
type Definitions = NonNullable<Definition['definitions']>;

/** Percentages may be fractional. All other numbers are counts, cents, or seconds. */
const FRACTIONAL_NAME = /percent(age)?$/;
const TEXT: WireSchema = { type: 'string', minLength: 1 };
const DECIMAL: WireSchema = { type: 'string', pattern: '^\\d+(\\.\\d{1,12})?$' };
/** Unsets a parameter. */
const EMPTY: WireSchema = { enum: [''] };

/** Converts a schema of an SDK type for form-encoded requests, with all references resolved. */
export function toWireSchema(root: Definition): WireSchema {
  return convertSchema(root, root.definitions ?? {}, '');
}

function convertSchema(schema: TypeSchema, definitions: Definitions, name: string): WireSchema {
  if (typeof schema === 'boolean') return {};
  if (schema.$ref) return resolveReference(schema.$ref, definitions, name);
  if (schema.anyOf) return convertAlternatives(schema.anyOf, definitions, name);
  if (schema.const !== undefined || schema.enum) return { enum: getEnumValues(schema) };
  if (Array.isArray(schema.type)) return schema.type.includes('null') ? { anyOf: [TEXT, EMPTY] } : TEXT;
  if (schema.type === 'object') return convertObject(schema, definitions);
  if (schema.type === 'array') return { type: 'array', items: convertSchema(getItemSchema(schema), definitions, name) };
  if (schema.type === 'number') return { type: FRACTIONAL_NAME.test(name) ? 'number' : 'integer' };
  return schema.type === 'boolean' ? { type: 'boolean' } : TEXT;
}

function resolveReference(ref: string, definitions: Definitions, name: string): WireSchema {
  const key = decodeURIComponent(ref.replace('#/definitions/', ''));
  if (key === 'Decimal') return DECIMAL;
  const definition = definitions[key];
  if (definition === undefined) throw new Error(`The schema refers to ${key} but does not define it`);
  return convertSchema(definition, definitions, name);
}

function convertObject(schema: Definition, definitions: Definitions): WireSchema {
  if (typeof schema.additionalProperties === 'object')
    return { type: 'object', additionalProperties: { type: 'string' } };
  const entries = Object.entries(schema.properties ?? {});
  const properties = Object.fromEntries(entries.map(([key, value]) => [key, convertSchema(value, definitions, key)]));
  return {
    type: 'object',
    properties,
    ...(schema.required && { required: schema.required }),
    additionalProperties: false,
  };
}

/** The SDK's enums end with "any other string", for future values in responses. Requests may not use those. */
function convertAlternatives(anyOf: readonly TypeSchema[], definitions: Definitions, name: string): WireSchema {
  const knownTypes = anyOf.filter(
    (alternative) => !(typeof alternative === 'object' && alternative.$ref?.endsWith('/OtherString')),
  );
  const schemas = knownTypes.map((alternative) =>
    isNull(alternative) ? EMPTY : convertSchema(alternative, definitions, name),
  );
  const values = [...new Set(schemas.flatMap((alternative) => alternative.enum ?? []))];
  const otherSchemas = schemas.filter((alternative) => alternative.enum === undefined);
  const [firstSchema, ...moreSchemas] = [...otherSchemas, ...(values.length > 0 ? [{ enum: values }] : [])];
  if (firstSchema && moreSchemas.length === 0) return firstSchema;
  return { anyOf: [...(firstSchema ? [firstSchema] : []), ...moreSchemas] };
}

/** Enum values. null is sent as an empty string. */
function getEnumValues(schema: Definition): unknown[] {
  const values = schema.enum ?? [schema.const];
  return [...new Set(values.map((value) => value ?? ''))];
}

function getItemSchema(schema: Definition): TypeSchema {
  return Array.isArray(schema.items) ? (schema.items[0] ?? true) : (schema.items ?? true);
}

function isNull(schema: TypeSchema): boolean {
  return typeof schema === 'object' && schema.type === 'null';
}
