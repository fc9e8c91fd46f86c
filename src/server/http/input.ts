import type { z } from 'zod';
import { Failure, type FailureCode, type LocalizedText } from '#domain/failures.ts';
import { formatWhole } from '#domain/money.ts';
import { FAILURES, failureSentence } from '#domain/server-failures.ts';
import { type InLanguage, m } from '#messages';
import { formatPathLabel } from './field-labels.ts';

/**
 * Parses a value with a schema.
 * @throws Failure invalid-input with a sentence that names the field
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { reportInput: true });
  if (!result.success) throw toFailure(result.error);
  const nulPath = findNulPath(result.data, []);
  if (nulPath)
    throw invalidInputFailure(
      (options) => m.inputUnprintable({ label: formatPathLabel(nulPath, options) }, options),
      nulPath,
    );
  return result.data;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function toFailure({ issues: [issue] }: z.ZodError): Failure {
  if (!issue) return invalidInputFailure((options) => m.inputUnreadable({}, options), []);
  const message: LocalizedText = (options) => formatIssue(issue, options);
  if (issue.code !== 'unrecognized_keys') return invalidInputFailure(message, issue.path);
  return invalidInputFailure(message, [...issue.path, ...issue.keys.slice(0, 1)], { [UNTRUSTED_FIELD_NAME]: 1 });
}

/** Detail of a failure whose field is an arbitrary name from the caller. */
export const UNTRUSTED_FIELD_NAME = 'fieldAsSent';

/** Creates a failure whose `problem` is the user-facing message and whose `field` is the API field. */
function invalidInputFailure(
  problem: LocalizedText | string,
  path: Path,
  otherDetails: { readonly [UNTRUSTED_FIELD_NAME]?: number } = {},
): Failure {
  const field = path.length === 0 ? {} : { field: shorten(path.join('.')) };
  return new Failure('invalid-input', { problem, ...field, ...otherDetails });
}

/** Deeper than any valid request body. Reading deeper values could overflow the stack. */
const MAX_VALUE_DEPTH = 32;

/** Finds the path of a string with NUL, the only character that PostgreSQL can't store. */
function findNulPath(value: unknown, path: Path): Path | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length > MAX_VALUE_DEPTH)
    throw invalidInputFailure(`${formatPathLabel(path.slice(0, 1))} is nested too deeply.`, path.slice(0, 1));
  for (const [key, part] of Object.entries(value)) {
    const nulPath = findNulPath(part, [...path, key]);
    if (nulPath) return nulPath;
  }
  return undefined;
}

/** Describes the issue in a sentence: localized for user errors, in English for client bugs. */
function formatIssue(issue: Issue, options?: InLanguage): string {
  const label = formatPathLabel(issue.path, options);
  if (issue.input === undefined) return m.inputRequired({ label }, options);
  // The message of a custom check ends the sentence. The message of any other check may be a failure's code.
  if (issue.code === 'custom')
    return CUSTOM_CHECK_MESSAGES[issue.message]?.({ label }, options) ?? `${label} ${issue.message}.`;
  if (Object.hasOwn(FAILURES, issue.message)) {
    const details = issue.code === 'too_big' ? { max: Number(issue.maximum) } : {};
    return failureSentence({ code: issue.message as FailureCode, details }, options);
  }
  // The library's own messages don't end with a period.
  if (issue.message.endsWith('.')) return issue.message;
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${formatPathLabel(issue.path)} has ${describeUnknownFields(issue.keys)}.`;
    case 'invalid_type':
      return `${formatPathLabel(issue.path)} ${describeTypeProblem(issue)}.`;
    case 'too_big':
      return selectLimitText(MAX_TEXTS, issue.origin)({ label, max: formatWhole(Number(issue.maximum)) }, options);
    case 'too_small':
      return selectLimitText(MIN_TEXTS, issue.origin)({ label, min: formatWhole(Number(issue.minimum)) }, options);
    case 'not_multiple_of':
      return m.inputDecimals({ label, max: String(countDecimalPlaces(Number(issue.divisor))) }, options);
    case 'invalid_value':
      return m.inputOneOf({ label, values: issue.values.map(String).join(', ') }, options);
    case 'invalid_format':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return m.inputInvalid({ label }, options);
  }
}

const MAX_TEXTS = { text: m.inputMostCharacters, list: m.inputMostItems, number: m.inputMost };
const MIN_TEXTS = { text: m.inputLeastCharacters, list: m.inputLeastItems, number: m.inputLeast };

function selectLimitText<Text>({ text, list, number }: { text: Text; list: Text; number: Text }, origin: string): Text {
  if (origin === 'string') return text;
  return origin === 'array' ? list : number;
}

/** Localized messages for custom schema checks, by the check's own message. */
const CUSTOM_CHECK_MESSAGES: Readonly<Record<string, (details: { label: string }, options?: InLanguage) => string>> = {
  "has characters that can't be printed": m.inputUnprintable,
};

/** Lists at most three names, in case the caller sends a thousand. */
function describeUnknownFields(keys: readonly string[]): string {
  const quotedNames = keys.slice(0, 3).map((key) => `"${shorten(key)}"`);
  const moreText = keys.length > quotedNames.length ? ` and ${keys.length - quotedNames.length} more` : '';
  return `${keys.length === 1 ? 'an unknown field' : 'unknown fields'}: ${quotedNames.join(', ')}${moreText}`;
}

/** Readable names for the library's types. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  array: 'a list',
  object: 'a JSON object',
  boolean: 'true or false',
};

function describeTypeProblem({ expected, input }: Extract<Issue, { code: 'invalid_type' }>): string {
  // JSON can contain numbers that JavaScript can't represent, such as 1e400.
  if (input === Number.POSITIVE_INFINITY || input === Number.NEGATIVE_INFINITY) return 'is too large';
  return `must be ${TYPE_NAMES[expected] ?? `a ${expected}`}`;
}

/** Returns the number of decimal places in a step, such as 2 for 0.01. */
function countDecimalPlaces(step: number): number {
  return Math.round(-Math.log10(step));
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
