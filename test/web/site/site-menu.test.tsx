// @spec 2.drawer
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { LeaveDialog, useLeaveGuard } from '#web/forms/leave-guard.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';
import { SiteMenu } from '#web/site/site-menu.tsx';
import { ToastProvider } from '#web/ui/toast.tsx';

afterEach(cleanup);

const ORG = { id: 'valley', name: 'Valley' } as Org;

function UnsavedForm() {
  const { proceed, stay } = useLeaveGuard(true);
  return <LeaveDialog proceed={proceed} stay={stay} />;
}

test('logging out with unsaved changes asks first', async () => {
  const context = createPageContext();
  const user = { ...SIGNED_OUT, initialized: true, authenticated: true };
  const signOut = vi.fn(async () => {});
  const session = { ...context.session, now: () => user, signOut };
  const page = (
    <ToastProvider>
      <SiteMenu org={ORG} open onClose={() => {}} />
      <UnsavedForm />
    </ToastProvider>
  );
  render(wrapInSignedInPage(page, { ...context, session }));
  const click = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
  await click('Logout');
  expect(signOut).not.toHaveBeenCalled();
  await click('Stay');
  await click('Logout');
  await click('Leave');
  expect(signOut).toHaveBeenCalledOnce();
  expect(screen.getByText('You’re logged out')).toBeTruthy();
});
