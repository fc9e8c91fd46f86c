import type { z } from 'zod';
import { Failure } from '#domain/failures.ts';
import { formatWhole } from '#domain/money.ts';

/**
 * The value that a schema reads from what was sent.
 * @throws Failure invalid-input with a sentence that names the field
 */
export function read<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const result = schema.safeParse(sent, { reportInput: true });
  if (!result.success) throw refusalOf(result.error);
  const unkept = placeOfNul(result.data, []);
  if (unkept) throw refusal(`${labelOf(unkept)} has characters that can't be printed.`, unkept);
  return result.data;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function refusalOf({ issues: [issue] }: z.ZodError): Failure {
  if (!issue) return refusal("We couldn't read this request.", []);
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return refusal(sentenceFor(issue), [...issue.path, ...unknown]);
}

/** The sentence is for people; the field, by the names on the wire, for programs. */
function refusal(problem: string, path: Path): Failure {
  return new Failure('invalid-input', { problem, ...(path.length === 0 ? {} : { field: shortened(path.join('.')) }) });
}

/** Deeper than any call's own parts; what is read as it comes could overflow the stack. */
const DEEPEST = 32;

/** Where a text has the one character that a text in PostgreSQL cannot have. */
function placeOfNul(value: unknown, path: Path): Path | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length > DEEPEST) throw refusal(`${labelOf(path.slice(0, 1))} is nested too deeply.`, path.slice(0, 1));
  for (const [key, part] of Object.entries(value)) {
    const place = placeOfNul(part, [...path, key]);
    if (place) return place;
  }
  return undefined;
}

function sentenceFor(issue: Issue): string {
  const label = labelOf(issue.path);
  if (issue.input === undefined) return `${label} is required.`;
  if (issue.code === 'custom') return `${label} ${issue.message}.`;
  // A schema that says it in its own words ends them with a full stop; the library's own do not.
  if (issue.message.endsWith('.')) return issue.message;
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${label} has ${unknownFields(issue.keys)}.`;
    case 'invalid_type':
      return `${label} ${typeProblem(issue)}.`;
    case 'too_big':
      return `${label} can be at most ${formatWhole(Number(issue.maximum))}${unitOf(issue.origin)}.`;
    case 'too_small':
      return `${label} must be at least ${formatWhole(Number(issue.minimum))}${unitOf(issue.origin)}.`;
    case 'not_multiple_of':
      return `${label} can have at most ${decimalsOf(Number(issue.divisor))} decimal places.`;
    case 'invalid_value':
      return `${label} must be one of: ${issue.values.map(String).join(', ')}.`;
    case 'invalid_format':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return `${label} is not valid.`;
  }
}

/** "Cart item 2: the offset type" for ['cart', 1, 'offsetType'], "The cart" for ['cart']. */
function labelOf(path: Path): string {
  if (path.length === 0) return 'The request';
  const parents: string[] = [];
  let name = '';
  for (const step of path) {
    if (typeof step === 'number') {
      parents.push(`${name || 'entry'} item ${step + 1}`);
      name = '';
    } else {
      if (name) parents.push(name);
      name = labelOfName(String(step));
    }
  }
  return capitalized([...parents, ...(name ? [`the ${name}`] : [])].join(': '));
}

/** Labels of the fields whose name in the API would not read as one. */
const LABELS: Readonly<Record<string, string>> = {
  admin: 'admin role',
  basedOn: 'text before the edit',
  mine: 'answer whose story it is',
  basedOnName: 'name before the edit',
  basedOnStory: 'story before the edit',
  co2: 'CO₂',
  because: 'cause',
  current: 'current password',
  coversFee: 'choice to cover the card fee',
  challenge: 'answer of Turnstile',
  cursorRef: 'cursor',
  editorsNeedSecondFactor: 'choice of a second step',
  email: 'email address',
  entryid: 'gift',
  from: 'start date',
  count: 'number of months or years',
  paused: 'choice to pause',
  unit: 'choice of months or years',
  funds: 'dollars',
  gas: 'gallons of gas',
  group: 'choice of paid checkouts or attempts',
  google: 'visit to Google',
  isNext: 'direction of the list',
  key: 'receipt key',
  max: 'page size',
  noAwardees: 'choice to hide awardees',
  offer: 'offer of this call',
  orgid: 'organization',
  query: 'search text',
  received: 'received check',
  receivedOn: 'date received',
  recurring: 'recurrence',
  returnTo: 'return address',
  reviewStories: 'choice to review stories',
  search: 'search text',
  second: 'second step',
  shownAs: 'choice of how to be shown',
  showsPounds: 'choice to show pounds',
  since: 'version',
  startAt: 'choice to start at the cursor',
  statsDelta: 'adjustment',
  statsSeen: 'stats before the edit',
  to: 'end date',
  withdrawn: 'choice to cancel',
};

/** "offset type" for 'offsetType'. */
function labelOfName(name: string): string {
  return LABELS[name] ?? name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** Only some, in case someone sends a thousand. */
function unknownFields(keys: readonly string[]): string {
  const named = keys.slice(0, 3).map((key) => `"${shortened(key)}"`);
  const more = keys.length > named.length ? ` and ${keys.length - named.length} more` : '';
  return `${keys.length === 1 ? 'an unknown field' : 'unknown fields'}: ${named.join(', ')}${more}`;
}

/** What the library calls a kind of value, as people call it. */
const KINDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  array: 'a list',
  object: 'a JSON object',
  boolean: 'true or false',
};

function typeProblem({ expected, input }: Extract<Issue, { code: 'invalid_type' }>): string {
  // JSON can write numbers that no computer holds, such as 1e400.
  if (input === Number.POSITIVE_INFINITY || input === Number.NEGATIVE_INFINITY) return 'is too large a number';
  return `must be ${KINDS[expected] ?? `a ${expected}`}`;
}

/** 2 for steps of 0.01. */
function decimalsOf(step: number): number {
  return Math.round(-Math.log10(step));
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' items long' : '';
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
