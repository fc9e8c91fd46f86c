/** What tabs of the site tell each other: who is signed in now, and whether something about that person has changed. */
export type TabNews = { readonly uid: string; readonly anew: boolean };

/** What the session needs of the browser. */
export type SessionTab = {
  /** Whether there may be a session to ask about. */
  readonly isMarked: () => boolean;
  /** Takes the mark away, where the server could not. */
  readonly unmark: () => void;
  /** Tells the other tabs. */
  readonly tell: (news: TabNews) => void;
  /** Calls back when another tab tells something, and without news when one comes back to this tab. */
  readonly listen: (onNews: (news?: TabNews) => void) => void;
};

/** The cookie beside the session's own that a page can read; it proves nothing. */
const MARK = 'signed_in';

/** @param asksAlways for calls answered by another host, whose cookies this page cannot read */
export function browserTab(asksAlways: boolean): SessionTab {
  const channel = new BroadcastChannel('session');
  return {
    isMarked: () => asksAlways || document.cookie.split('; ').includes(`${MARK}=1`),
    unmark: () => {
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store yet
      document.cookie = `${MARK}=; Max-Age=0; Path=/`;
    },
    tell: (news) => channel.postMessage(news),
    listen: (onNews) => {
      channel.onmessage = ({ data }) => onNews(data);
      // A tab that slept, or comes out of the back-forward cache, was told nothing.
      document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && onNews());
    },
  };
}
