// @spec 2.editor
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { BankMonth } from '#contract/schemas/bank.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { BankLines } from '#web/routes/editor/books/bank-lines.tsx';

afterEach(cleanup);

const CREATED = { by: 'Tess', on: '2026-01-05' };
const BANK: BankMonth = {
  month: '2026-01',
  firstMonth: '2026-01',
  lastMonth: '2026-01',
  isOver: true,
  lines: [
    { kind: 'deposit', id: 'd1', depositedOn: '2026-01-05', amount: 40, checks: [], created: CREATED, seen: null },
  ],
  checks: [],
  matchesProvider: true,
  openMonth: null,
  closing: null,
  canReopen: false,
  reopening: null,
};

test('rapid clicks on “On statement” are sent one at a time, so the last one is stored', async () => {
  const context = createPageContext();
  const responses: PromiseWithResolvers<unknown>[] = [];
  const call = vi.fn().mockImplementation(() => {
    const response = Promise.withResolvers();
    responses.push(response);
    return response.promise;
  });
  render(
    wrapInSignedInPage(<BankLines orgId="valley" bank={BANK} canChange />, {
      ...context,
      api: { ...context.api, call },
    }),
  );
  const checkbox = screen.getByRole<HTMLInputElement>('checkbox', { name: /^On statement/ });
  for (const isSeen of [true, false]) {
    fireEvent.click(checkbox);
    await waitFor(() => expect(checkbox.checked).toBe(isSeen));
  }
  const listMarks = () => call.mock.calls.map(([, { body }]) => body.seen);
  expect(listMarks()).toEqual([true]);
  await act(async () => responses[0]?.resolve({ seen: { by: 'Tess', on: '2026-02-01' } }));
  await waitFor(() => expect(listMarks()).toEqual([true, false]));
  expect(checkbox.checked).toBe(false);
});

test('a bounced check links to its gift, and is marked like other lines', () => {
  const check = {
    entryid: 'e1',
    pledgeid: 'p1',
    name: 'Ada',
    checkNumber: null,
    receivedOn: '2025-12-30',
    amount: 60,
  };
  const line = { kind: 'bounced-check', id: 'r1', recordedOn: '2026-01-06', amount: -60, check, seen: null } as const;
  render(
    wrapInSignedInPage(<BankLines orgId="valley" bank={{ ...BANK, lines: [line] }} canChange />, createPageContext()),
  );
  expect(screen.getByRole('link', { name: 'Bounced check' }).getAttribute('href')).toBe(
    '/orgs/valley/editor/checkouts?check=p1',
  );
  expect(screen.getByRole('checkbox', { name: /Bounced check, -\$60\.00, January 6, 2026/ })).toBeTruthy();
});
