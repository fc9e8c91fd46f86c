// Error codes from appendix A of the PostgreSQL manual.
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, UNIQUE_VIOLATION, constraint);
}

export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, FOREIGN_KEY_VIOLATION, constraint);
}

/** A serialization failure or deadlock. */
export function isRetryableConflict(error: unknown): boolean {
  return hasCode(error, SERIALIZATION_FAILURE) || hasCode(error, DEADLOCK_DETECTED);
}

/** Checks the code of an error from PostgreSQL or from the operating system. */
export function hasCode(error: unknown, code: string): boolean {
  return getErrorField(error, 'code') === code;
}

function isViolation(error: unknown, code: string, constraint: string | undefined): boolean {
  return hasCode(error, code) && (constraint === undefined || getErrorField(error, 'constraint') === constraint);
}

function getErrorField(error: unknown, field: 'code' | 'constraint'): unknown {
  return error instanceof Error && field in error ? Reflect.get(error, field) : undefined;
}
