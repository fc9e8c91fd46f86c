import { expect, test } from 'vitest';
import type { PageName } from '#contract/pages.ts';
import { NOBODY, type Session } from '#web/features/session/session.ts';
import { createSessionStore } from '#web/features/session/session-store.ts';
import { followSession } from '#web/follow-session.ts';
import { createNavigator } from '#web/navigation/navigator.ts';
import { memoryHistory } from '#web/navigation/site-history.ts';
import type { Screen } from '#web/screens.ts';

const VISITOR: Session = { ...NOBODY, initialized: true };
const ADA: Session = { ...VISITOR, authenticated: true, uid: 'u1', emailVerified: true };

/** A page that is open, and what becomes of it when the session changes. */
function openAt(name: PageName, first: Session) {
  const done: string[] = [];
  let session = first;
  let tell = () => {};
  const store = {
    ...createSessionStore(),
    now: () => session,
    subscribe: (listener: (event: 'changed' | 'initialized') => void) => {
      tell = () => listener('changed');
      return () => true;
    },
  };
  const screen: Screen = { name, org: undefined, site: undefined, content: { kind: 'missing' } };
  const navigator = createNavigator<Screen>({ history: memoryHistory('/'), load: async () => screen, first: screen });
  followSession(store, {
    ...navigator,
    forget: () => void done.push('forget'),
    reload: async () => void done.push('reload'),
  });
  const become = (next: Session) => {
    session = next;
    tell();
  };
  return { become, done };
}

test('a page that is each person’s own is loaded anew for whoever comes, goes, or may do something else', () => {
  const { become, done } = openAt('login-page', VISITOR);
  become(ADA);
  expect(done.splice(0)).toEqual(['forget', 'reload']);
  become({ ...ADA, editorOf: ['ithaca'] });
  expect(done.splice(0)).toEqual(['forget', 'reload']);
  become({ ...ADA, editorOf: ['ithaca'], emailVerified: false });
  expect(done.splice(0)).toEqual(['forget', 'reload']);
  become(VISITOR);
  expect(done.splice(0)).toEqual(['forget', 'reload']);
});

test('a public page stays as it is, and only what was loaded ahead is forgotten', () => {
  const { become, done } = openAt('home-page', VISITOR);
  become(ADA);
  expect(done).toEqual(['forget']);
});

test('a fresh token changes nothing on the page', () => {
  const { become, done } = openAt('user-home-page', ADA);
  become({ ...ADA, idToken: 'another' });
  expect(done).toEqual([]);
});

test('a page that waits to know who is there is not loaded twice', () => {
  const { become, done } = openAt('user-home-page', NOBODY);
  become(ADA);
  expect(done).toEqual(['forget']);
});
