import { PAGES, type PageName, pagePath, RENDERED_PAGES, type RenderedPageName } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { ORG } from './journey.ts';

/**
 * The person who visits a page: a visitor, a user, an admin, an editor of the sample organization, an editor with a link
 * to a donor, a donor after paying, or someone with a link from an email about a recurring gift or a receipt.
 */
export type Visitor =
  | 'anybody'
  | 'signed in'
  | 'admin'
  | 'editor'
  | 'treasurer'
  | 'payer'
  | 'recurring giver'
  | 'receipt reader';

export type Visit = {
  readonly visitor: Visitor;
  /** @param path the path of the paid checkout, of the donor, or in the email */
  readonly path: (path: string) => string;
  /** The page that the address redirects to. */
  readonly redirectsTo?: PageName;
};

const orgId = ORG.replace('/orgs/', '');
const params = { orgid: orgId };

const publicVisit = (path: string, redirectsTo?: PageName): Visit => ({
  visitor: 'anybody',
  path: () => path,
  ...(redirectsTo ? { redirectsTo } : {}),
});
const adminVisit = (path: string): Visit => ({ visitor: 'admin', path: () => path });
const editorVisit = (path: string): Visit => ({ visitor: 'editor', path: () => path });

/** Public pages whose address only needs the organization. */
type OrgWidePageName = {
  [Name in RenderedPageName]: (typeof PAGES)[Name] extends `/orgs/:orgid/${string}:${string}` ? never : Name;
}[RenderedPageName];

/** Visits derived from the list of public pages. */
const PUBLIC_VISITS = Object.fromEntries(
  RENDERED_PAGES.filter((name) => /^\/orgs\/:orgid[^:]*$/.test(PAGES[name])).map((name) => [
    name,
    publicVisit(fillPath<string>(PAGES[name], params)),
  ]),
) as Record<OrgWidePageName, Visit>;

/** A visit to every page. A new page that is personal or has an id in its address needs a visit here to compile. */
export const VISITS: Readonly<Record<PageName, Visit>> = {
  ...PUBLIC_VISITS,
  'future-awardees-page': publicVisit(pagePath('future-awardees-page', params), 'awardees-page'),
  'default-org': publicVisit(PAGES['default-org'], 'home-page'),
  'login-page': publicVisit(`${PAGES['login-page']}?return_to=${ORG}/donate`),
  'forgot-password-page': publicVisit(PAGES['forgot-password-page']),
  'signup-page': publicVisit(PAGES['signup-page']),
  'sent-link-page': publicVisit(`${PAGES['sent-link-page']}?email=ada@example.org`),
  'email-signin-page': publicVisit(PAGES['email-signin-page']),
  'second-step-page': publicVisit(PAGES['second-step-page']),
  'confirmed-page': publicVisit(PAGES['confirmed-page']),
  'reset-password-page': publicVisit(PAGES['reset-password-page']),
  'verify-email-page': publicVisit(PAGES['verify-email-page']),
  'user-home-page': { visitor: 'signed in', path: () => PAGES['user-home-page'] },
  'account-page': { visitor: 'signed in', path: () => PAGES['account-page'] },
  'users-page': adminVisit(PAGES['users-page']),
  'offsetter-page': publicVisit(pagePath('offsetter-page', { orgid: orgId, offsetterid: 'maya-torres' })),
  'edit-offsetter-page': adminVisit(pagePath('edit-offsetter-page', { orgid: orgId, offsetterid: 'maya-torres' })),
  'awardee-page': publicVisit(pagePath('awardee-page', { orgid: orgId, awardeeid: 'haddad-family' })),
  'installer-page': publicVisit(pagePath('installer-page', { orgid: orgId, installerid: 'dale-kowalski' })),
  'checkout-page': { visitor: 'payer', path: (checkout) => checkout },
  'checkout-complete-page': {
    visitor: 'payer',
    path: (checkout) => `${checkout}/complete`,
    redirectsTo: 'checkout-page',
  },
  'recurring-gift-page': { visitor: 'recurring giver', path: (gift) => gift },
  'gift-homes-page': { visitor: 'receipt reader', path: (homes) => homes },
  'overview-page': editorVisit(pagePath('overview-page', params)),
  'org-page': editorVisit(pagePath('org-page', params)),
  'org-section-page': editorVisit(pagePath('org-section-page', { orgid: orgId, section: 'calculator' })),
  'pages-editor-page': editorVisit(pagePath('pages-editor-page', params)),
  'checkouts-page': editorVisit(pagePath('checkouts-page', params)),
  'donors-page': editorVisit(pagePath('donors-page', params)),
  'donor-page': { visitor: 'treasurer', path: (donor) => donor },
  'recurring-gifts-page': editorVisit(pagePath('recurring-gifts-page', params)),
  'payouts-page': editorVisit(pagePath('payouts-page', params)),
  'statement-page': editorVisit(pagePath('statement-page', params)),
  'grants-page': editorVisit(pagePath('grants-page', params)),
  'editors-page': editorVisit(pagePath('editors-page', params)),
  'share-page': editorVisit(pagePath('share-page', params)),
  'activity-page': editorVisit(pagePath('activity-page', params)),
  'review-page': editorVisit(pagePath('review-page', params)),
  'edit-awardees-page': editorVisit(pagePath('edit-awardees-page', params)),
  'edit-awardee-page': editorVisit(pagePath('edit-awardee-page', { orgid: orgId, awardeeid: 'haddad-family' })),
  'edit-installers-page': editorVisit(pagePath('edit-installers-page', params)),
  'edit-installer-page': editorVisit(pagePath('edit-installer-page', { orgid: orgId, installerid: 'dale-kowalski' })),
  'admin-page': adminVisit(PAGES['admin-page']),
  'all-activity-page': adminVisit(PAGES['all-activity-page']),
  'test-page': adminVisit(PAGES['test-page']),
  'org-by-slug': publicVisit('/sample-city', 'home-page'),
};

/** The pages for this visitor, in the order of §2. */
export function listVisits(visitor: Visitor): (Visit & { readonly name: PageName })[] {
  return Object.entries(VISITS).flatMap(([name, visit]) =>
    visit.visitor === visitor && name in VISITS ? [{ ...visit, name: name as PageName }] : [],
  );
}
