import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { invalidRequest, missingParameter, type StripeApiError } from './api-error.ts';
import { decodeForm, typed } from './form-encoding.ts';
import type { StripeRequests } from './schemas/request-types.ts';
import generated from './schemas/stripe-requests.gen.json' with { type: 'json' };
import type { StripeRequestSchemas } from './schemas/wire-schema.ts';

export type RequestName = keyof StripeRequests;

const { requests, apiVersion } = generated as StripeRequestSchemas;
/** The version of Stripe's API that the installed SDK speaks, and so the sandbox. */
export const API_VERSION = apiVersion;

// Optimized code is not worth the wait for it: the largest schema would hold the first checkout up for half a second.
const ajv = new Ajv({ strict: false, validateSchema: false, code: { optimize: false } });
const validators = new Map<RequestName, ValidateFunction>();

/** Decodes a request and holds it against the SDK's own types. @throws StripeApiError in Stripe's words */
export function readRequest<Name extends RequestName>(name: Name, form: string): StripeRequests[Name] {
  const request = typed(decodeForm(form), requests[name]);
  const validate = validatorOf(name);
  const [error] = validate(request) ? [] : (validate.errors ?? []);
  if (error) throw refusal(error, request);
  return request as StripeRequests[Name];
}

/** A schema takes a while to compile and most are seldom used: each when it is first needed. */
function validatorOf(name: RequestName): ValidateFunction {
  const known = validators.get(name);
  if (known) return known;
  const made = ajv.compile(requests[name]);
  validators.set(name, made);
  return made;
}

function refusal(error: ErrorObject, request: unknown): StripeApiError {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const param = path.reduce(nameWithin, '');
  const value = path.reduce<unknown>((outer, name) => (outer as Record<string, unknown>)[name], request);
  if (value === '') return emptyValue(param);
  switch (error.keyword) {
    case 'additionalProperties': {
      const unknown = nameWithin(param, String(error.params.additionalProperty));
      return invalidRequest(`Received unknown parameter: ${unknown}`, unknown, 'parameter_unknown');
    }
    case 'required':
      return missingParameter(nameWithin(param, String(error.params.missingProperty)));
    case 'enum':
      return invalidRequest(`Invalid ${param}: must be one of ${wordsOf(error.params.allowedValues)}`, param);
    default:
      return wrongType(error, param, value);
  }
}

function emptyValue(param: string): StripeApiError {
  const message =
    `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however ` +
    `'${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`;
  return invalidRequest(message, param, 'parameter_invalid_empty');
}

function wrongType(error: ErrorObject, param: string, value: unknown): StripeApiError {
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
function nameWithin(outer: string, name: string): string {
  return outer === '' ? name : `${outer}[${name}]`;
}

function wordsOf(values: unknown): string {
  const words = Array.isArray(values) ? values.filter((value) => value !== '').map(String) : [];
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
