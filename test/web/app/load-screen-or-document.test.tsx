// @spec 8.offline decisions.6
import { afterEach, expect, test, vi } from 'vitest';
import { OfflineError } from '#web/api/api-error.ts';
import { loadScreenOrDocument } from '#web/app/load-screen-or-document.ts';
import { errorScreen, type Screen } from '#web/app/screens.ts';
import { createNavigator, type Navigator } from '#web/navigation/navigator.ts';
import { createMemoryHistory } from '#web/navigation/site-history.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const FAQS = '/orgs/valley/faqs';
const ABOUT = '/orgs/valley/about';

/** Opens the about page after the FAQs. The network then fails, and every document is cached. */
async function openOffline() {
  vi.stubGlobal('caches', { match: async () => new Response() });
  const history = createMemoryHistory(FAQS);
  const page: Screen = { ...errorScreen(undefined), content: { kind: 'missing' } };
  let screen = page;
  const navigator: Navigator<Screen> = createNavigator({
    history,
    load: (address) => {
      const visibleAddress = navigator.state().entry.address;
      return loadScreenOrDocument(address, { history, loadScreen: async () => screen, visibleAddress });
    },
    initialScreen: page,
  });
  navigator.start();
  await navigator.go(ABOUT);
  navigator.forget();
  screen = errorScreen(new OfflineError());
  return {
    navigator,
    history,
    assign: vi.spyOn(window.location, 'assign').mockReturnValue(),
    reload: vi.spyOn(window.location, 'reload').mockReturnValue(),
  };
}

test('offline, the back button opens the cached document at the history entry', async () => {
  const { history, assign, reload } = await openOffline();
  history.move(-1);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(history.current().address).toBe(FAQS);
  expect(assign).not.toHaveBeenCalled();
});

test('offline, a link opens the cached document', async () => {
  const { navigator, assign, reload } = await openOffline();
  await navigator.go(FAQS);
  expect(assign.mock.calls).toEqual([[FAQS]]);
  expect(reload).not.toHaveBeenCalled();
});

test('offline, a page that can’t be reloaded shows the error instead of opening its document again', async () => {
  const { navigator, assign, reload } = await openOffline();
  await navigator.reload();
  expect(navigator.state().screen?.content.kind).toBe('error');
  expect([assign.mock.calls.length, reload.mock.calls.length]).toEqual([0, 0]);
});
