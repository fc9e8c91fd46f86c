import { m } from '#messages';
import type { FailureDefinition } from './failures.ts';

/** Failures of a tribute. Its form shows them without loading the rest of the server's failures. */
export const TRIBUTE_FAILURES = {
  'no-honored-name': { status: 422, sentence: m.failNoHonoredName },
  'text-unprintable': { status: 422, sentence: m.failTextUnprintable },
  'tribute-too-long': { status: 422, sentence: m.failTributeTooLong },
  'card-message-too-many-lines': { status: 422, sentence: m.failCardMessageTooManyLines },
} as const satisfies Record<string, FailureDefinition>;
