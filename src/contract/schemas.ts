import type { z } from 'zod';
import type { CallName } from './calls.ts';
import { activityCalls } from './schemas/activity.ts';
import { attentionCalls } from './schemas/attention.ts';
import { bankCalls } from './schemas/bank.ts';
import { bookCalls } from './schemas/books.ts';
import { cellCalls } from './schemas/cells.ts';
import { checkoutRecordCalls } from './schemas/checkout-records.ts';
import { checkoutCalls } from './schemas/checkouts.ts';
import { cityCalls } from './schemas/cities.ts';
import { donorCalls } from './schemas/donors.ts';
import { editorialStoryCalls } from './schemas/editorial-stories.ts';
import { editorCalls } from './schemas/editors.ts';
import { factorCalls } from './schemas/factors.ts';
import { firstStepCalls } from './schemas/first-steps.ts';
import { grantCalls } from './schemas/grants.ts';
import { offsetterCalls } from './schemas/offsetters.ts';
import { operationCalls } from './schemas/operation.ts';
import { orgCalls } from './schemas/orgs.ts';
import { pledgeCalls } from './schemas/pledges.ts';
import { receiptCalls } from './schemas/receipts.ts';
import { recurringGiftCalls } from './schemas/recurring-gifts.ts';
import { reviewCalls } from './schemas/review.ts';
import { secondFactorCalls, sessionCalls } from './schemas/session.ts';
import { siteCalls } from './schemas/site.ts';
import { storyCalls } from './schemas/stories.ts';
import { teamEmailCalls } from './schemas/team-emails.ts';
import { teamNoteCalls } from './schemas/team-notes.ts';
import { treasuryCalls } from './schemas/treasury.ts';
import { userCalls } from './schemas/users.ts';

/** Schemas of a call: the source of validation, types, and the OpenAPI document (decisions §6). */
export type CallSchema = {
  /** Sentence for the OpenAPI document, without a period. */
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** JSON body. */
  readonly body?: z.ZodType;
  /** The text fields of a multipart form. Its only file field is `file` (§7). */
  readonly form?: z.ZodObject;
  /** Set if the form requires a file. */
  readonly file?: 'required';
  readonly response: z.ZodType;
  /** Set if the response is a file instead of JSON. */
  readonly responseType?: 'text/csv' | 'application/pdf';
};

export const SCHEMAS = {
  ...siteCalls,
  ...orgCalls,
  ...firstStepCalls,
  ...factorCalls,
  ...cellCalls,
  ...storyCalls,
  ...checkoutCalls,
  ...recurringGiftCalls,
  ...checkoutRecordCalls,
  ...pledgeCalls,
  ...teamNoteCalls,
  ...grantCalls,
  ...treasuryCalls,
  ...bookCalls,
  ...bankCalls,
  ...receiptCalls,
  ...donorCalls,
  ...activityCalls,
  ...operationCalls,
  ...attentionCalls,
  ...cityCalls,
  ...userCalls,
  ...editorCalls,
  ...teamEmailCalls,
  ...offsetterCalls,
  ...reviewCalls,
  ...editorialStoryCalls,
  ...sessionCalls,
  ...secondFactorCalls,
} as const satisfies Record<CallName, CallSchema>;

type Schemas = typeof SCHEMAS;
type InputOf<S, Part extends string> = S extends { readonly [P in Part]: infer T extends z.ZodType }
  ? z.input<T>
  : undefined;
type OutputOf<S, Part extends string> = S extends { readonly [P in Part]: infer T extends z.ZodType }
  ? z.output<T>
  : undefined;

/** Input of a call, before defaults are filled in. */
export type QueryInput<Name extends CallName> = InputOf<Schemas[Name], 'query'>;
export type BodyInput<Name extends CallName> = InputOf<Schemas[Name], 'body'>;

/** Parsed input of a handler, and its output. */
export type ParsedParams<Name extends CallName> = OutputOf<Schemas[Name], 'params'>;
export type ParsedQuery<Name extends CallName> = OutputOf<Schemas[Name], 'query'>;
export type ParsedBody<Name extends CallName> = OutputOf<Schemas[Name], 'body'>;
export type ResponseBody<Name extends CallName> = z.output<Schemas[Name]['response']>;
