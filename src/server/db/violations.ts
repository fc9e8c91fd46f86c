// Codes of PostgreSQL's appendix A. The two engines have error classes of their own, and the codes in common.
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** Whether a row was refused because one like it exists; of this constraint only, when one is named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, UNIQUE_VIOLATION, constraint);
}

/** Whether a row was refused because what it refers to does not exist, or is still referred to. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, FOREIGN_KEY_VIOLATION, constraint);
}

/** Whether a transaction was given up for another one, and would pass if run again. */
export function isPassingConflict(error: unknown): boolean {
  const code = textOf(error, 'code');
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED;
}

function isViolation(error: unknown, code: string, constraint: string | undefined): boolean {
  return textOf(error, 'code') === code && (constraint === undefined || textOf(error, 'constraint') === constraint);
}

function textOf(error: unknown, field: 'code' | 'constraint'): unknown {
  return error instanceof Error && field in error ? Reflect.get(error, field) : undefined;
}
