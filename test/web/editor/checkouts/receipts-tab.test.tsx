// @spec 2.checkouts-screen
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { UndeliveredReceipt } from '#contract/schemas/receipts.ts';
import { createLoadedList, createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { undeliveredQuery } from '#web/routes/editor/checkouts/checkout-queries.ts';
import { ReceiptsTab } from '#web/routes/editor/checkouts/receipts-tab.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';

afterEach(cleanup);

const EDITOR = {
  ...SIGNED_OUT,
  initialized: true,
  authenticated: true,
  emailVerified: true,
  roles: { valley: 'editor' as const },
};

const createReceipt = (id: string, number: number): UndeliveredReceipt => ({
  id,
  number,
  name: 'Ada',
  email: null,
  postalAddress: null,
  amount: 25,
  givenOn: '2026-01-01',
  reason: 'no-address',
  code: null,
  triedTimestamp: '2026-01-01T00:00:00.000Z',
});

test('all receipts are marked as mailed with one call', async () => {
  const context = createPageContext();
  const api = { ...context.api, call: vi.fn().mockResolvedValue({}) };
  const session = { ...context.session, now: () => EDITOR };
  const receipts = createLoadedList([createReceipt('e2', 2), createReceipt('e1', 1)]);
  context.client.setQueryData(undeliveredQuery(api, 'valley').queryKey, receipts);
  render(wrapInSignedInPage(<ReceiptsTab orgId="valley" />, { ...context, api, session }));
  fireEvent.click(screen.getByRole('button', { name: 'Mark these 2 as sent by mail' }));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Mark as sent' })));
  expect(api.call).toHaveBeenCalledExactlyOnceWith('markReceiptsMailed', {
    params: { orgid: 'valley' },
    body: { entryids: ['e2', 'e1'] },
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});
