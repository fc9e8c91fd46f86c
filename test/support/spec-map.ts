/** A row of a table of docs/spec-map.md, and the number of its section; 0 after the last one. */
export type MapRow = {
  readonly section: number;
  readonly line: string;
  readonly doneBy: string;
  readonly provenBy: string;
};

/** The routes of §2 in its order, and the pages that decisions §4 and §5 add for people and editors. */
export const SPECIFIED_ROUTES: readonly string[] = [
  '/',
  '/login',
  '/forgot-password',
  '/signup',
  '/sent-link',
  '/email-signin',
  // The second step of a login (decisions §4).
  '/second-step',
  // Where Google leads back to when who is logged in confirms it.
  '/login/confirmed',
  // For the links in mails (decisions §4).
  '/reset-password',
  '/verify-email',
  '/user-home',
  '/users',
  '/orgs/{orgid}',
  '/orgs/{orgid}/offsetters',
  '/orgs/{orgid}/offsetters/{offsetterid}/',
  '/orgs/{orgid}/.edit/offsetters/{offsetterid}/',
  '/orgs/{orgid}/awardees',
  '/orgs/{orgid}/awardees/{awardeeid}/',
  '/orgs/{orgid}/future-awardees',
  '/orgs/{orgid}/about',
  '/orgs/{orgid}/faqs',
  '/orgs/{orgid}/donate',
  '/orgs/{orgid}/qrcode',
  '/orgs/{orgid}/installers',
  '/orgs/{orgid}/installers/{installerid}/',
  '/orgs/{orgid}/checkouts/{checkoutid}',
  '/orgs/{orgid}/checkouts/{checkoutid}/complete',
  // Where the mails of a recurring gift lead.
  '/orgs/{orgid}/gifts/{giftkey}',
  // The editors' first page.
  '/orgs/{orgid}/editor/',
  '/orgs/{orgid}/editor/org',
  '/orgs/{orgid}/editor/pages',
  '/orgs/{orgid}/editor/checkouts',
  '/orgs/{orgid}/editor/payouts',
  '/orgs/{orgid}/editor/statement',
  '/orgs/{orgid}/editor/grants',
  '/orgs/{orgid}/editor/editors',
  // The record of what was done (decisions §4).
  '/orgs/{orgid}/editor/activity',
  // Editors manage stories (decisions §5).
  '/orgs/{orgid}/editor/offsetters',
  '/orgs/{orgid}/editor/awardees',
  '/orgs/{orgid}/editor/awardees/{awardeeid}',
  '/orgs/{orgid}/editor/installers',
  '/orgs/{orgid}/editor/installers/{installerid}',
  '/admin',
  '/activity',
  '/test',
  '/{orgslug}',
];

/** What a line that is not done may wait for. */
const THEMES: readonly string[] = ['people', 'public site', 'editors and admins', 'later'];

/** Folders of the repository that hold what is written by hand; what a build makes is in none of them. */
const FOLDER = /^(?:src|test|docs|scripts|migrations|\.ci)\//;
const FILE_NAME = /^[\w.-]+\.(?:ts|tsx|mjs|css|md|json|svg|png)$/;

/**
 * The paths of this repository that a text names in backticks or links to; a picture that it shows is not a link. A name
 * with a brace or a star means many, and one in a block of code does not count.
 */
export function pathsIn(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '');
  const named = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  const linked = [...prose.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const local = linked.filter((target) => !/^(?:[a-z]+:|#|\/)/.test(target));
  const paths = named.filter((text) => /^[\w./-]+$/.test(text) && (FOLDER.test(text) || FILE_NAME.test(text)));
  return [...new Set([...paths, ...local])];
}

/** The rows of every table, without the headings of its columns. */
export function rowsOf(markdown: string): MapRow[] {
  let section = 0;
  const texts = markdown.split('\n');
  return texts.flatMap((text, index) => {
    if (text.startsWith('## ')) section = Number(/^## (\d)\. /.exec(text)?.[1] ?? 0);
    const isHeading = [text, texts[index + 1] ?? ''].some((each) => each.startsWith('| ---'));
    return text.startsWith('| ') && !isHeading ? [{ section, ...columnsOf(text) }] : [];
  });
}

/** Of more or fewer than three columns nobody can tell which one is the proof. */
function columnsOf(text: string): Omit<MapRow, 'section'> {
  const [line = '', doneBy = '', provenBy = '', ...more] = text
    .split('|')
    .slice(1)
    .map((cell) => cell.trim());
  return { line, doneBy, provenBy: more.length === 1 ? provenBy : '' };
}

/** What is wrong with a row, if anything: it has to name its files and its tests, or to say that there are none. */
export function problemOfRow({ doneBy, provenBy }: MapRow): string | undefined {
  const files = pathsIn(doneBy);
  const tests = pathsIn(provenBy);
  const waitsFor = [...doneBy.matchAll(/not yet: ([^;]*)/g)].map(([, theme = '']) => theme.trim());
  if (waitsFor.some((theme) => !THEMES.includes(theme))) return 'waits for no theme that there is';
  if (files.length === 0 && waitsFor.length === 0) return 'names no file, and does not say what it waits for';
  if (files.length === 0) return provenBy === '–' ? undefined : 'is not done, and yet is proven';
  if (tests.length === 0) return provenBy === 'no test yet' ? undefined : 'names no test, and does not say so';
  return tests.every((path) => path.startsWith('test/')) ? undefined : 'is proven by something that is no test';
}
