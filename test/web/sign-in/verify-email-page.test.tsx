import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createPageContext, wrapInPublicPage } from '#test/support/render-element.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { VerifyEmailPage } from '#web/routes/sign-in/verify-email-page.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';

afterEach(cleanup);

const PERSON = { ...SIGNED_OUT, initialized: true, authenticated: true, uid: 'ada', email: 'ada@example.org' };
const REQUEST = ['verifyAddress', { body: { code: 'c0de' } }];

/** Opens an emailed link, whose first request fails. */
async function openLink(isNew: boolean, failure: Error) {
  const { api, session, ...context } = createPageContext();
  const call = vi.fn().mockRejectedValueOnce(failure).mockResolvedValue({});
  const open = vi.fn(async () => PERSON);
  const page = wrapInPublicPage(<VerifyEmailPage returnTo={undefined} code="c0de" isNew={isNew} />, {
    ...context,
    api: { ...api, call },
    session: { ...session, now: () => PERSON, open },
  });
  await act(async () => {
    render(page);
  });
  return { call, open };
}

test.each([false, true])('after a network failure, the link can be tried again (new address: %s)', async (isNew) => {
  const { call, open } = await openLink(isNew, new OfflineError());
  expect(open).not.toHaveBeenCalled();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })));
  expect(call.mock.calls).toEqual([REQUEST, REQUEST]);
  expect(open).toHaveBeenCalledOnce();
});

test.each([
  [false, 'button', 'Send again'],
  [true, 'link', 'Go to my account'],
] as const)('a rejected link can’t be tried again (new address: %s)', async (isNew, role, name) => {
  const rejection = { status: 422, code: 'link-invalid', detail: 'This link has expired.', requestId: '' } as const;
  await openLink(isNew, new ApiProblem(rejection));
  expect(screen.getByText('This link has expired.')).toBeTruthy();
  expect(screen.getByRole(role, { name })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
