import { createStore } from '#web/browser/create-store.ts';
import { isSamePage, isSamePath, withoutHash } from './address.ts';
import { getTopDialog } from './dialog-stack.ts';
import { createKey, type HistoryEntry, type SiteHistory } from './site-history.ts';

export type NavigationType = 'initial' | 'push' | 'replace' | 'back-or-forward' | 'reload';

export type NavigatorState<Screen> = {
  readonly entry: HistoryEntry;
  /** Undefined until the first screen has loaded. */
  readonly screen: Screen | undefined;
  readonly navigationType: NavigationType;
  /** True to keep the scroll position when the page changes. */
  readonly keepsScroll: boolean;
  /** Set once loading exceeds SLOW_MS. query: only the query changes, so the current page stays visible. */
  readonly slowLoad: 'page' | 'query' | undefined;
};

export class Redirect {
  readonly to: string;

  constructor(to: string) {
    this.to = to;
  }
}

/** Opens the address as a new document instead of a screen. */
export class OpenDocument {
  readonly open: () => void;

  constructor(open: () => void) {
    this.open = open;
  }
}

export type LoadResult<Screen> = Screen | Redirect | OpenDocument;

export type GoOptions = {
  readonly replace?: boolean;
  /** Keeps the scroll position if the path stays the same. */
  readonly keepScroll?: boolean;
};

export type Navigator<Screen> = {
  readonly state: () => NavigatorState<Screen>;
  /** The state that the document was rendered from. */
  readonly initial: () => NavigatorState<Screen>;
  /** @returns a function that stops listening */
  readonly subscribe: (listener: () => void) => () => void;
  /** Navigates to an address on this site, unless the visitor goes elsewhere while the page loads. */
  readonly go: (to: string, options?: GoOptions) => Promise<void>;
  /**
   * Closes a record that has its own address. Goes back if the page at `to` opened the record, so that the history
   * doesn't contain that page twice; otherwise replaces the record. Resolves once the record is closed; never resolves
   * if the guard keeps the record open.
   */
  readonly goBackTo: (to: string) => Promise<void>;
  /** Changes the address's hash, such as '#group=…'. The page and its scroll position don't change. */
  readonly replaceHash: (hash: string) => void;
  readonly reload: () => Promise<void>;
  /**
   * Reloads the page in the background. If the reload fails, the page doesn't change. @returns whether the page was
   * replaced
   */
  readonly refresh: () => Promise<boolean>;
  readonly prefetch: (to: string) => void;
  /** Forgets the loaded screens because their data changed; going back loads them again. */
  readonly forget: () => void;
  /**
   * Asks before a link, the back button, or `leave` closes this page. If the page and its dialogs have several guards,
   * only the last one asks.
   * @param ask receives a function that leaves the page
   * @returns a function that removes the guard
   */
  readonly guard: (ask: (proceed: () => void) => void) => () => void;
  /** True while the page or one of its dialogs has a guard. */
  readonly isGuarded: () => boolean;
  /** Runs an action that closes the page, such as logging out, once the guard allows it. */
  readonly leave: (close: () => Promise<void>) => Promise<void>;
  /** State of this visit to the page, restored by the back button. */
  readonly visitState: () => Map<string, unknown>;
  /** Loads the first screen if the server sent none, and handles the back button. @returns a function that stops listening */
  readonly start: () => () => void;
};

export type NavigatorOptions<Screen> = {
  readonly history: SiteHistory;
  /** Must not throw: errors are screens, too. Must not leave the page, because prefetches also call this function. */
  readonly load: (address: string) => Promise<LoadResult<Screen>>;
  /** The screen that came with the document. */
  readonly initialScreen?: Screen | undefined;
  /** True if the initial screen is an empty frame whose data still has to load. */
  readonly isInitialScreenEmpty?: boolean;
  /** False for an error message. */
  readonly isLoaded?: (screen: Screen) => boolean;
  /** Shown for a redirect loop. */
  readonly errorScreen?: (error: Error) => Screen;
};

type Visit<Screen> = {
  screen: Screen | undefined;
  /** Address of the previous page; undefined after a reload. */
  previousAddress: string | undefined;
  readonly visitState: Map<string, unknown>;
};

/** A navigation whose page is still loading. */
type PendingNavigation = {
  /**
   * True once the back or forward button has changed the browser's history entry, while another page is still visible.
   */
  readonly hasMoved: boolean;
  readonly restart: () => Promise<void>;
};

const SLOW_MS = 800;
/** Lifetime of a prefetched screen. */
const PREFETCH_LIFETIME_MS = 20_000;
const MAX_VISITS = 30;
const MAX_REDIRECTS = 5;

/** Creates the router's state. The navigator doesn't depend on React or on the type of the screens. */
export function createNavigator<Screen extends object>({
  history,
  load,
  initialScreen,
  isInitialScreenEmpty = false,
  isLoaded = () => true,
  errorScreen,
}: NavigatorOptions<Screen>) {
  const visits = new Map<string, Visit<Screen>>();
  const prefetches = new Map<string, Promise<LoadResult<Screen>>>();
  let latestRefresh = 0;
  let guards: readonly ((proceed: () => void) => void)[] = [];
  /** The history entry that the navigator itself is leaving. Dialogs and guards can't stop that navigation. */
  let abandonedEntry: HistoryEntry | undefined;
  let pendingNavigation: PendingNavigation | undefined;
  const initial: NavigatorState<Screen> = {
    entry: history.current(),
    screen: initialScreen,
    navigationType: 'initial',
    keepsScroll: false,
    slowLoad: undefined,
  };
  const { get: state, set, subscribe } = createStore(initial);

  const isLoadedScreen = (result: LoadResult<Screen>): result is Screen =>
    !(result instanceof Redirect) && !(result instanceof OpenDocument) && isLoaded(result);
  const touchVisit = (key: string) => {
    const visit = visits.get(key) ?? { screen: undefined, previousAddress: undefined, visitState: new Map() };
    visits.delete(key);
    visits.set(key, visit);
    const [oldest] = visits.keys();
    if (visits.size > MAX_VISITS && oldest !== undefined) visits.delete(oldest);
    return visit;
  };
  /**
   * Finds the screen of an entry in the history or, if only the hash changes, the visible screen. A screen that failed to
   * load is loaded again.
   */
  const findSavedScreen = (target: HistoryEntry, isMove: boolean) => {
    const { key, address } = state().entry;
    const isHashChange = target.address !== address && isSamePage(target.address, address);
    const screen = isMove || isHashChange ? visits.get(isMove ? target.key : key)?.screen : undefined;
    return screen && isLoaded(screen) ? screen : undefined;
  };
  const loadThroughRedirects = async (address: string): Promise<{ address: string; screen: Screen | OpenDocument }> => {
    let currentAddress = address;
    for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
      const result = await (prefetches.get(currentAddress) ?? load(currentAddress));
      prefetches.delete(currentAddress);
      if (!(result instanceof Redirect)) return { address: currentAddress, screen: result };
      currentAddress = result.to;
    }
    const error = new Error(`The address ${address} has a redirect loop.`);
    if (!errorScreen) throw error;
    return { address, screen: errorScreen(error) };
  };
  const navigate = async (target: HistoryEntry, navigationType: NavigationType, keepsScroll = false) => {
    const isMove = navigationType === 'back-or-forward';
    const navigation: PendingNavigation = {
      hasMoved: isMove || pendingNavigation?.hasMoved === true,
      restart: () => navigate(target, navigationType, keepsScroll),
    };
    pendingNavigation = navigation;
    const isLatest = () => navigation === pendingNavigation;
    const savedScreen = findSavedScreen(target, isMove);
    const slowLoad = isSamePath(target.address, state().entry.address) ? 'query' : 'page';
    const timer = setTimeout(() => isLatest() && set({ ...state(), slowLoad }), SLOW_MS);
    try {
      const { address, screen } = savedScreen
        ? { address: target.address, screen: savedScreen }
        : await loadThroughRedirects(target.address);
      if (!isLatest()) return;
      if (screen instanceof OpenDocument) {
        set({ ...state(), slowLoad: undefined });
        screen.open();
        return;
      }
      const entry = { key: target.key, address };
      if (navigationType === 'push') history.push(entry);
      else if (!isMove || address !== target.address) history.replace(entry);
      const visit = touchVisit(entry.key);
      visit.screen = screen;
      if (navigationType === 'push') visit.previousAddress = state().entry.address;
      const isSamePlace = address === target.address && isSamePath(address, state().entry.address);
      set({
        entry,
        screen,
        navigationType,
        keepsScroll: keepsScroll && isSamePlace,
        slowLoad: undefined,
      });
    } finally {
      clearTimeout(timer);
      if (isLatest()) pendingNavigation = undefined;
    }
  };
  /**
   * Leaves right away, or when the last guard allows it.
   * @param to undefined if the page closes without a new address
   */
  const leaveIfAllowed = async (to: string | undefined, leave: () => Promise<void>) => {
    const guard = guards.at(-1);
    if (!guard || (to !== undefined && isSamePage(to, state().entry.address))) return leave();
    let isLeaving = false;
    guard(() => {
      if (isLeaving) return;
      isLeaving = true;
      guards = [];
      void leave();
    });
  };
  /** Goes back or forward. Resolves once another entry is visible. */
  const move = async (steps: number) => {
    const { entry } = state();
    // A second click must not go back again.
    if (abandonedEntry === entry) return;
    abandonedEntry = entry;
    await new Promise<void>((resolve) => {
      const stop = subscribe(() => {
        if (state().entry === entry) return;
        stop();
        resolve();
      });
      history.go(steps);
    });
  };
  if (initialScreen && !isInitialScreenEmpty) touchVisit(state().entry.key).screen = initialScreen;

  const navigator: Navigator<Screen> = {
    state,
    initial: () => initial,
    subscribe,
    go: (to, { replace = false, keepScroll = false } = {}) => {
      const replacesEntry = replace || to === state().entry.address;
      const key = replacesEntry ? state().entry.key : createKey();
      return leaveIfAllowed(to, () => navigate({ key, address: to }, replacesEntry ? 'replace' : 'push', keepScroll));
    },
    goBackTo: (to) => {
      const { key } = state().entry;
      const isBehind = visits.get(key)?.previousAddress === to;
      const leave = () => (isBehind ? move(-1) : navigate({ key, address: to }, 'replace', true));
      return new Promise((resolve, reject) => void leaveIfAllowed(to, () => leave().then(resolve, reject)));
    },
    replaceHash: (hash) => {
      const { key, address } = state().entry;
      const entry = { key, address: withoutHash(address) + hash };
      // The browser may already be at another page's history entry.
      if (!pendingNavigation?.hasMoved) history.replace(entry);
      set({ ...state(), entry, navigationType: 'replace', keepsScroll: true });
    },
    reload: () => {
      prefetches.clear();
      // The visitor is already leaving for another page, so that navigation must not be dropped.
      return pendingNavigation ? pendingNavigation.restart() : navigate(state().entry, 'reload', true);
    },
    refresh: async () => {
      latestRefresh += 1;
      const refresh = latestRefresh;
      const navigation = pendingNavigation;
      const { entry } = state();
      const screen = await load(entry.address);
      if (refresh !== latestRefresh || navigation !== pendingNavigation || state().entry !== entry) return false;
      if (!isLoadedScreen(screen)) return false;
      touchVisit(entry.key).screen = screen;
      set({ ...state(), screen });
      return true;
    },
    prefetch: (to) => {
      if (prefetches.has(to) || isSamePage(to, state().entry.address)) return;
      const pendingScreen = load(to);
      const forgetPrefetch = () => prefetches.get(to) === pendingScreen && prefetches.delete(to);
      prefetches.set(to, pendingScreen);
      // After a failure, a click loads the page again.
      pendingScreen.then(
        (result) => result instanceof Redirect || isLoadedScreen(result) || forgetPrefetch(),
        forgetPrefetch,
      );
      setTimeout(forgetPrefetch, PREFETCH_LIFETIME_MS);
    },
    forget: () => {
      prefetches.clear();
      for (const visit of visits.values()) visit.screen = undefined;
    },
    guard: (ask) => {
      guards = [...guards, ask];
      return () => {
        guards = guards.filter((guard) => guard !== ask);
      };
    },
    isGuarded: () => guards.length > 0,
    leave: (close) => leaveIfAllowed(undefined, close),
    visitState: () => touchVisit(state().entry.key).visitState,
    start: () => {
      if (!state().screen || isInitialScreenEmpty) void navigate(state().entry, 'initial');
      return history.listen((entry, steps) => {
        const isOwnMove = abandonedEntry === state().entry;
        const closeDialog = isOwnMove ? undefined : getTopDialog()?.close;
        // The browser has already moved to another history entry, so the move is undone if the page stays visible.
        if (closeDialog) {
          void history.undoMove(steps).then(closeDialog);
          return;
        }
        if (guards.length > 0 && !isOwnMove && !isSamePage(entry.address, state().entry.address)) {
          void history.undoMove(steps).then(() => leaveIfAllowed(entry.address, () => move(steps)));
          return;
        }
        // Only the hash changed, so the screen is already loaded.
        if (state().screen && isSamePage(entry.address, state().entry.address) && entry.key !== state().entry.key) {
          touchVisit(entry.key).screen = state().screen;
        }
        void navigate(entry, 'back-or-forward');
      });
    },
  };
  return navigator;
}
