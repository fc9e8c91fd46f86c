import { act, cleanup, renderHook } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, expect, test } from 'vitest';
import { createNavigator } from '#web/navigation/navigator.ts';
import { createBrowserHistory } from '#web/navigation/site-history.ts';
import { NavigatorProvider } from '#web/navigation/use-navigator.ts';
import { createRow, GROUP_HASH, serializeGroup } from '#web/routes/home/group/group-estimate.ts';
import { useGroup } from '#web/routes/home/group/use-group.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  window.location.hash = '';
});

const createGroup = (name: string) => ({ name, rows: [createRow('air', 'Guests')] });
const [WEDDING, OFFICE] = [createGroup('Wedding'), createGroup('Office')];
const LONGER_WEDDING = { ...WEDDING, rows: [...WEDDING.rows, createRow('car', 'Guests')] };

function openGroup(hash = '') {
  window.location.hash = hash;
  const navigator = createNavigator<object>({
    history: createBrowserHistory(window),
    load: async () => ({}),
    initialScreen: {},
  });
  const { result, unmount } = renderHook(() => useGroup('valley'), {
    wrapper: ({ children }) => createElement(NavigatorProvider, { value: navigator }, children),
  });
  return { hook: () => result.current, close: unmount, navigator };
}

test('an estimate, and which version of it is in the cart, survive a reload', () => {
  const { hook, close } = openGroup();
  act(() => hook().change(WEDDING));
  act(() => hook().markInCart());
  act(() => hook().change(LONGER_WEDDING));
  expect(window.location.hash).toBe(GROUP_HASH + serializeGroup(LONGER_WEDDING));
  close();
  expect(openGroup().hook()).toMatchObject({ group: LONGER_WEDDING, textInCart: serializeGroup(WEDDING) });
});

test('opening a shared estimate doesn’t change which version of the visitor’s own estimate is in the cart', () => {
  const { hook, close } = openGroup();
  act(() => hook().change(WEDDING));
  act(() => hook().markInCart());
  act(() => hook().change(LONGER_WEDDING));
  close();
  const shared = openGroup(GROUP_HASH + serializeGroup(OFFICE));
  expect(shared.hook()).toMatchObject({ group: OFFICE, textInCart: serializeGroup(OFFICE) });
  shared.close();
  expect(openGroup().hook()).toMatchObject({ group: LONGER_WEDDING, textInCart: serializeGroup(WEDDING) });
});

test('an estimate without rows is forgotten', () => {
  const { hook } = openGroup();
  act(() => hook().change(WEDDING));
  act(() => hook().change({ ...WEDDING, rows: [] }));
  expect([window.location.hash, localStorage.length]).toEqual(['', 0]);
});

test('a page reload and the language links use the changed estimate', async () => {
  const { hook, navigator } = openGroup(GROUP_HASH + serializeGroup(WEDDING));
  act(() => hook().change(LONGER_WEDDING));
  const changedHash = GROUP_HASH + serializeGroup(LONGER_WEDDING);
  expect(navigator.state().entry.address).toBe(window.location.pathname + changedHash);
  await act(() => navigator.reload());
  expect(window.location.hash).toBe(changedHash);
});
