import { QueryClientProvider, useSuspenseQuery } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import { createPageContext } from '#test/support/render-element.ts';
import { OfflineError } from '#web/api/api-error.ts';
import { createApiClient } from '#web/api/client.ts';
import { queryClient } from '#web/api/queries.ts';
import { App } from '#web/app/app.tsx';
import '#web/app/subscribe-to-org.ts';
import type { Screen } from '#web/app/screens.ts';
import { createNavigator } from '#web/navigation/navigator.ts';
import { createMemoryHistory } from '#web/navigation/site-history.ts';
import { SIGNED_OUT } from '#web/session/session.ts';
import { createSessionStore } from '#web/session/session-store.ts';
import { showDialog } from '#web/session/show-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.doUnmock('#web/site/site-menu.tsx');
});

const ORG = { id: 'valley', name: 'Valley', version: 1 } as Org;

function createScreen(element: () => ReactElement): Screen {
  const content = { kind: 'page' as const, module: 'test', data: {}, element };
  return { name: undefined, org: undefined, site: undefined, content };
}

function createEditorSession() {
  const editor = { ...SIGNED_OUT, initialized: true, authenticated: true };
  return { ...createPageContext().session, now: () => editor };
}

function BrokenPage(): ReactElement {
  throw new Error('This page does not render.');
}

test('"Try again" after a render error shows the page once it loads', async () => {
  const screens = [createScreen(() => <BrokenPage />), createScreen(() => <p>Here again</p>)];
  const navigator = createNavigator<Screen>({
    history: createMemoryHistory('/a'),
    load: async () => screens.shift() ?? createScreen(() => <BrokenPage />),
    initialScreen: createScreen(() => <BrokenPage />),
  });
  render(<App context={createPageContext()} navigator={navigator} />, { onCaughtError: () => {} });
  const tryAgain = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })));
  await tryAgain();
  expect(screen.queryByText('Here again')).toBeNull();
  await tryAgain();
  expect(screen.getByText('Here again')).toBeTruthy();
});

test('the offline page keeps retrying after the network returns, even if the first retry is slow and fails', async () => {
  vi.useFakeTimers();
  const offline: Screen = { ...createScreen(() => <p />), content: { kind: 'error', error: new OfflineError() } };
  const firstRetry = Promise.withResolvers<Screen>();
  const retries = [firstRetry.promise, Promise.resolve(createScreen(() => <p>Here again</p>))];
  const navigator = createNavigator<Screen>({
    history: createMemoryHistory('/a'),
    load: () => retries.shift() ?? Promise.resolve(offline),
    initialScreen: offline,
  });
  render(<App context={createPageContext()} navigator={navigator} />);
  fireEvent(window, new Event('online'));
  await act(() => vi.advanceTimersByTimeAsync(900));
  expect(screen.getByRole('alert').textContent).toContain('You’re offline');
  firstRetry.resolve({ ...offline, content: { kind: 'error', error: new OfflineError() } });
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.getByText('Here again')).toBeTruthy();
});

test('a link to a field focuses it and scrolls to its label, which the header would cover', async () => {
  const scrolledTo: (string | null)[] = [];
  Element.prototype.scrollIntoView = function () {
    scrolledTo.push(this.textContent);
  };
  const form = () => (
    <>
      <h1 tabIndex={-1}>Settings</h1>
      <label htmlFor="grant">Typical grant</label>
      <input id="grant" />
    </>
  );
  const navigator = createNavigator<Screen>({
    history: createMemoryHistory('/a'),
    load: async () => createScreen(form),
    initialScreen: createScreen(() => <p>First</p>),
  });
  render(<App context={createPageContext()} navigator={navigator} />);
  await act(() => navigator.go('/b#grant'));
  expect(document.activeElement).toBe(screen.getByLabelText('Typical grant'));
  expect(scrolledTo).toEqual(['Typical grant']);
  await act(() => navigator.go('/c'));
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Settings' }));
});

test('after a version update, going back reloads the earlier page', async () => {
  vi.useFakeTimers();
  const versionListener = Promise.withResolvers<(message: { data: string }) => void>();
  class Stream {
    addEventListener(type: string, listener: (message: { data: string }) => void) {
      if (type === 'version') versionListener.resolve(listener);
    }
    close() {}
  }
  vi.stubGlobal('EventSource', Stream);
  const requests: string[] = [];
  const history = createMemoryHistory('/a');
  const navigator = createNavigator<Screen>({
    history,
    load: async (address) => {
      requests.push(address);
      return { ...createScreen(() => <p>{address}</p>), name: 'home-page', org: ORG };
    },
    initialScreen: createScreen(() => <p>First</p>),
  });
  navigator.start();
  render(<App context={createPageContext()} navigator={navigator} />);
  await act(() => navigator.go('/b'));
  await act(() => vi.advanceTimersByTimeAsync(1000));
  (await versionListener.promise)({ data: '2' });
  await act(() => vi.advanceTimersByTimeAsync(500));
  expect(requests).toEqual(['/b', '/b']);
  await act(async () => history.move(-1));
  expect(requests).toEqual(['/b', '/b', '/a']);
});

test('a change that finishes after the user leaves its page marks the loaded pages and queries as out of date', async () => {
  const requests: string[] = [];
  const history = createMemoryHistory('/a');
  const navigator = createNavigator<Screen>({
    history,
    load: async (address) => {
      requests.push(address);
      return createScreen(() => <p>{address}</p>);
    },
    initialScreen: createScreen(() => <p>First</p>),
  });
  navigator.start();
  const api = createApiClient({ fetch: async () => Response.json({}) });
  queryClient.setQueryData(['readFigures'], {});
  render(<App context={{ api, session: createEditorSession() }} navigator={navigator} />);
  await act(() => navigator.go('/b'));
  await act(async () => api.call('editOrg', { params: { orgid: 'valley' }, body: { name: 'Valley' } }));
  await vi.waitFor(() => expect(queryClient.getQueryState(['readFigures'])?.isInvalidated).toBe(true));
  await act(async () => history.move(-1));
  expect(requests).toEqual(['/b', '/a']);
});

test('a change reloads the page’s data; if the network fails, a toast offers to try again', async () => {
  const responses = [() => Promise.reject(new OfflineError()), async () => 'New figures'];
  const query = { queryKey: ['readFigures'], queryFn: () => responses.shift()?.() ?? 'Unexpected figures' };
  queryClient.setQueryData(query.queryKey, 'Old figures');
  const FiguresPage = () => <p>{useSuspenseQuery(query).data}</p>;
  const initialScreen = createScreen(() => (
    <QueryClientProvider client={queryClient}>
      <FiguresPage />
    </QueryClientProvider>
  ));
  const navigator = createNavigator<Screen>({
    history: createMemoryHistory('/a'),
    load: async () => initialScreen,
    initialScreen,
  });
  const api = createApiClient({ fetch: async () => Response.json({}) });
  render(<App context={{ api, session: createEditorSession() }} navigator={navigator} />);
  await act(async () => api.call('editOrg', { params: { orgid: 'valley' }, body: { name: 'Valley' } }));
  expect(await screen.findByText(/^Done, but this page/)).toBeTruthy();
  expect(screen.getByText('Old figures')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('New figures')).toBeTruthy();
});

test('a public page isn’t rendered again once the visitor’s session is initialized', () => {
  const element = vi.fn(() => <p>Here</p>);
  const screenWithPage = createScreen(element);
  const session = createSessionStore();
  const api = createApiClient();
  const navigator = createNavigator<Screen>({
    history: createMemoryHistory('/a'),
    load: async () => screenWithPage,
    initialScreen: screenWithPage,
  });
  render(<App context={{ api, session }} navigator={navigator} />);
  element.mockClear();
  const tab = { mayHaveSession: () => false, clearHint: () => {}, broadcast: () => {}, listen: () => {} };
  act(() => session.start(api, tab));
  expect(session.now().initialized).toBe(true);
  expect(element).not.toHaveBeenCalled();
});

/** Renders the app with a single page. */
function openSite(page: Partial<Screen> = {}) {
  const initialScreen = { ...createScreen(() => <p>Here</p>), ...page };
  const history = createMemoryHistory('/a');
  const navigator = createNavigator<Screen>({ history, load: async () => initialScreen, initialScreen });
  render(<App context={createPageContext()} navigator={navigator} />, { onCaughtError: () => {} });
  return { navigator, history };
}

test('the back button closes a dialog opened over the page, such as the one to log in again', async () => {
  const { navigator, history } = openSite();
  navigator.start();
  await act(() => navigator.go('/b'));
  const result = showDialog<string>((close) => (
    <Dialog title="Log in" onClose={() => close('canceled')}>
      Your session has ended.
    </Dialog>
  ));
  expect(await screen.findByRole('dialog', { name: 'Log in' })).toBeTruthy();
  await act(async () => history.move(-1));
  expect(await result).toBe('canceled');
  expect([screen.queryByRole('dialog'), history.current().address]).toEqual([null, '/b']);
});

test('a dialog over the page that fails to render is closed, and the page stays', async () => {
  openSite();
  const page = screen.getByText('Here');
  const result = showDialog(() => <BrokenPage />);
  await expect(result).rejects.toThrow('This page does not render.');
  expect(screen.getByText('Here')).toBe(page);
});

test('if the menu fails to load, the page stays usable and a second click retries', async () => {
  vi.doMock('#web/site/site-menu.tsx', () => {
    throw new Error('The network failed.');
  });
  openSite({ org: ORG });
  const button = screen.getByRole('button', { name: 'Menu' });
  await act(async () => fireEvent.focus(button));
  fireEvent.click(button);
  expect(await screen.findByText(/We couldn’t load this/)).toBeTruthy();
  expect(screen.getByText('Here')).toBeTruthy();
  vi.doUnmock('#web/site/site-menu.tsx');
  fireEvent.click(button);
  // A busy machine takes a while to load the menu.
  expect(await screen.findByRole('dialog', { name: 'Valley' }, { timeout: 30_000 })).toBeTruthy();
});

test('a layout that fails to render shows the error page', () => {
  openSite({ org: { ...ORG, name: {} as string } });
  expect(screen.getByRole('heading', { name: 'We can’t show this page' })).toBeTruthy();
});
