import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { RecurringGiftSection } from '#web/routes/editor/checkouts/recurring-gift-section.tsx';
import { TributeSection } from '#web/routes/editor/checkouts/tribute-section.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';

afterEach(cleanup);

const EDITOR = {
  ...SIGNED_OUT,
  initialized: true,
  authenticated: true,
  emailVerified: true,
  roles: { valley: 'editor' as const },
};
const GIFT = {
  status: 'active' as const,
  amount: 25,
  coveredFee: 0,
  unit: 'month' as const,
  count: 1,
  nextChargeOn: null,
  endedUnpaid: false,
};
const CARD = {
  email: 'ada@example.org',
  name: 'Ada',
  message: '',
  signature: '',
  status: 'rejected' as const,
  code: null,
  at: '2026-01-01T00:00:00.000Z',
};

/** Renders a part of a checkout's record for an editor. */
function showSection(part: ReactElement) {
  const context = createPageContext();
  const call = vi.fn().mockResolvedValue({});
  const session = { ...context.session, now: () => EDITOR };
  render(wrapInSignedInPage(part, { ...context, session, api: { ...context.api, call } }));
  return { call };
}

const getButton = (name: string) => screen.getByRole('button', { name });

test('a recurring gift is stopped after a confirmation, and the button stays so that focus can return to it', async () => {
  const { call } = showSection(<RecurringGiftSection orgId="valley" checkoutId="c1" gift={GIFT} />);
  const button = getButton('Stop the recurring gift');
  fireEvent.click(button);
  const confirmation = screen.getByRole('dialog', { name: 'Stop the recurring gift' });
  expect(getButton('Stop the recurring gift')).toBe(button);
  await act(async () => fireEvent.click(within(confirmation).getByRole('button', { name: 'Stop it' })));
  expect(call).toHaveBeenCalledExactlyOnceWith('stopRecurringGiftOfCheckout', {
    params: { orgid: 'valley', checkoutid: 'c1' },
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a card is sent to another valid address, and the button stays so that focus can return to it', async () => {
  const tribute = { kind: 'honor' as const, name: 'Ada', card: CARD };
  const { call } = showSection(<TributeSection orgId="valley" checkoutId="c1" tribute={tribute} />);
  const button = getButton('Send the card to another address');
  fireEvent.click(button);
  const field = screen.getByLabelText<HTMLInputElement>('Send the card to');
  expect(getButton('Send the card to another address')).toBe(button);
  fireEvent.change(field, { target: { value: 'ben' } });
  await act(async () => fireEvent.click(getButton('Send the card')));
  expect(call).not.toHaveBeenCalled();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  fireEvent.change(field, { target: { value: 'ben@example.org' } });
  await act(async () => fireEvent.click(getButton('Send the card')));
  expect(call).toHaveBeenCalledExactlyOnceWith('sendCardTo', {
    params: { orgid: 'valley', checkoutid: 'c1' },
    body: { email: 'ben@example.org' },
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});
