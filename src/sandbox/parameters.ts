// Errors with Stripe's wording, and checks shared by several calls.
import type Stripe from 'stripe';

/** An error response in Stripe's format. */
export class StripeApiError extends Error {
  readonly status: number;
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'card_error';
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(status: number, message: string, details: ErrorDetails = {}) {
    super(message);
    this.status = status;
    this.type = details.type ?? 'invalid_request_error';
    this.code = details.code;
    this.param = details.param;
  }

  /** Builds the response body. The SDK would treat a response without an `error` object as a success. */
  toBody(): { error: Record<string, string | undefined> } {
    return { error: { type: this.type, code: this.code, message: this.message, param: this.param } };
  }
}

type ErrorDetails = { type?: StripeApiError['type']; code?: string | undefined; param?: string | undefined };

export function invalidRequest(message: string, param?: string, code?: string): StripeApiError {
  return new StripeApiError(400, message, { param, code });
}

export function missingParameter(param: string): StripeApiError {
  return invalidRequest(`Missing required param: ${param}.`, param, 'parameter_missing');
}

/** @param kind Stripe's name for the resource, such as `checkout.session` */
export function noSuchError(kind: string, id: string, param = 'id'): StripeApiError {
  return new StripeApiError(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param });
}

/**
 * Rejects parameters that Stripe accepts but the sandbox would ignore, so nothing works here that fails at Stripe.
 * @param parent the parameter that contains them, such as `line_items[0]`
 */
export function rejectUnsupported(values: object | undefined, supported: readonly string[], parent?: string): void {
  const unsupported = Object.keys(values ?? {}).find((name) => !supported.includes(name));
  if (unsupported === undefined) return;
  const param = parent === undefined ? unsupported : `${parent}[${unsupported}]`;
  throw invalidRequest(`The sandbox does not support \`${param}\`; Stripe may.`, param);
}

/** Stripe's limits: 50 keys of 40 characters, values of 500. */
export function checkMetadata(metadata: Stripe.MetadataParam | null | '' | undefined, param: string): void {
  const entries = Object.entries(metadata || {});
  if (entries.length > 50) throw invalidRequest('Metadata can have up to 50 keys.', param);
  for (const [key, value] of entries) {
    const length = String(value).length;
    if (key.length > 40) throw invalidRequest(`Metadata keys can have up to 40 characters: ${key}`, param);
    if (length <= 500) continue;
    throw invalidRequest(
      `Metadata values can have up to 500 characters, but you passed in a value that is ${length} characters.`,
      param,
    );
  }
}

/** Formats metadata for a response: omits empty values and converts the others to text. */
export function presentMetadata(metadata: Stripe.MetadataParam | null | '' | undefined): Stripe.Metadata {
  const entries = Object.entries(metadata || {}).filter(([, value]) => value !== '' && value !== null);
  return Object.fromEntries(entries.map(([key, value]) => [key, String(value)]));
}
