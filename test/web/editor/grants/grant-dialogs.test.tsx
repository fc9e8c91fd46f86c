// @spec 2.editor
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Grant } from '#contract/schemas/grants.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { createApiClient } from '#web/api/client.ts';
import { ApplicationDialog, SavingsDialog } from '#web/routes/editor/grants/grant-field-dialogs.tsx';
import { MoneyDialog, WorkDialog, WorkStepDialog } from '#web/routes/editor/grants/grant-step-dialogs.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const GRANT: Grant = {
  id: 'g1',
  awardeeid: 'h1',
  awardee: 'The Okafor family',
  stage: 'applied',
  appliedOn: '2025-02-01',
  amount: 1500,
  measures: ['heat-pump'],
  installer: '',
  yearlyPounds: 1404,
  years: 20,
  method: 'model',
  methodSource: 'A model',
  otherFunding: 0,
  otherFundingSource: '',
  fullSavingsReason: '',
  publicFields: [],
  installerid: null,
  promisedOn: null,
  paidOn: null,
  paid: null,
  doneOn: null,
  inspectedOn: null,
  countedPounds: 28_080,
  entryid: null,
  createdTimestamp: '2026-02-01T00:00:00.000Z',
};

const api = createApiClient({ fetch: async () => Response.json([]) });

/** Opens the form for the grant's savings. @param stored the stored grant when the form is saved */
function openDialog(grant: Grant, stored = grant) {
  const savedBodies: unknown[] = [];
  render(
    wrapInSignedInPage(
      <SavingsDialog
        orgId="valley"
        grant={grant}
        onSave={async ({ toBody }) => {
          const body = toBody(stored);
          savedBodies.push(body);
          return body !== undefined;
        }}
        onClose={() => {}}
      />,
    ),
  );
  return savedBodies;
}

const getYearsField = () => screen.getByLabelText<HTMLInputElement>('For how many years');
const typeYears = (years: string) => fireEvent.change(getYearsField(), { target: { value: years } });
const save = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save' })));

test('a restored draft conflicts with a change that a colleague saved since it was written', async () => {
  openDialog(GRANT);
  typeYears('25');
  cleanup();
  const savedBodies = openDialog({ ...GRANT, years: 30 });
  expect(getYearsField().value).toBe('25');
  await save();
  expect(savedBodies).toEqual([undefined]);
  expect(screen.getByText(/It was saved after you opened the form/)).toBeTruthy();
});

test('a draft is restored even after the grant is promised and paid', () => {
  openDialog(GRANT);
  typeYears('25');
  cleanup();
  const payment = { promisedOn: '2026-03-01', paidOn: '2026-03-02', paid: 1500, entryid: 'e1' };
  openDialog({ ...GRANT, ...payment, stage: 'paid' });
  expect(getYearsField().value).toBe('25');
});

test('the draft of a new grant isn’t restored in another organization', () => {
  const openNewGrant = (orgId: string) => {
    const newGrant = { grant: undefined, home: undefined, onSave: async () => true, onClose: () => {} };
    render(wrapInSignedInPage(<ApplicationDialog orgId={orgId} {...newGrant} />, { api }));
    return screen.getByLabelText<HTMLInputElement>('Amount');
  };
  fireEvent.change(openNewGrant('valley'), { target: { value: '1500' } });
  cleanup();
  expect(openNewGrant('hill').value).toBe('');
  cleanup();
  expect(openNewGrant('valley').value).toBe('1500');
});

test('removing the other funding also removes its source and the reason for counting all savings', async () => {
  const otherFunding = { otherFunding: 500, otherFundingSource: 'NYSERDA', fullSavingsReason: 'NYSERDA counts none' };
  const savedBodies = openDialog({ ...GRANT, ...otherFunding });
  fireEvent.change(screen.getByLabelText('Other public funding (optional)'), { target: { value: '' } });
  await save();
  expect(savedBodies).toMatchObject([{ otherFunding: 0, otherFundingSource: '', fullSavingsReason: '' }]);
});

test('loading households can be retried after a failure', async () => {
  const { api } = createPageContext();
  const list = vi.fn().mockRejectedValue(new TypeError('Failed to fetch'));
  const newGrant = { grant: undefined, home: undefined, onSave: async () => true, onClose: () => {} };
  render(wrapInSignedInPage(<ApplicationDialog orgId="valley" {...newGrant} />, { api: { ...api, list } }));
  const [retryButton] = await screen.findAllByRole('button', { name: 'Try again' });
  expect(screen.queryByText(/Not listed yet/)).toBeNull();
  list.mockResolvedValue({ items: [{ id: 'h1', name: 'The Okafor family' }], nextCursor: undefined });
  fireEvent.click(retryButton ?? document.body);
  expect(await screen.findByRole('option', { name: 'The Okafor family' })).toBeTruthy();
  expect(screen.getByText(/Not listed yet/)).toBeTruthy();
});

test('a payment over budget must be confirmed again after its amount changes', () => {
  const payment = { step: 'pay', available: 1490, onSend: async () => {}, onClose: () => {} } as const;
  render(wrapInSignedInPage(<MoneyDialog grant={GRANT} {...payment} />));
  const getConfirmation = () => screen.getByRole<HTMLInputElement>('checkbox');
  const getButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Record payment' });
  fireEvent.click(getConfirmation());
  expect([getConfirmation().checked, getButton().disabled]).toEqual([true, false]);
  fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '15000' } });
  expect(screen.getByLabelText(/^This is \$13,510\.00 more than is available/)).toBe(getConfirmation());
  expect([getConfirmation().checked, getButton().disabled]).toEqual([false, true]);
});

test('only a changed work date is sent, since a colleague may have changed the other one', async () => {
  const onSend = vi.fn(async () => {});
  const work = { stage: 'inspected', doneOn: '2025-03-01', inspectedOn: '2025-03-02' } as const;
  const callbacks = { onSend, onClose: () => {} };
  render(wrapInSignedInPage(<WorkDialog grant={{ ...GRANT, ...work }} {...callbacks} />));
  fireEvent.change(screen.getByLabelText('Inspected on'), { target: { value: '2025-03-03' } });
  await save();
  expect(onSend).toHaveBeenLastCalledWith({ inspectedOn: '2025-03-03' });
  cleanup();
  render(wrapInSignedInPage(<WorkStepDialog grant={{ ...GRANT, ...work }} step="done" {...callbacks} />));
  fireEvent.change(screen.getByLabelText('Work done on'), { target: { value: '2025-03-02' } });
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Mark work done' })));
  expect(onSend).toHaveBeenLastCalledWith({ doneOn: '2025-03-02' });
});

test('a rejected installer shows the reason and receives focus', async () => {
  const detail = 'This text contains a character that can’t be printed.';
  const rejection = { status: 422, code: 'text-unprintable', field: 'installer', detail, requestId: '' } as const;
  const reject = () => Promise.reject(new ApiProblem(rejection));
  const grant = { ...GRANT, installer: 'Warm Homes' };
  const dialog = <ApplicationDialog orgId="valley" grant={grant} home={undefined} onSave={reject} onClose={() => {}} />;
  render(wrapInSignedInPage(dialog, { api }));
  const field = await screen.findByLabelText('Name of the installer');
  await save();
  expect(screen.getByText(detail)).toBeTruthy();
  expect(document.activeElement).toBe(field);
});

test('an inspection date without a work date is rejected, not dropped', async () => {
  const send = vi.fn(async () => {});
  render(wrapInSignedInPage(<WorkDialog grant={GRANT} onSend={send} onClose={() => {}} />));
  const inspectedField = screen.getByLabelText<HTMLInputElement>('Inspected on');
  fireEvent.change(inspectedField, { target: { value: '2026-02-01' } });
  await act(async () => fireEvent.submit(inspectedField.form ?? inspectedField));
  expect(screen.getByText('Enter the date the work was done.')).toBeTruthy();
  expect(send).not.toHaveBeenCalled();
});
