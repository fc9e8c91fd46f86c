import type { z } from 'zod';
import { Failure } from '#domain/failures.ts';

/**
 * The value that a schema reads from what was sent.
 * @throws Failure invalid-input with a sentence that names the field
 */
export function read<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const result = schema.safeParse(sent, { reportInput: true });
  if (result.success) {
    const unkept = placeOfNul(result.data, []);
    if (!unkept) return result.data;
    throw new Failure('invalid-input', { problem: `${placeOf(unkept)} is not valid.`, field: unkept.join('.') });
  }
  const [issue] = result.error.issues;
  if (!issue) throw new Failure('invalid-input', { problem: 'The request cannot be understood.' });
  throw new Failure('invalid-input', { problem: sentenceFor(issue), field: issue.path.join('.') });
}

/** Where a text has the one character that a text in PostgreSQL cannot have. */
function placeOfNul(value: unknown, path: readonly string[]): readonly string[] | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const place = placeOfNul(part, [...path, key]);
    if (place) return place;
  }
  return undefined;
}

type Issue = z.core.$ZodIssue;

function sentenceFor(issue: Issue): string {
  const place = placeOf(issue.path);
  if (issue.code === 'custom') return `${place} ${issue.message}.`;
  // A schema that says it in its own words ends them with a full stop; the library's own do not.
  if (issue.message.endsWith('.')) return issue.message;
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${place} has an unknown field: ${issue.keys.map((key) => `"${key.slice(0, 40)}"`).join(', ')}.`;
    case 'invalid_type':
      return issue.input === undefined ? `${place} is missing.` : `${place} must be ${article(issue.expected)}.`;
    case 'too_big':
      return `${place} must be at most ${issue.maximum}${unitOf(issue.origin)}.`;
    case 'too_small':
      return `${place} must be at least ${issue.minimum}${unitOf(issue.origin)}.`;
    case 'not_multiple_of':
      return `${place} may have at most 4 decimals.`;
    case 'invalid_value':
      return `${place} must be one of: ${issue.values.map(String).join(', ')}.`;
    default:
      return `${place} is not valid.`;
  }
}

/** "cart item 2: cost" for ['cart', 1, 'cost']. */
function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'The request';
  const parts: string[] = [];
  for (const step of path) {
    if (typeof step === 'number') parts.push(`${parts.pop() ?? 'entry'} item ${step + 1}`);
    else parts.push(String(step));
  }
  return parts.join(': ');
}

function article(expected: string): string {
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' items long' : '';
}
