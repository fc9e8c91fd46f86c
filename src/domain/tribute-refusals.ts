import { m } from '#messages';
import type { Sentence } from './failures.ts';

/** Sentences about rejected tributes, separate so that a form need not load all others. */
export const TRIBUTE_REFUSALS = {
  'no-honored-name': m.failNoHonoredName,
  'text-unprintable': m.failTextUnprintable,
  'tribute-too-long': m.failTributeTooLong,
  'card-message-too-many-lines': m.failCardMessageTooManyLines,
} as const satisfies Record<string, Sentence>;
