// @spec 2.editor
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import { FIRST_STEP_NAMES } from '#domain/first-steps.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { FirstSteps } from '#web/routes/editor/overview/first-steps.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';

afterEach(cleanup);

test('hiding the first steps dismisses all open steps in one call', async () => {
  const context = createPageContext();
  const editor = {
    ...SIGNED_OUT,
    authenticated: true,
    uid: 'u1',
    emailVerified: true,
    roles: { valley: 'editor' as const },
  };
  const call = vi.fn().mockResolvedValue([]);
  const steps = FIRST_STEP_NAMES.map((step) => ({ step, state: step === 'photo' ? 'done' : 'open' }) as const);
  render(
    wrapInSignedInPage(<FirstSteps org={{ id: 'valley', slug: 'valley' } as Org} steps={steps} />, {
      api: { ...context.api, call },
      session: { ...context.session, now: () => editor },
    }),
  );
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Hide the first steps' })));
  expect(call).toHaveBeenCalledExactlyOnceWith('dismissFirstSteps', {
    params: { orgid: 'valley' },
    body: { steps: FIRST_STEP_NAMES.filter((step) => step !== 'photo'), dismissed: true },
  });
});
