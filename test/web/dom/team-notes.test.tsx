import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { TeamNotes } from '#web/routes/editor/team-notes.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';

afterEach(cleanup);

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('leaving a page with an unsaved team note asks for confirmation', async () => {
  const context = createPageContext();
  const editor = {
    ...SIGNED_OUT,
    initialized: true,
    authenticated: true,
    emailVerified: true,
    roles: { valley: 'editor' as const },
  };
  const session = { ...context.session, now: () => editor };
  render(wrapInSignedInPage(<TeamNotes orgId="valley" subjectId="c1" notes={[]} />, { ...context, session }));
  const field = screen.getByLabelText('Add a note for your team');
  fireEvent.change(field, { target: { value: 'Called twice.' } });
  await act(() => context.navigator.go('/list'));
  expect(context.navigator.state().entry.address).toBe('/');
  fireEvent.click(getButton('Stay'));
  fireEvent.change(field, { target: { value: '' } });
  await act(() => context.navigator.go('/list'));
  expect(context.navigator.state().entry.address).toBe('/list');
});
