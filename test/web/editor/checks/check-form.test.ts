// @spec decisions.3
import { expect, test } from 'vitest';
import {
  findReceivedProblems,
  findRecordProblems,
  parseAmount,
  type RecordForm,
  toReceivedCheck,
} from '#web/routes/editor/checks/check-form.ts';

const TODAY = '2026-03-14';
const FORM: RecordForm = {
  name: 'Hanna Hand',
  email: '',
  amount: '120.50',
  postalAddress: '',
  hasArrived: true,
  receivedOn: '2026-03-12',
  checkNumber: ' 1077 ',
  note: '',
  allowDuplicate: false,
};

test.each([
  ['120.50', 120.5],
  ['$1,234.5', 1234.5],
  [' 75 ', 75],
  ['0.01', 0.01],
  ['0', undefined],
  ['-5', undefined],
  ['', undefined],
  ['80,5', undefined],
  ['1.005', undefined],
  ['1.999', undefined],
  ['10000000', undefined],
])('the amount %j is parsed as %s', (text, amount) => {
  expect(parseAmount(text)).toBe(amount);
});

test('a valid form has no problems, and its values are trimmed before they’re sent', () => {
  expect(findRecordProblems(FORM, TODAY)).toEqual({});
  expect(toReceivedCheck(FORM)).toEqual({
    amount: 120.5,
    receivedOn: '2026-03-12',
    checkNumber: '1077',
    note: '',
    allowDuplicate: false,
  });
});

test('each invalid field has a problem', () => {
  const invalidForm = {
    ...FORM,
    name: '',
    email: 'nobody',
    amount: '',
    receivedOn: '2027-01-01',
    checkNumber: '1'.repeat(41),
  };
  expect(Object.keys(findRecordProblems(invalidForm, TODAY))).toEqual([
    'name',
    'email',
    'amount',
    'receivedOn',
    'checkNumber',
  ]);
  expect(findReceivedProblems({ ...FORM, note: 'x'.repeat(501) }, TODAY)).toEqual({
    note: 'A note can have at most 500 characters.',
  });
});

test('the date and number of a check in transit aren’t validated', () => {
  expect(
    findRecordProblems({ ...FORM, hasArrived: false, receivedOn: '', checkNumber: '1'.repeat(41) }, TODAY),
  ).toEqual({});
});
