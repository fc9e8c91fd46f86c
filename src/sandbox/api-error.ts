/** An answer that refuses a request, in Stripe's shape. */
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

  /** What the SDK reads. Without an `error` object it would take the answer for a success. */
  toBody(): { error: Record<string, string | undefined> } {
    return { error: { type: this.type, code: this.code, message: this.message, param: this.param } };
  }
}

type ErrorDetails = { type?: StripeApiError['type']; code?: string | undefined; param?: string | undefined };

/** A 400 that says which parameter is wrong. */
export function invalidRequest(message: string, param?: string, code?: string): StripeApiError {
  return new StripeApiError(400, message, { param, code });
}

export function missingParameter(param: string): StripeApiError {
  return invalidRequest(`Missing required param: ${param}.`, param, 'parameter_missing');
}

/** @param kind what Stripe calls it, such as `checkout.session` */
export function noSuch(kind: string, id: string, param = 'id'): StripeApiError {
  return new StripeApiError(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param });
}
