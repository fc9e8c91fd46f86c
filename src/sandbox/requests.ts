// Reads Stripe's requests, which are form-encoded with brackets: `line_items[0][price_data][currency]=usd`.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { invalidRequest, missingParameter, type StripeApiError } from './parameters.ts';
import generated from './schemas/stripe-requests.gen.json' with { type: 'json' };
import type { StripeRequestSchemas, StripeRequests, WireSchema } from './schemas/stripe-requests.ts';

export type FormValue = string | FormTree;
/** Has no prototype, so a parameter named `__proto__` is harmless. */
export interface FormTree {
  [name: string]: FormValue;
}

const KEY_PATTERN = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const MAX_DEPTH = 12;

/** Decodes a body or a query. @throws StripeApiError for a malformed name */
export function decodeForm(text: string): FormTree {
  const root = createTree();
  for (const [name, value] of new URLSearchParams(text)) setValue(root, parsePath(name), value);
  return root;
}

function createTree(): FormTree {
  return Object.create(null) as FormTree;
}

function parsePath(name: string): string[] {
  const [, baseName, brackets = ''] = KEY_PATTERN.exec(name) ?? [];
  if (baseName === undefined) throw invalidRequest(`Invalid parameter name: ${name}`);
  const path = [baseName, ...[...brackets.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '')];
  if (path.length > MAX_DEPTH) throw invalidRequest(`Invalid parameter: ${baseName} is nested too deeply`, baseName);
  return path;
}

function setValue(root: FormTree, path: readonly string[], value: string): void {
  let tree = root;
  for (const [depth, name] of path.entries()) {
    // `expand[]=a&expand[]=b` has implicit indexes.
    const key = name === '' ? String(Object.keys(tree).length) : name;
    if (depth === path.length - 1) {
      tree[key] = value;
      return;
    }
    const inner = tree[key] ?? createTree();
    if (typeof inner === 'string') {
      throw invalidRequest(`Invalid parameter: ${path[0]} is both a value and a hash`, path[0]);
    }
    tree[key] = inner;
    tree = inner;
  }
}

/** Converts values to the schema's types. Invalid values stay text, so that validation rejects them. */
export function convert(value: FormValue | undefined, schema: WireSchema): unknown {
  if (schema.anyOf) return convertToAnyOf(value, schema.anyOf);
  if (value === undefined || typeof value === 'string') return convertScalar(value, schema.type);
  return schema.type === 'array' ? convertList(value, schema.items ?? {}) : convertHash(value, schema);
}

function convertScalar(value: string | undefined, type: WireSchema['type']): unknown {
  if (value === undefined) return undefined;
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (type === 'number' && /^-?\d{1,15}(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function convertList(tree: FormTree, items: WireSchema): unknown {
  const keys = Object.keys(tree);
  if (!keys.every((key) => /^\d{1,6}$/.test(key))) return convertHash(tree, {});
  return keys.sort((a, b) => Number(a) - Number(b)).map((key) => convert(tree[key], items));
}

function convertHash(tree: FormTree, schema: WireSchema): Record<string, unknown> {
  const result = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(tree)) result[key] = convert(value, schema.properties?.[key] ?? {});
  return result;
}

function convertToAnyOf(value: FormValue | undefined, alternatives: readonly WireSchema[]): unknown {
  const nested = alternatives.find((alternative) => alternative.type === 'object' || alternative.type === 'array');
  if (typeof value === 'object') return convert(value, nested ?? {});
  const convertedValues = alternatives.map((alternative) => convertScalar(value, alternative.type));
  return convertedValues.find((convertedValue) => typeof convertedValue !== 'string') ?? value;
}

export type RequestName = keyof StripeRequests;

const { requests, apiVersion } = generated as StripeRequestSchemas;
/** The version of Stripe's API that the installed SDK uses. */
export const API_VERSION = apiVersion;

// Optimizing the largest schema would delay the first checkout by half a second.
const ajv = new Ajv({ strict: false, validateSchema: false, code: { optimize: false } });
const validators = new Map<RequestName, ValidateFunction>();

/** Decodes a request and validates it against the SDK's types. @throws StripeApiError with Stripe's wording */
export function readRequest<Name extends RequestName>(name: Name, form: string): StripeRequests[Name] {
  const request = convert(decodeForm(form), requests[name]);
  const validate = getValidator(name);
  const [error] = validate(request) ? [] : (validate.errors ?? []);
  if (error) throw validationError(error, request);
  return request as StripeRequests[Name];
}

/** Compiling takes a while and most schemas are rarely used, so each is compiled on first use. */
function getValidator(name: RequestName): ValidateFunction {
  const cachedValidator = validators.get(name);
  if (cachedValidator) return cachedValidator;
  const validator = ajv.compile(requests[name]);
  validators.set(name, validator);
  return validator;
}

function validationError(error: ErrorObject, request: unknown): StripeApiError {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const param = path.reduce(nestedName, '');
  const value = path.reduce<unknown>((outer, name) => (outer as Record<string, unknown>)[name], request);
  if (value === '') return emptyValueError(param);
  switch (error.keyword) {
    case 'additionalProperties': {
      const unknown = nestedName(param, String(error.params.additionalProperty));
      return invalidRequest(`Received unknown parameter: ${unknown}`, unknown, 'parameter_unknown');
    }
    case 'required':
      return missingParameter(nestedName(param, String(error.params.missingProperty)));
    case 'enum':
      return invalidRequest(`Invalid ${param}: must be one of ${joinValues(error.params.allowedValues)}`, param);
    default:
      return wrongTypeError(error, param, value);
  }
}

function emptyValueError(param: string): StripeApiError {
  const message =
    `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however ` +
    `'${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`;
  return invalidRequest(message, param, 'parameter_invalid_empty');
}

function wrongTypeError(error: ErrorObject, param: string, value: unknown): StripeApiError {
  const type = error.keyword === 'type' ? String(error.params.type) : 'decimal';
  if (typeof value !== 'string') return invalidRequest(`Invalid ${type}`, param);
  return invalidRequest(
    `Invalid ${type}: ${value}`,
    param,
    type === 'integer' ? 'parameter_invalid_integer' : undefined,
  );
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `line_items`, `0`, `quantity` → `line_items[0][quantity]` */
function nestedName(outer: string, name: string): string {
  return outer === '' ? name : `${outer}[${name}]`;
}

function joinValues(values: unknown): string {
  const words = Array.isArray(values) ? values.filter((value) => value !== '').map(String) : [];
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
