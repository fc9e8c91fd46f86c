import type { CallName } from '#contract/calls.ts';
import type { PackingOptions } from './hostile-lines.ts';
import type { HostileSite } from './hostile-site.ts';

/** A call, its text fields, and how the hostile lines are sent to them. */
export type HostileCase = PackingOptions & {
  readonly call: CallName;
  /** Paths of fields in the call's body: 'name', 'received.note', 'cart.title'. */
  readonly fields: readonly string[];
  /** True if every line must be rejected. */
  readonly rejectsAll?: boolean;
  readonly start: (site: HostileSite) => Promise<StartedCase>;
};

/** A started HostileCase. */
export type StartedCase = {
  /**
   * Sends a text.
   * @param position number of texts sent before it
   * @returns the response's status
   */
  readonly send: (text: string, position: number) => Promise<number>;
  readonly pages: readonly TestedPage[];
};

/** Pages that show the planted text. */
export type TestedPage = {
  /** Address of the page that shows the text at this position, or the markup itself. */
  readonly sourceAt: (position: number) => string;
  /**
   * How the browser reads the page, from slowest to fastest: it opens the page, follows a link to it, parses it without
   * opening it, or parses markup that a page would insert.
   */
  readonly method: 'open' | 'navigate' | 'parse' | 'markup';
  /** Number of texts planted before each check. The page must show all of them at once. */
  readonly capacity: number;
  /** Expected page text for each planted text, without whitespace; omitted if no text is expected. */
  readonly expectedText?: (text: string, position: number) => string;
  /** True if each text has its own page. Then only the last page is opened, and all are parsed. */
  readonly showsOneText?: boolean;
  /** Number of most recent texts the page always shows; all of them if omitted. */
  readonly visibleCount?: number;
};

export const ORG_PATH = '/orgs/sample';
/** A valid story and name for requests with the hostile text in another field. */
export const VALID_STORY = 'A story of more than twenty-six characters.';
export const VALID_NAME = 'Nora Name';

/** Expected text of pages that show the texts unchanged. */
export const asTyped = (text: string) => text;

/** A list of up to fifty items for editors or admins. */
export function editorsListPage(path: string): TestedPage {
  return { sourceAt: () => path, method: 'navigate', capacity: 50, expectedText: asTyped };
}

/** A public list. The server renders its first ten items. */
export function listPage(path: string): TestedPage {
  return { sourceAt: () => path, method: 'parse', capacity: 200, visibleCount: 1, expectedText: asTyped };
}

/** A page about a single item, opened after every `capacity` texts. */
export function singlePage(sourceAt: TestedPage['sourceAt'], capacity = 1): TestedPage {
  return { sourceAt, method: 'open', capacity, expectedText: asTyped, showsOneText: true };
}
