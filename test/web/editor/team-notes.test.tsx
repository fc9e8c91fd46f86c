import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { TeamNotes } from '#web/routes/editor/team-notes.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

/** Opens the notes about a checkout as an editor. */
function openNotes(subjectId: string) {
  const context = createPageContext();
  const editor = {
    ...SIGNED_OUT,
    initialized: true,
    authenticated: true,
    emailVerified: true,
    roles: { valley: 'editor' as const },
  };
  const session = { ...context.session, now: () => editor };
  const api = { ...context.api, call: vi.fn().mockResolvedValue(undefined) };
  render(
    wrapInSignedInPage(<TeamNotes orgId="valley" subjectId={subjectId} notes={[]} />, { ...context, api, session }),
  );
  return { context, field: screen.getByLabelText<HTMLTextAreaElement>('Add a note for your team') };
}

test('leaving a page with an unsaved team note asks for confirmation', async () => {
  const { context, field } = openNotes('c1');
  fireEvent.change(field, { target: { value: 'Called twice.' } });
  await act(() => context.navigator.go('/list'));
  expect(context.navigator.state().entry.address).toBe('/');
  fireEvent.click(getButton('Stay'));
  fireEvent.change(field, { target: { value: '' } });
  await act(() => context.navigator.go('/list'));
  expect(context.navigator.state().entry.address).toBe('/list');
});

test('an unsaved note is restored when its record opens again, until it is added', async () => {
  fireEvent.change(openNotes('c1').field, { target: { value: 'Called twice.' } });
  cleanup();
  expect(openNotes('c2').field.value).toBe('');
  cleanup();
  const { field } = openNotes('c1');
  expect(field.value).toBe('Called twice.');
  await act(async () => fireEvent.click(getButton('Add note')));
  expect(field.value).toBe('');
  cleanup();
  expect(openNotes('c1').field.value).toBe('');
});
