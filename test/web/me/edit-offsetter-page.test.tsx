// @spec 2.edit-offsetter-screen decisions.4
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { EditOffsetterPage } from '#web/routes/me/edit-offsetter-page.tsx';
import { offsetterQuery } from '#web/routes/me/route.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const ORG = { id: 'valley', name: 'Valley' } as Org;
const OFFSETTER: EditableOffsetter = {
  id: 'o1',
  name: 'Ana Silva',
  story: 'Because we fly to see our parents.',
  photoURL: null,
  photo: null,
  profileURL: '/orgs/valley/offsetters/o1/',
  createdTimestamp: '2026-01-01T00:00:00.000Z',
  shownAs: 'none',
  showsPounds: false,
  showsHomes: false,
  status: 'published',
  mine: true,
};
const NEW_STORY = 'Because we drive to see our parents.';

/** Opens the edit form of a saved story. */
function openPage(offsetter: EditableOffsetter) {
  const context = createPageContext();
  const upload = vi.fn().mockResolvedValue({ ...offsetter, story: NEW_STORY });
  const api = { ...context.api, upload };
  context.client.setQueryData(offsetterQuery(api, ORG.id, OFFSETTER.id).queryKey, offsetter);
  const page = <EditOffsetterPage org={ORG} site={{} as Site} offsetterId={OFFSETTER.id} />;
  render(wrapInSignedInPage(page, { ...context, api }));
  return { upload };
}

const getStory = () => screen.getByLabelText<HTMLTextAreaElement>('Story');
const getName = () => screen.getByLabelText<HTMLInputElement>('Name');
const typeStory = (value: string) => fireEvent.change(getStory(), { target: { value } });

test('an unsaved story is restored when the page opens again, without undoing newer changes of other fields', () => {
  openPage(OFFSETTER);
  typeStory(NEW_STORY);
  cleanup();
  openPage({ ...OFFSETTER, name: 'Ana S. Costa' });
  expect([getStory().value, getName().value]).toEqual([NEW_STORY, 'Ana S. Costa']);
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(getStory().value).toBe(OFFSETTER.story);
  cleanup();
  openPage(OFFSETTER);
  expect(getStory().value).toBe(OFFSETTER.story);
});

test('a saved story leaves no draft', async () => {
  const { upload } = openPage(OFFSETTER);
  typeStory(NEW_STORY);
  await act(async () => fireEvent.submit(getStory()));
  expect(upload).toHaveBeenCalledOnce();
  expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([]);
});

test('an incomplete story can’t be saved, but its button is focusable and describes what is missing', () => {
  const { upload } = openPage({ ...OFFSETTER, shownAs: 'full' });
  const button = screen.getByRole('button', { name: 'Save' });
  button.focus();
  expect(document.activeElement).toBe(button);
  const missing = screen.getByText(/^Still needed: /);
  expect(missing.closest('output')?.id).toBe(button.getAttribute('aria-describedby'));
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button);
  expect(upload).not.toHaveBeenCalled();
});
