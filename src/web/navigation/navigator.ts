import { isSamePage } from './address.ts';
import { type Entry, newKey, type SiteHistory } from './site-history.ts';

/** How a screen came: by a link, in place of another, by the back button, or anew in the same place. */
export type Arrival = 'first' | 'push' | 'replace' | 'back-or-forward' | 'reload';

export type Standing<Screen> = {
  readonly entry: Entry;
  /** What is shown; nothing before the first screen is there. */
  readonly screen: Screen | undefined;
  readonly arrival: Arrival;
  /** Whether the place in the page stays, although the page is another. */
  readonly keepsScroll: boolean;
  /** Whether the next screen takes so long that one should say so. */
  readonly slow: boolean;
};

/** An address leads on to another one. */
export class Redirect {
  readonly to: string;

  constructor(to: string) {
    this.to = to;
  }
}

export type GoOptions = { readonly replace?: boolean; readonly keepScroll?: boolean };

export type Navigator<Screen> = {
  readonly standing: () => Standing<Screen>;
  /** What was shown first, which the document was rendered of. */
  readonly initial: () => Standing<Screen>;
  /** @returns how to stop listening */
  readonly subscribe: (listener: () => void) => () => void;
  /** Shows the screen of an address of this site. Whoever goes elsewhere meanwhile is not brought back. */
  readonly go: (to: string, options?: GoOptions) => Promise<void>;
  /** Loads what is shown anew, in its place. */
  readonly reload: () => Promise<void>;
  /** Reloads the page in the background, and shows it if it loaded: until then, and on a failure, nothing changes. */
  readonly refresh: () => Promise<void>;
  /** Loads the screen of an address, so that it is there when one goes. */
  readonly prefetch: (to: string) => void;
  /** Forgets what was loaded, as what it shows has changed: going back asks anew. */
  readonly forget: () => void;
  /**
   * Has somebody asked before what is shown is left for another page, by a link or by the back button.
   * @param ask is told how to go on, which it may do or not
   * @returns how to stop being asked
   */
  readonly guard: (ask: (leave: () => void) => void) => () => void;
  /** What belongs to this visit of this page, and is there again after "back". */
  readonly kept: () => Map<string, unknown>;
  /** Loads the first screen where the server sent none, and follows the back button. @returns how to stop */
  readonly start: () => () => void;
};

export type NavigatorOptions<Screen> = {
  readonly history: SiteHistory;
  /** The screen of an address. It must not throw: what failed is a screen too. */
  readonly load: (address: string) => Promise<Screen | Redirect>;
  /** The screen that came with the document. */
  readonly first?: Screen | undefined;
  /** Whether it only holds the place of the one that is loaded first. */
  readonly isFirstWaiting?: boolean;
  /** Whether a screen is the page itself, and not a message that it could not be loaded. */
  readonly isLoaded?: (screen: Screen) => boolean;
};

const SLOW_MS = 800;
/** A screen that was loaded ahead is good for this long. */
const AHEAD_MS = 20_000;
const REMEMBERED_SCREENS = 30;
const MOST_REDIRECTS = 5;

/** Leads from screen to screen of the site, one at a time. It knows nothing of React, nor of what a screen is. */
export function createNavigator<Screen extends object>({
  history,
  load,
  first,
  isFirstWaiting = false,
  isLoaded = () => true,
}: NavigatorOptions<Screen>) {
  const listeners = new Set<() => void>();
  const visits = new Map<string, { screen: Screen | undefined; kept: Map<string, unknown> }>();
  const ahead = new Map<string, Promise<Screen | Redirect>>();
  let turn = 0;
  let guard: ((leave: () => void) => void) | undefined;
  const initial: Standing<Screen> = {
    entry: history.current(),
    screen: first,
    arrival: 'first',
    keepsScroll: false,
    slow: false,
  };
  let now = initial;

  const set = (next: Standing<Screen>) => {
    now = next;
    for (const listener of listeners) listener();
  };
  const visitOf = (key: string) => {
    const visit = visits.get(key) ?? { screen: undefined, kept: new Map<string, unknown>() };
    visits.delete(key);
    visits.set(key, visit);
    const [oldest] = visits.keys();
    if (visits.size > REMEMBERED_SCREENS && oldest !== undefined) visits.delete(oldest);
    return visit;
  };
  const loaded = async (address: string): Promise<{ address: string; screen: Screen }> => {
    let at = address;
    for (let step = 0; step <= MOST_REDIRECTS; step += 1) {
      const found = await (ahead.get(at) ?? load(at));
      ahead.delete(at);
      if (!(found instanceof Redirect)) return { address: at, screen: found };
      at = found.to;
    }
    throw new Error(`The address ${address} leads in circles.`);
  };
  /** Loads the screen of an entry, and shows it unless somebody went elsewhere meanwhile. */
  const show = async (wanted: Entry, arrival: Arrival, keepsScroll = false) => {
    turn += 1;
    const mine = turn;
    const remembered = arrival === 'back-or-forward' ? visits.get(wanted.key)?.screen : undefined;
    const timer = setTimeout(() => mine === turn && set({ ...now, slow: true }), SLOW_MS);
    try {
      const { address, screen } = remembered
        ? { address: wanted.address, screen: remembered }
        : await loaded(wanted.address);
      if (mine !== turn) return;
      const entry = { key: wanted.key, address };
      if (arrival === 'push') history.push(entry);
      else if (arrival !== 'back-or-forward' || address !== wanted.address) history.replace(entry);
      visitOf(entry.key).screen = screen;
      set({ entry, screen, arrival, keepsScroll: keepsScroll && address === wanted.address, slow: false });
    } finally {
      clearTimeout(timer);
    }
  };
  /** Goes on at once, or when whoever guards the page says so. */
  const leaving = async (to: string, leave: () => Promise<void>) => {
    if (!guard || isSamePage(to, now.entry.address)) return leave();
    guard(() => {
      guard = undefined;
      void leave();
    });
  };
  if (first && !isFirstWaiting) visitOf(now.entry.key).screen = first;

  const navigator: Navigator<Screen> = {
    standing: () => now,
    initial: () => initial,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    go: (to, { replace = false, keepScroll = false } = {}) => {
      const stays = replace || to === now.entry.address;
      const key = stays ? now.entry.key : newKey();
      return leaving(to, () => show({ key, address: to }, stays ? 'replace' : 'push', keepScroll));
    },
    reload: () => {
      ahead.clear();
      return show(now.entry, 'reload', true);
    },
    refresh: async () => {
      const mine = turn;
      const { entry } = now;
      const screen = await load(entry.address);
      if (mine !== turn || screen instanceof Redirect || !isLoaded(screen)) return;
      visitOf(entry.key).screen = screen;
      set({ ...now, screen });
    },
    prefetch: (to) => {
      if (ahead.has(to) || isSamePage(to, now.entry.address)) return;
      ahead.set(to, load(to));
      setTimeout(() => ahead.delete(to), AHEAD_MS);
    },
    forget: () => {
      ahead.clear();
      for (const visit of visits.values()) visit.screen = undefined;
    },
    guard: (ask) => {
      guard = ask;
      return () => {
        if (guard === ask) guard = undefined;
      };
    },
    kept: () => visitOf(now.entry.key).kept,
    start: () => {
      if (!now.screen || isFirstWaiting) void show(now.entry, 'first');
      return history.listen((entry) => {
        if (guard && !isSamePage(entry.address, now.entry.address)) {
          // The browser has gone already: the place that is asked for stays in front, and one step back leads there.
          history.push(now.entry);
          void leaving(entry.address, async () => history.back());
          return;
        }
        // Only the place in the page is another: it is there already.
        if (now.screen && isSamePage(entry.address, now.entry.address) && entry.key !== now.entry.key) {
          visitOf(entry.key).screen = now.screen;
        }
        void show(entry, 'back-or-forward');
      });
    },
  };
  return navigator;
}
