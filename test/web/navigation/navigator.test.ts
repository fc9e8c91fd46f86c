import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addDialog } from '#web/navigation/dialog-stack.ts';
import { createNavigator, type LoadResult, type Navigator, OpenDocument, Redirect } from '#web/navigation/navigator.ts';
import { createMemoryHistory } from '#web/navigation/site-history.ts';

type Screen = { readonly text: string; readonly load: number };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type SiteOptions = {
  startAddress?: string;
  redirects?: Record<string, string>;
  /** Addresses that open as a document. */
  documents?: readonly string[];
  isLoaded?: (screen: Screen) => boolean;
};

/** A site whose pages load when the test triggers them; it records all requests. */
function createSite({ startAddress = '/a', redirects = {}, documents = [], isLoaded }: SiteOptions = {}) {
  const history = createMemoryHistory(startAddress);
  const requests: string[] = [];
  const openedDocuments: string[] = [];
  const resolvers = new Map<string, () => void>();
  let isPaused = false;
  const load = async (address: string): Promise<LoadResult<Screen>> => {
    requests.push(address);
    if (isPaused) await new Promise<void>((resolve) => resolvers.set(address, resolve));
    if (documents.includes(address)) return new OpenDocument(() => openedDocuments.push(address));
    const to = redirects[address];
    return to === undefined ? { text: address, load: requests.length } : new Redirect(to);
  };
  const navigator = createNavigator<Screen>({
    history,
    load,
    initialScreen: { text: startAddress, load: 0 },
    errorScreen: ({ message }) => ({ text: message, load: 0 }),
    ...(isLoaded && { isLoaded }),
  });
  navigator.start();
  return {
    navigator,
    history,
    requests,
    openedDocuments,
    pauseLoading: () => {
      isPaused = true;
    },
    finishLoad: async (address: string) => {
      resolvers.get(address)?.();
      await vi.advanceTimersByTimeAsync(0);
    },
    move: async (steps: number) => {
      history.move(steps);
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

const visibleText = (navigator: Navigator<Screen>) => navigator.state().screen?.text;

test('following a link shows its page and adds it to the history', async () => {
  const { navigator, history } = createSite();
  await navigator.go('/b?x=1#here');
  expect(visibleText(navigator)).toBe('/b?x=1#here');
  expect(navigator.state()).toMatchObject({ navigationType: 'push', keepsScroll: false });
  expect(history.current().address).toBe('/b?x=1#here');
});

test('the old page stays visible until the next one is ready', async () => {
  const { navigator, history, pauseLoading, finishLoad } = createSite();
  pauseLoading();
  const navigation = navigator.go('/b');
  await vi.advanceTimersByTimeAsync(799);
  expect([visibleText(navigator), navigator.state().slowLoad, history.current().address]).toEqual([
    '/a',
    undefined,
    '/a',
  ]);
  await vi.advanceTimersByTimeAsync(1);
  expect(navigator.state().slowLoad).toBe('page');
  await finishLoad('/b');
  await navigation;
  expect([visibleText(navigator), navigator.state().slowLoad]).toEqual(['/b', undefined]);
});

test('a page stays visible while it loads with another query', async () => {
  const { navigator, pauseLoading, finishLoad } = createSite();
  pauseLoading();
  const navigation = navigator.go('/a?x=1');
  await vi.advanceTimersByTimeAsync(800);
  expect([visibleText(navigator), navigator.state().slowLoad]).toEqual(['/a', 'query']);
  await finishLoad('/a?x=1');
  await navigation;
  expect([visibleText(navigator), navigator.state().slowLoad]).toEqual(['/a?x=1', undefined]);
});

test('a page that loads late is dropped if the visitor has moved on', async () => {
  const { navigator, pauseLoading, finishLoad } = createSite();
  pauseLoading();
  const slowNavigation = navigator.go('/slow');
  const quickNavigation = navigator.go('/quick');
  await finishLoad('/quick');
  await quickNavigation;
  await finishLoad('/slow');
  await slowNavigation;
  expect(visibleText(navigator)).toBe('/quick');
});

test('going back shows the cached page without a request', async () => {
  const { navigator, requests, move } = createSite();
  await navigator.go('/b');
  await move(-1);
  expect([visibleText(navigator), navigator.state().navigationType]).toEqual(['/a', 'back-or-forward']);
  await move(1);
  expect(visibleText(navigator)).toBe('/b');
  expect(requests).toEqual(['/b']);
});

test('navigating back after a change reloads the page', async () => {
  const { navigator, requests, move } = createSite();
  await navigator.go('/b');
  navigator.forget();
  await move(-1);
  expect([visibleText(navigator), requests]).toEqual(['/a', ['/b', '/a']]);
});

test('redirects and replaced pages aren’t added to the history', async () => {
  const { navigator, history, move } = createSite({ redirects: { '/old': '/new' } });
  await navigator.go('/old');
  expect(history.current().address).toBe('/new');
  await navigator.go('/new?stage=paid', { replace: true, keepScroll: true });
  expect(navigator.state()).toMatchObject({ navigationType: 'replace', keepsScroll: true });
  await navigator.go('/newer', { replace: true, keepScroll: true });
  expect(navigator.state()).toMatchObject({ navigationType: 'replace', keepsScroll: false });
  await move(-1);
  expect(visibleText(navigator)).toBe('/a');
});

test('a redirect loop ends in an error', async () => {
  const { navigator, requests } = createSite({ redirects: { '/x': '/y', '/y': '/x' } });
  await navigator.go('/x');
  expect(visibleText(navigator)).toContain('has a redirect loop');
  expect(requests).toHaveLength(6);
});

test('a prefetched page is used once unless it’s too old', async () => {
  const { navigator, requests } = createSite();
  navigator.prefetch('/b');
  navigator.prefetch('/b');
  navigator.prefetch('/a#place');
  await navigator.go('/b');
  expect(requests).toEqual(['/b']);
  navigator.prefetch('/c');
  await vi.advanceTimersByTimeAsync(20_000);
  await navigator.go('/c');
  expect(requests).toEqual(['/b', '/c', '/c']);
});

test('a page that failed to prefetch is loaded again for the click', async () => {
  const { navigator, requests } = createSite({ isLoaded: ({ load }) => load > 1 });
  navigator.prefetch('/b');
  await vi.advanceTimersByTimeAsync(0);
  await navigator.go('/b');
  expect([navigator.state().screen, requests]).toEqual([{ text: '/b', load: 2 }, ['/b', '/b']]);
});

test('a reload fetches again and keeps the scroll position', async () => {
  const { navigator, requests, history } = createSite();
  const { key } = history.current();
  await navigator.reload();
  expect(navigator.state()).toMatchObject({
    navigationType: 'reload',
    keepsScroll: true,
    screen: { text: '/a', load: 1 },
  });
  expect([requests, history.current().key]).toEqual([['/a'], key]);
});

test('a refresh replaces the page unless it fails', async () => {
  const { navigator, requests } = createSite({ isLoaded: ({ load }) => load > 1 });
  const { entry } = navigator.state();
  expect(await navigator.refresh()).toBe(false);
  expect(navigator.state().screen).toEqual({ text: '/a', load: 0 });
  expect(await navigator.refresh()).toBe(true);
  expect(navigator.state().screen).toEqual({ text: '/a', load: 2 });
  expect(navigator.state().entry).toBe(entry);
  expect(requests).toEqual(['/a', '/a']);
});

test('a refresh is dropped if the visitor has moved on', async () => {
  const { navigator, pauseLoading, finishLoad } = createSite();
  pauseLoading();
  const refresh = navigator.refresh();
  const navigation = navigator.go('/b');
  await finishLoad('/b');
  await navigation;
  await finishLoad('/a');
  expect(await refresh).toBe(false);
  expect(visibleText(navigator)).toBe('/b');
});

test('a refresh that began while another page was loading doesn’t replace that page', async () => {
  const { navigator, pauseLoading, finishLoad } = createSite();
  pauseLoading();
  const navigation = navigator.go('/b');
  const refresh = navigator.refresh();
  await finishLoad('/b');
  await navigation;
  await finishLoad('/a');
  await refresh;
  expect([visibleText(navigator), navigator.state().entry.address]).toEqual(['/b', '/b']);
});

test('a refresh that ends after a newer one is dropped', async () => {
  const [olderResponse, newerResponse] = [Promise.withResolvers<Screen>(), Promise.withResolvers<Screen>()];
  const responses = [olderResponse, newerResponse];
  const navigator = createNavigator<Screen>({
    history: createMemoryHistory('/a'),
    load: async (address) => responses.shift()?.promise ?? { text: address, load: 0 },
    initialScreen: { text: '/a', load: 0 },
  });
  const refreshes = [navigator.refresh(), navigator.refresh()];
  newerResponse.resolve({ text: 'newer', load: 2 });
  await refreshes[1];
  olderResponse.resolve({ text: 'older', load: 1 });
  await refreshes[0];
  expect(visibleText(navigator)).toBe('newer');
});

test('a visit’s state is restored on back, but not on a new visit to the same page', async () => {
  const { navigator, move } = createSite();
  navigator.visitState().set('more', 3);
  await navigator.go('/b');
  expect(navigator.visitState().get('more')).toBeUndefined();
  await navigator.go('/a');
  expect(navigator.visitState().get('more')).toBeUndefined();
  await move(-2);
  expect(navigator.visitState().get('more')).toBe(3);
});

test('following the same link twice adds one history entry', async () => {
  const { navigator, move } = createSite();
  await navigator.go('/b');
  await navigator.go('/b');
  await move(-1);
  expect(visibleText(navigator)).toBe('/a');
});

test('start() loads the page’s data if the server didn’t send any', async () => {
  const requests: string[] = [];
  const navigator = createNavigator<Screen>({
    history: createMemoryHistory('/a'),
    load: async (address) => {
      requests.push(address);
      return { text: address, load: 1 };
    },
  });
  expect([navigator.state().screen, requests]).toEqual([undefined, []]);
  navigator.start();
  await vi.advanceTimersByTimeAsync(0);
  expect([navigator.state().navigationType, visibleText(navigator)]).toEqual(['initial', '/a']);
});

test('leaves a guarded page only when its guard allows it', async () => {
  const { navigator } = createSite();
  let leave = () => {};
  navigator.guard((proceed) => {
    leave = proceed;
  });
  await navigator.go('/b');
  expect(visibleText(navigator)).toBe('/a');
  leave();
  await vi.advanceTimersByTimeAsync(0);
  expect(visibleText(navigator)).toBe('/b');
  await navigator.go('/c');
  expect(visibleText(navigator)).toBe('/c');
});

test('the guard also blocks the back button, and the navigator goes back once the guard allows it', async () => {
  const { navigator, history, move } = createSite();
  await navigator.go('/b');
  let leave = () => {};
  navigator.guard((proceed) => {
    leave = proceed;
  });
  await move(-1);
  expect([visibleText(navigator), history.current().address]).toEqual(['/b', '/b']);
  leave();
  await vi.advanceTimersByTimeAsync(0);
  expect([visibleText(navigator), history.current().address]).toEqual(['/a', '/a']);
});

test('allowing the back button twice goes back only once', async () => {
  const { navigator, history, move } = createSite();
  await navigator.go('/b');
  await navigator.go('/c');
  let leave = () => {};
  navigator.guard((proceed) => {
    leave = proceed;
  });
  await move(-1);
  leave();
  leave();
  await vi.advanceTimersByTimeAsync(0);
  expect([visibleText(navigator), history.current().address]).toEqual(['/b', '/b']);
});

test('the back button closes the top dialog and stays on the page; without dialogs it goes back', async () => {
  const { navigator, history, move } = createSite();
  await navigator.go('/b');
  const closedDialogs: string[] = [];
  const openDialog = (name: string) => {
    const close = () => {
      closedDialogs.push(name);
      stop();
    };
    const stop = addDialog({ close, toastRegion: null });
  };
  openDialog('record');
  openDialog('refund');
  await move(-1);
  await move(-1);
  expect(closedDialogs).toEqual(['refund', 'record']);
  expect([visibleText(navigator), history.current().address]).toEqual(['/b', '/b']);
  await move(-1);
  expect([visibleText(navigator), history.current().address]).toEqual(['/a', '/a']);
});

/** Opens /b, with /a behind it and /c ahead of it in the history. */
async function openMiddlePage() {
  const site = createSite();
  await site.navigator.go('/b');
  await site.navigator.go('/c');
  await site.move(-1);
  return site;
}

test('the back button goes back if the top dialog has its own address', async () => {
  const { navigator, move } = createSite();
  await navigator.go('/a?record=1');
  const close = vi.fn();
  const stops = [addDialog({ close, toastRegion: null }), addDialog({ close: undefined, toastRegion: null })];
  await move(-1);
  expect(visibleText(navigator)).toBe('/a');
  expect(close).not.toHaveBeenCalled();
  for (const stop of stops) stop();
});

test('the forward button also closes a dialog, and the history entries keep their order', async () => {
  const { navigator, history, move } = await openMiddlePage();
  const stop = addDialog({ close: () => stop(), toastRegion: null });
  await move(1);
  expect([visibleText(navigator), history.current().address]).toEqual(['/b', '/b']);
  await move(1);
  expect(visibleText(navigator)).toBe('/c');
  await move(-2);
  expect(visibleText(navigator)).toBe('/a');
});

test('when a guard keeps a page open, the history entries before and after it are kept', async () => {
  const { navigator, history, move } = await openMiddlePage();
  let leave = () => {};
  const stopGuarding = navigator.guard((proceed) => {
    leave = proceed;
  });
  await move(-1);
  expect([visibleText(navigator), history.current().address]).toEqual(['/b', '/b']);
  await move(1);
  leave();
  await vi.advanceTimersByTimeAsync(0);
  expect(visibleText(navigator)).toBe('/c');
  stopGuarding();
  await move(-1);
  expect(visibleText(navigator)).toBe('/b');
});

test('closing records goes back to the list that opened them, and leaves no entries behind', async () => {
  const { navigator, history, move } = createSite();
  await navigator.go('/list');
  for (const record of ['/list?record=1', '/list?record=2']) {
    await navigator.go(record);
    await navigator.goBackTo('/list');
    expect([visibleText(navigator), history.current().address]).toEqual(['/list', '/list']);
  }
  await move(-1);
  expect(visibleText(navigator)).toBe('/a');
});

test('two clicks on Close go back once', async () => {
  const memory = createMemoryHistory('/a');
  // Browsers go back asynchronously.
  const history = { ...memory, go: (steps: number) => queueMicrotask(() => memory.go(steps)) };
  const load = async (text: string): Promise<Screen> => ({ text, load: 0 });
  const navigator = createNavigator<Screen>({ history, load, initialScreen: { text: '/a', load: 0 } });
  navigator.start();
  await navigator.go('/list');
  await navigator.go('/list?record=1');
  void navigator.goBackTo('/list');
  void navigator.goBackTo('/list');
  await vi.advanceTimersByTimeAsync(0);
  expect(visibleText(navigator)).toBe('/list');
});

test('closing a record that another page opened replaces it', async () => {
  const { navigator, move } = createSite();
  await navigator.go('/list?record=1');
  await navigator.goBackTo('/list');
  expect(navigator.state()).toMatchObject({
    entry: { address: '/list' },
    navigationType: 'replace',
    keepsScroll: true,
  });
  await move(-1);
  expect(visibleText(navigator)).toBe('/a');
});

test('closing a record is blocked by the guard but not by the dialog that closes it', async () => {
  const { navigator } = createSite();
  await navigator.go('/a?record=1');
  let leave = () => {};
  const stopGuarding = navigator.guard((proceed) => {
    leave = proceed;
  });
  const closed = vi.fn();
  void navigator.goBackTo('/a').then(closed);
  await vi.advanceTimersByTimeAsync(0);
  expect([visibleText(navigator), closed.mock.calls.length]).toEqual(['/a?record=1', 0]);
  const removeDialog = addDialog({ close: () => {}, toastRegion: null });
  leave();
  await vi.advanceTimersByTimeAsync(0);
  expect([visibleText(navigator), closed.mock.calls.length]).toEqual(['/a', 1]);
  removeDialog();
  stopGuarding();
});

test('replacing the hash keeps the page, its scroll position, and its entry', async () => {
  const { navigator, history, requests } = createSite({ startAddress: '/a?x=1#old' });
  const { key } = history.current();
  navigator.replaceHash('#new');
  expect(history.current()).toEqual({ key, address: '/a?x=1#new' });
  expect(navigator.state()).toMatchObject({ entry: history.current(), keepsScroll: true, screen: { load: 0 } });
  navigator.replaceHash('');
  expect([navigator.state().entry.address, requests]).toEqual(['/a?x=1', []]);
});

test.each(['replaceHash', 'reload'] as const)(
  '%s keeps the history entry of a page that is still loading',
  async (method) => {
    const { navigator, history, move, pauseLoading, finishLoad } = createSite();
    await navigator.go('/b');
    navigator.forget();
    pauseLoading();
    await move(-1);
    const entry = history.current();
    if (method === 'replaceHash') navigator.replaceHash('#typed');
    else void navigator.reload();
    expect([visibleText(navigator), history.current()]).toEqual(['/b', entry]);
    await finishLoad('/a');
    expect([visibleText(navigator), navigator.state().entry, history.current()]).toEqual(['/a', entry, entry]);
    await move(1);
    await finishLoad('/b');
    expect(visibleText(navigator)).toBe('/b');
  },
);

test('replaceHash keeps the history entry of a page that is still loading when a link is clicked', async () => {
  const { navigator, history, move, pauseLoading, finishLoad } = createSite();
  await navigator.go('/b');
  navigator.forget();
  pauseLoading();
  await move(-1);
  const entry = history.current();
  const navigation = navigator.go('/c');
  navigator.replaceHash('#typed');
  expect([visibleText(navigator), history.current()]).toEqual(['/b', entry]);
  await finishLoad('/c');
  await navigation;
  expect([visibleText(navigator), history.current().address]).toEqual(['/c', '/c']);
});

test('a page that fails to load is no longer pending', async () => {
  const history = createMemoryHistory('/a');
  const responses: Promise<Screen>[] = [Promise.resolve({ text: '/b', load: 1 }), new Promise<Screen>(() => {})];
  const load = async (address: string): Promise<Screen> => {
    const response = responses.shift();
    if (!response) throw new Error(`${address} has a bug.`);
    return response;
  };
  const navigator = createNavigator<Screen>({ history, load, initialScreen: { text: '/a', load: 0 } });
  navigator.start();
  await navigator.go('/b');
  navigator.forget();
  history.move(-1);
  await expect(navigator.reload()).rejects.toThrow('/a has a bug.');
  navigator.replaceHash('#typed');
  expect(history.current().address).toBe('/b#typed');
  await expect(navigator.reload()).rejects.toThrow('/b#typed has a bug.');
});

test('a reload doesn’t cancel a click on a link', async () => {
  const { navigator, requests, pauseLoading, finishLoad } = createSite();
  pauseLoading();
  void navigator.go('/b');
  void navigator.reload();
  await finishLoad('/b');
  expect([visibleText(navigator), requests]).toEqual(['/b', ['/b', '/b']]);
});

test('a link to another part of the page shows it without a request', async () => {
  const { navigator, history, requests, move } = createSite();
  const { screen } = navigator.state();
  await navigator.go('/a#cart');
  await navigator.go('/a');
  expect([navigator.state().screen, history.current().address, requests]).toEqual([screen, '/a', []]);
  await move(-1);
  expect([navigator.state().screen, navigator.state().entry.address, requests]).toEqual([screen, '/a#cart', []]);
});

test('a link to another part of the page loads it if it failed to load or its data changed', async () => {
  const { navigator, requests } = createSite({ isLoaded: ({ load }) => load > 1 });
  await navigator.go('/a#cart');
  expect(requests).toEqual(['/a#cart']);
  await navigator.go('/a#top');
  expect(requests).toEqual(['/a#cart', '/a#top']);
  navigator.forget();
  await navigator.go('/a#cart');
  expect(requests).toEqual(['/a#cart', '/a#top', '/a#cart']);
  await navigator.go('/a#end');
  expect(requests).toHaveLength(3);
});

test('going back or forward loads a page again that failed to load', async () => {
  const failedLoads = new Set([1]);
  const { navigator, requests, move } = createSite({ isLoaded: ({ load }) => !failedLoads.has(load) });
  await navigator.go('/b');
  await navigator.go('/c');
  await move(-1);
  expect([navigator.state().screen, requests]).toEqual([{ text: '/b', load: 3 }, ['/b', '/c', '/b']]);
  await move(1);
  await move(-1);
  expect([visibleText(navigator), requests]).toEqual(['/b', ['/b', '/c', '/b']]);
});

test('an action that closes a guarded page runs only when the guard allows it', async () => {
  const { navigator } = createSite();
  const close = vi.fn(async () => {});
  let leave = () => {};
  const stopGuarding = navigator.guard((proceed) => {
    leave = proceed;
  });
  await navigator.leave(close);
  expect(close).not.toHaveBeenCalled();
  leave();
  expect(close).toHaveBeenCalledOnce();
  stopGuarding();
  await navigator.leave(close);
  expect(close).toHaveBeenCalledTimes(2);
});

test('a removed guard isn’t called, and navigation within a page doesn’t call it', async () => {
  const { navigator } = createSite();
  const guard = vi.fn();
  const release = navigator.guard(guard);
  await navigator.go('/a#below');
  expect(navigator.state().entry.address).toBe('/a#below');
  release();
  await navigator.go('/b');
  expect([visibleText(navigator), guard.mock.calls.length]).toEqual(['/b', 0]);
});

test('only the last guard asks, such as that of a dialog, and the earlier one asks once it is removed', async () => {
  const { navigator } = createSite();
  const prompts: string[] = [];
  let leave = () => {};
  const addGuard = (name: string) =>
    navigator.guard((proceed) => {
      prompts.push(name);
      leave = proceed;
    });
  addGuard('page');
  const removeDialogGuard = addGuard('dialog');
  await navigator.go('/b');
  removeDialogGuard();
  await navigator.go('/b');
  addGuard('dialog');
  await navigator.go('/b');
  expect([visibleText(navigator), prompts]).toEqual(['/a', ['dialog', 'page', 'dialog']]);
  leave();
  await vi.advanceTimersByTimeAsync(0);
  await navigator.go('/c');
  expect([visibleText(navigator), prompts.length]).toEqual(['/c', 3]);
});

test('a placeholder screen is replaced by the real one and not kept in the history', async () => {
  const history = createMemoryHistory('/own');
  const requests: string[] = [];
  const load = async (address: string): Promise<Screen> => ({ text: address, load: requests.push(address) });
  const navigator = createNavigator<Screen>({
    history,
    load,
    initialScreen: { text: '', load: 0 },
    isInitialScreenEmpty: true,
  });
  expect(visibleText(navigator)).toBe('');
  navigator.start();
  await vi.advanceTimersByTimeAsync(0);
  expect([visibleText(navigator), navigator.state().navigationType, navigator.initial().screen?.text]).toEqual([
    '/own',
    'initial',
    '',
  ]);
  await navigator.go('/b');
  history.move(-1);
  await vi.advanceTimersByTimeAsync(0);
  expect([visibleText(navigator), requests]).toEqual(['/own', ['/own', '/b']]);
});

test('prefetching a page that opens as a document doesn’t leave the current page', async () => {
  const { navigator, history, openedDocuments } = createSite({ documents: ['/b'] });
  navigator.prefetch('/b');
  await vi.advanceTimersByTimeAsync(0);
  expect(openedDocuments).toEqual([]);
  await navigator.go('/b');
  expect(openedDocuments).toEqual(['/b']);
  // The document adds the entry to the history.
  expect([visibleText(navigator), history.current().address]).toEqual(['/a', '/a']);
});

test('a document isn’t opened if the visitor has moved on or must first allow leaving the page', async () => {
  const { navigator, openedDocuments, pauseLoading, finishLoad } = createSite({ documents: ['/b'] });
  const stopGuarding = navigator.guard(() => {});
  await navigator.go('/b');
  stopGuarding();
  pauseLoading();
  const slowNavigation = navigator.go('/b');
  const quickNavigation = navigator.go('/quick');
  await finishLoad('/quick');
  await quickNavigation;
  await finishLoad('/b');
  await slowNavigation;
  expect([visibleText(navigator), openedDocuments]).toEqual(['/quick', []]);
});

test('a refresh doesn’t open a document', async () => {
  const { navigator, openedDocuments } = createSite({ documents: ['/a'] });
  expect(await navigator.refresh()).toBe(false);
  expect(openedDocuments).toEqual([]);
});
