import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createLoadedList, createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { withSearch } from '#web/navigation/with-search.ts';
import { usersQuery, usersUrl } from '#web/routes/admin/users/route.ts';
import { UsersPage } from '#web/routes/admin/users/users-page.tsx';
import { ALL_STORIES, storiesUrl } from '#web/routes/editor/stories/route.ts';
import { ActivityFilters } from '#web/site/activity-filters.tsx';
import { type ActivityView, parseActivityView } from '#web/site/activity-view.ts';

afterEach(cleanup);

const NO_FILTERS = parseActivityView({});

/** Opens the users page at the addresses of these searches. */
function openUsers(queries: readonly string[]) {
  const context = createPageContext();
  const go = vi.fn(async () => {});
  for (const query of queries) {
    context.client.setQueryData<object>(usersQuery(context.api, query).queryKey, createLoadedList([]));
  }
  const pageAt = (query: string) =>
    wrapInSignedInPage(<UsersPage query={query} />, { ...context, navigator: { ...context.navigator, go } });
  const { rerender } = render(pageAt(queries[0] ?? ''));
  return {
    go,
    reopen: (query: string) => rerender(pageAt(query)),
    field: screen.getByRole<HTMLInputElement>('searchbox'),
  };
}

test('a search navigates to its own address', async () => {
  const { go, field } = openUsers(['']);
  fireEvent.change(field, { target: { value: ' ada ' } });
  await act(async () => fireEvent.submit(field.form ?? field));
  expect(go).toHaveBeenCalledExactlyOnceWith(usersUrl('ada'), { keepScroll: true });
});

test('going back restores the previous search in the field', () => {
  const { reopen, field } = openUsers(['ada', '']);
  expect(field.value).toBe('ada');
  expect(screen.getByText('No user matches “ada”.')).toBeTruthy();
  reopen('');
  expect(field.value).toBe('');
  expect(screen.getByText('No users yet.')).toBeTruthy();
});

test('choosing a type of activity keeps focus and the typed name; going back resets the fields', async () => {
  const go = vi.fn(async () => {});
  const context = createPageContext();
  const pageWith = (view: ActivityView) =>
    wrapInSignedInPage(<ActivityFilters path="/activity" view={view} />, {
      ...context,
      navigator: { ...context.navigator, go },
    });
  const { rerender } = render(pageWith(NO_FILTERS));
  const person = screen.getByRole<HTMLInputElement>('searchbox');
  const subject = screen.getByRole<HTMLSelectElement>('combobox');
  fireEvent.change(person, { target: { value: 'ada' } });
  subject.focus();
  fireEvent.change(subject, { target: { value: 'grants' } });
  expect(go).toHaveBeenCalledExactlyOnceWith('/activity?person=ada&subject=grants', { keepScroll: true });
  rerender(pageWith({ ...NO_FILTERS, person: 'ada', subject: 'grants' }));
  expect([document.activeElement, person.value]).toEqual([subject, 'ada']);
  rerender(pageWith(NO_FILTERS));
  expect([person.value, subject.value]).toEqual(['', '']);
});

test('an address contains only the filters that differ from the full list', () => {
  expect(storiesUrl('/edit', { status: 'draft', query: 'ada' }, ALL_STORIES)).toBe('/edit?status=draft&query=ada');
  expect(storiesUrl('/edit', ALL_STORIES, ALL_STORIES)).toBe('/edit');
  expect(withSearch('/users', { query: 'a&b', sort: undefined })).toBe('/users?query=a%26b');
});
