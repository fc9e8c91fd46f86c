import type { CallName } from '#contract/calls.ts';
import type { Packing } from './hostile-lines.ts';
import type { HostileSite } from './hostile-site.ts';

/** A call and its fields that take texts, and how all lines of a list go through them. */
export type HostileRow = Packing & {
  readonly call: CallName;
  /** As they are called in the call's content: 'name', 'received.note', 'cart.title'. */
  readonly fields: readonly string[];
  /** True if every line must be rejected. */
  readonly refusesAll?: boolean;
  readonly begin: (site: HostileSite) => Promise<Trial>;
};

/** A row under way. */
export type Trial = {
  /** Sends a text. @param place how many texts were sent before @returns the status of the answer */
  readonly send: (text: string, place: number) => Promise<number>;
  readonly pages: readonly ShownPage[];
};

/** Pages that show the planted text. */
export type ShownPage = {
  /** Its address, where it shows the text of a place; of markup alone, the markup. */
  readonly what: (place: number) => string;
  /**
   * Opened in the browser; reached there as by a link, which takes less; read as the browser reads it, which takes less
   * again; or markup that a page would take in.
   */
  readonly how: 'opened' | 'reached' | 'read' | 'markup';
  /** Number of texts per check: at most as many as the page shows together. */
  readonly holds: number;
  /** Expected text on the page for each planted text since the last check, without blanks; empty if not required. */
  readonly shows?: (text: string, place: number) => string;
  /** True if each text has its own page: the last page is opened, and all are read. */
  readonly isOfOne?: boolean;
  /** Number of latest texts the page surely shows; all of them if omitted. */
  readonly last?: number;
};

export const ORG = '/orgs/sample';
/** A story and a name that are fine, beside another field that is not. */
export const STORY = 'A story of more than twenty-six characters.';
export const NAME = 'Nora Name';

/** A page that shows the texts as they were typed. */
export const asTyped = (text: string) => text;

/** A list of editors or admins, fifty at a time. */
export function editorsList(path: string): ShownPage {
  return { what: () => path, how: 'reached', holds: 50, shows: asTyped };
}

/** A list of visitors, as the server renders the first ten. */
export function listPage(path: string): ShownPage {
  return { what: () => path, how: 'read', holds: 200, last: 1, shows: asTyped };
}

/** A page of one thing, opened whenever so many were planted. */
export function pageOfOne(what: ShownPage['what'], holds = 1): ShownPage {
  return { what, how: 'opened', holds, shows: asTyped, isOfOne: true };
}
