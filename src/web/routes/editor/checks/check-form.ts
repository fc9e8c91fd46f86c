import type { ReceivedCheck } from '#contract/schemas/pledges.ts';
import { MAX_CHECK_NUMBER_LENGTH, MAX_NOTE_LENGTH, receivedDayFailure } from '#domain/check.ts';
import type { Day } from '#domain/days.ts';
import { postalAddressFailure } from '#domain/donor.ts';
import { type Failure, getFailureSentence } from '#domain/failures.ts';
import { formFailure } from '#domain/form-failures.ts';
import { emailFailure, nameFailure, visibleLength } from '#domain/profile.ts';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { parseDollars } from '#web/ui/parse-number.ts';

export type ReceivedForm = {
  readonly amount: string;
  readonly receivedOn: Day;
  readonly checkNumber: string;
  readonly note: string;
  /** True to record another check with the same number and amount. */
  readonly allowDuplicate: boolean;
};

export type RecordForm = ReceivedForm & {
  readonly name: string;
  readonly email: string;
  readonly postalAddress: string;
  readonly hasArrived: boolean;
};

export type CheckField = Exclude<keyof RecordForm, 'hasArrived'>;
export type CheckProblems = Readonly<Partial<Record<CheckField, string>>>;

export const CHECK_FIELDS: readonly CheckField[] = [
  'name',
  'email',
  'postalAddress',
  'amount',
  'receivedOn',
  'checkNumber',
  'note',
  'allowDuplicate',
];

/** Fields that checks recorded one after another usually share. */
export type RepeatedInput = Pick<RecordForm, 'hasArrived' | 'receivedOn'>;

export function createEmptyCheck(repeatedInput: RepeatedInput): RecordForm {
  return {
    name: '',
    email: '',
    postalAddress: '',
    amount: '',
    ...repeatedInput,
    checkNumber: '',
    note: '',
    allowDuplicate: false,
  };
}

const MAX_DOLLARS = 9_999_999.99;
const AMOUNT_PROBLEM = 'Please enter an amount in dollars and cents, such as 120.50.';

/** Parses dollars with at most 2 decimals; undefined for anything else. */
export function parseAmount(text: string): number | undefined {
  const amount = parseDollars(text);
  if (typeof amount !== 'number' || !(amount > 0) || amount > MAX_DOLLARS) return undefined;
  return Math.round(amount * 100) === amount * 100 || /^[^.]*(\.\d{0,2})?$/.test(text.trim()) ? amount : undefined;
}

export function findReceivedProblems(form: ReceivedForm, today: Day): CheckProblems {
  return problemsByField<CheckField>({
    amount: parseAmount(form.amount) === undefined ? describeAmountProblem(form.amount) : undefined,
    receivedOn: receivedDayFailure(form.receivedOn, today),
    checkNumber: findLengthProblem('check-number-too-long', form.checkNumber, MAX_CHECK_NUMBER_LENGTH),
    note: findLengthProblem('note-too-long', form.note, MAX_NOTE_LENGTH),
  });
}

/** Ignores the date, number, and note of a check that hasn't arrived yet, since the form hides them. */
export function findRecordProblems(form: RecordForm, today: Day): CheckProblems {
  const { amount, ...receiptProblems } = findReceivedProblems(form, today);
  return problemsByField<CheckField>({
    name: nameFailure(form.name),
    email: form.email.trim() === '' ? undefined : emailFailure(form.email),
    postalAddress: postalAddressFailure(form.postalAddress),
    amount,
    ...(form.hasArrived ? receiptProblems : {}),
  });
}

/** @param form a form without problems */
export function toReceivedCheck({
  amount,
  receivedOn,
  checkNumber,
  note,
  allowDuplicate,
}: ReceivedForm): ReceivedCheck {
  return {
    amount: parseAmount(amount) ?? 0,
    receivedOn,
    checkNumber: checkNumber.trim(),
    note: note.trim(),
    allowDuplicate,
  };
}

export function describeAmountProblem(text: string): string {
  return text.trim() === '' ? getFailureSentence('no-amount') : AMOUNT_PROBLEM;
}

function findLengthProblem(
  code: 'check-number-too-long' | 'note-too-long',
  text: string,
  maximum: number,
): Failure | undefined {
  return visibleLength(text) > maximum ? formFailure(code, { max: maximum }) : undefined;
}
