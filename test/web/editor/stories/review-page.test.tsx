// @spec 2.editor
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import type { ReviewedOffsetter } from '#contract/schemas/review.ts';
import type { Site } from '#contract/schemas/site.ts';
import { createLoadedList, createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { reviewQuery } from '#web/routes/editor/queries.ts';
import { ReviewPage } from '#web/routes/editor/stories/review-page.tsx';
import { ALL_REVIEWED, reviewedQuery, waitingQuery } from '#web/routes/editor/stories/route.ts';
import { SIGNED_OUT } from '#web/session/session.ts';

afterEach(cleanup);

const ORG = { id: 'valley', name: 'Valley', timeZone: 'UTC' } as Org;
const ADMIN = {
  ...SIGNED_OUT,
  initialized: true,
  authenticated: true,
  emailVerified: true,
  admin: true,
  roles: { valley: 'editor' as const },
};
const OFFSETTER = {
  id: 'o1',
  name: 'Ada',
  story: 'I fly less.',
  status: 'published',
  shownAs: 'full',
  photo: null,
  profileURL: '/orgs/valley/offsetters/o1',
  email: 'ada@example.org',
  refunded: false,
  createdTimestamp: '2026-01-01T00:00:00.000Z',
} as ReviewedOffsetter;

test.each([
  ['can edit and delete stories', undefined, 1],
  ['can do neither before the second step', { admin: true, orgs: [] }, 0],
])('an admin %s', (_name, inactivePermissions, buttons) => {
  const context = createPageContext();
  const { api, client } = context;
  client.setQueryData(reviewQuery(api, ORG.id).queryKey, { on: true, waiting: 0 });
  client.setQueryData(waitingQuery(api, ORG.id).queryKey, createLoadedList([]));
  client.setQueryData(reviewedQuery(api, ORG.id, ALL_REVIEWED).queryKey, createLoadedList([OFFSETTER]));
  const admin = { ...ADMIN, inactivePermissions };
  const session = { ...context.session, now: () => admin };
  render(wrapInSignedInPage(<ReviewPage org={ORG} site={{} as Site} filter={ALL_REVIEWED} />, { ...context, session }));
  expect(screen.queryAllByRole('link', { name: /^Edit\s*Ada$/ })).toHaveLength(buttons);
  expect(screen.queryAllByRole('button', { name: /^Delete\s*Ada$/ })).toHaveLength(buttons);
});
