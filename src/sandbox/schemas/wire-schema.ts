import type { StripeRequests } from './request-types.ts';

/** The few words of JSON Schema that are enough to describe a form-encoded request. */
export type WireSchema = {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly properties?: Readonly<Record<string, WireSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | WireSchema;
  readonly items?: WireSchema;
  readonly anyOf?: readonly WireSchema[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
};

/** What stripe-requests.gen.json holds: what it was made from, and a schema for each request. */
export type StripeRequestSchemas = {
  readonly stripe: string;
  readonly apiVersion: string;
  readonly sources: string;
  readonly requests: Readonly<Record<keyof StripeRequests, WireSchema>>;
};
