import { PAGES, type PageName, pagePath, RENDERED_PAGES, type RenderedPageName } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { ORG } from './journey.ts';

/**
 * Who visits a page: a visitor, a user, an admin, an editor of the sample organization, an editor with a link to a donor, a
 * donor after paying, or someone with a link from an email about a recurring gift or a receipt.
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
  readonly by: Visitor;
  /** @param known the path of the checkout that the donor just paid, of a donor, or from the email */
  readonly path: (known: string) => string;
  /** The page that the address redirects to. */
  readonly leadsTo?: PageName;
};

const orgid = ORG.replace('/orgs/', '');
const params = { orgid };

const anybody = (path: string, leadsTo?: PageName): Visit => ({
  by: 'anybody',
  path: () => path,
  ...(leadsTo ? { leadsTo } : {}),
});
const admin = (path: string): Visit => ({ by: 'admin', path: () => path });
const editor = (path: string): Visit => ({ by: 'editor', path: () => path });

/** Public pages whose address only needs the organization. */
type OrgWidePageName = {
  [Name in RenderedPageName]: (typeof PAGES)[Name] extends `/orgs/:orgid/${string}:${string}` ? never : Name;
}[RenderedPageName];

/** Visits derived from the list of public pages. */
const PUBLIC_VISITS = Object.fromEntries(
  RENDERED_PAGES.filter((name) => /^\/orgs\/:orgid[^:]*$/.test(PAGES[name])).map((name) => [
    name,
    anybody(fillPath<string>(PAGES[name], params)),
  ]),
) as Record<OrgWidePageName, Visit>;

/** A visit to every page. A new page that is personal or has an id in its address needs a visit here to compile. */
export const VISITS: Readonly<Record<PageName, Visit>> = {
  ...PUBLIC_VISITS,
  'future-awardees-page': anybody(pagePath('future-awardees-page', params), 'awardees-page'),
  'default-org': anybody(PAGES['default-org'], 'home-page'),
  'login-page': anybody(`${PAGES['login-page']}?return_to=${ORG}/donate`),
  'forgot-password-page': anybody(PAGES['forgot-password-page']),
  'signup-page': anybody(PAGES['signup-page']),
  'sent-link-page': anybody(`${PAGES['sent-link-page']}?email=ada@example.org`),
  'email-signin-page': anybody(PAGES['email-signin-page']),
  'second-step-page': anybody(PAGES['second-step-page']),
  'confirmed-page': anybody(PAGES['confirmed-page']),
  'reset-password-page': anybody(PAGES['reset-password-page']),
  'verify-email-page': anybody(PAGES['verify-email-page']),
  'user-home-page': { by: 'signed in', path: () => PAGES['user-home-page'] },
  'account-page': { by: 'signed in', path: () => PAGES['account-page'] },
  'users-page': admin(PAGES['users-page']),
  'offsetter-page': anybody(pagePath('offsetter-page', { orgid, offsetterid: 'maya-torres' })),
  'edit-offsetter-page': admin(pagePath('edit-offsetter-page', { orgid, offsetterid: 'maya-torres' })),
  'awardee-page': anybody(pagePath('awardee-page', { orgid, awardeeid: 'haddad-family' })),
  'installer-page': anybody(pagePath('installer-page', { orgid, installerid: 'dale-kowalski' })),
  'checkout-page': { by: 'payer', path: (checkout) => checkout },
  'checkout-complete-page': {
    by: 'payer',
    path: (checkout) => `${checkout}/complete`,
    leadsTo: 'checkout-page',
  },
  'gift-page': { by: 'recurring giver', path: (gift) => gift },
  'gift-homes-page': { by: 'receipt reader', path: (homes) => homes },
  'overview-page': editor(pagePath('overview-page', params)),
  'org-page': editor(pagePath('org-page', params)),
  'org-section-page': editor(pagePath('org-section-page', { orgid, section: 'calculator' })),
  'pages-editor-page': editor(pagePath('pages-editor-page', params)),
  'checkouts-page': editor(pagePath('checkouts-page', params)),
  'donors-page': editor(pagePath('donors-page', params)),
  'donor-page': { by: 'treasurer', path: (donor) => donor },
  'recurring-gifts-page': editor(pagePath('recurring-gifts-page', params)),
  'payouts-page': editor(pagePath('payouts-page', params)),
  'statement-page': editor(pagePath('statement-page', params)),
  'grants-page': editor(pagePath('grants-page', params)),
  'editors-page': editor(pagePath('editors-page', params)),
  'share-page': editor(pagePath('share-page', params)),
  'activity-page': editor(pagePath('activity-page', params)),
  'review-page': editor(pagePath('review-page', params)),
  'edit-awardees-page': editor(pagePath('edit-awardees-page', params)),
  'edit-awardee-page': editor(pagePath('edit-awardee-page', { orgid, awardeeid: 'haddad-family' })),
  'edit-installers-page': editor(pagePath('edit-installers-page', params)),
  'edit-installer-page': editor(pagePath('edit-installer-page', { orgid, installerid: 'dale-kowalski' })),
  'admin-page': admin(PAGES['admin-page']),
  'all-activity-page': admin(PAGES['all-activity-page']),
  'test-page': admin(PAGES['test-page']),
  'org-by-slug': anybody('/sample-city', 'home-page'),
};

/** The pages that this person visits, in the order of §2. */
export function visitsBy(visitor: Visitor): (Visit & { readonly name: PageName })[] {
  return Object.entries(VISITS).flatMap(([name, visit]) =>
    visit.by === visitor && name in VISITS ? [{ ...visit, name: name as PageName }] : [],
  );
}
