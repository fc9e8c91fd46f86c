// @spec decisions.4
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { createPageContext, wrapInPublicPage } from '#test/support/render-element.ts';
import { createStore } from '#web/browser/create-store.ts';
import { draftKey, removeDrafts } from '#web/session/drafts.ts';
import { type Session, SIGNED_OUT } from '#web/session/session.ts';
import { parseDraft, useDraft } from '#web/session/use-draft.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const SAVED_VALUES = { name: 'Ada', shown: ['amount'], consent: false };
const BASE = { name: 'Augusta', shown: [], consent: false };
const VALUES = { name: 'Ada L.', shown: [], consent: true };

test.each([
  ['a draft', { values: VALUES, base: BASE }, { values: VALUES, base: BASE }],
  ['the saved values', { values: SAVED_VALUES, base: BASE }, undefined],
  ['a draft without its base', { values: VALUES }, undefined],
  ['a draft without a newly added field', { values: { name: 'Ada L.', shown: [] }, base: BASE }, undefined],
  ['a draft with a field of another type', { values: { ...VALUES, shown: 'amount' }, base: BASE }, undefined],
  ['null', null, undefined],
])('restores the right draft from %s', (_name, stored, draft) => {
  expect(parseDraft(JSON.stringify(stored), SAVED_VALUES)).toEqual(draft);
});

test('text that isn’t JSON restores nothing', () => {
  expect(parseDraft('{', SAVED_VALUES)).toBeUndefined();
  expect(parseDraft(null, SAVED_VALUES)).toBeUndefined();
});

/** Opens a form with unsaved values as Ada. */
function openUnsavedForm() {
  const session = createStore<Session>({ ...SIGNED_OUT, initialized: true, authenticated: true, uid: 'ada' });
  const context = createPageContext();
  const sessionStore = {
    ...context.session,
    now: session.get,
    subscribe: (listener: (event: 'changed') => void) => session.subscribe(() => listener('changed')),
  };
  renderHook(
    () =>
      useDraft({
        name: 'home',
        values: { name: 'Ada L.' },
        base: { name: 'Ada' },
        savedValues: { name: 'Ada' },
        isUnsaved: true,
        restore: () => {},
      }),
    {
      wrapper: ({ children }: { children: ReactNode }) =>
        wrapInPublicPage(children, { ...context, session: sessionStore }),
    },
  );
  return { setSession: (changes: Partial<Session>) => act(() => session.set({ ...session.get(), ...changes })) };
}

const storedDraftKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('draft:'));

test('a form that stays open after logout stores no draft', () => {
  const { setSession } = openUnsavedForm();
  expect(storedDraftKeys()).toEqual([draftKey('ada', 'home')]);
  removeDrafts();
  setSession({ authenticated: false, uid: '' });
  expect(storedDraftKeys()).toEqual([]);
});

test('a draft is never stored as the next person’s draft', () => {
  const { setSession } = openUnsavedForm();
  setSession({ uid: 'ben' });
  expect(storedDraftKeys()).toEqual([draftKey('ada', 'home')]);
});
