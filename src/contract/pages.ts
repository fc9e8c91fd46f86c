import { fillPath, matchPath, type PathParams } from './path-pattern.ts';

/**
 * Every page of §2, in the order of §2, plus the targets of emailed links. Each path is canonical.
 */
export const PAGES = {
  'default-org': '/',
  'login-page': '/login',
  'forgot-password-page': '/forgot-password',
  'signup-page': '/signup',
  'sent-link-page': '/sent-link',
  'email-signin-page': '/email-signin',
  'second-step-page': '/second-step',
  'confirmed-page': '/login/confirmed',
  'reset-password-page': '/reset-password',
  'verify-email-page': '/verify-email',
  'user-home-page': '/user-home',
  // The logged-in user's account and its security (decisions §4).
  'account-page': '/user-home/account',
  'users-page': '/users',
  'home-page': '/orgs/:orgid',
  'offsetters-page': '/orgs/:orgid/offsetters',
  'offsetter-page': '/orgs/:orgid/offsetters/:offsetterid/',
  'edit-offsetter-page': '/orgs/:orgid/.edit/offsetters/:offsetterid/',
  'awardees-page': '/orgs/:orgid/awardees',
  'awardee-page': '/orgs/:orgid/awardees/:awardeeid/',
  'future-awardees-page': '/orgs/:orgid/future-awardees',
  'about-page': '/orgs/:orgid/about',
  'privacy-page': '/orgs/:orgid/privacy',
  'faqs-page': '/orgs/:orgid/faqs',
  'donate-page': '/orgs/:orgid/donate',
  // For households that need a grant.
  'help-page': '/orgs/:orgid/help',
  // An estimate with several rows, for a household or a wedding.
  'group-page': '/orgs/:orgid/group',
  // Every number of the calculators, with its source.
  'numbers-page': '/orgs/:orgid/numbers',
  // All sold pounds, and the homes that save them.
  'pounds-page': '/orgs/:orgid/pounds',
  'qrcode-page': '/orgs/:orgid/qrcode',
  'installers-page': '/orgs/:orgid/installers',
  'installer-page': '/orgs/:orgid/installers/:installerid/',
  'checkout-page': '/orgs/:orgid/checkouts/:checkoutid',
  'checkout-complete-page': '/orgs/:orgid/checkouts/:checkoutid/complete',
  // Page linked from a recurring gift's emails (decisions §3).
  'recurring-gift-page': '/orgs/:orgid/gifts/:giftkey',
  // The homes that a gift helped, by the key of its receipt.
  'gift-homes-page': '/orgs/:orgid/gifts/:receiptkey/homes',
  'overview-page': '/orgs/:orgid/editor/',
  'org-page': '/orgs/:orgid/editor/org',
  // Settings in addition to those of §2, by topic.
  'org-section-page': '/orgs/:orgid/editor/org/:section',
  'pages-editor-page': '/orgs/:orgid/editor/pages',
  'share-page': '/orgs/:orgid/editor/share',
  'checkouts-page': '/orgs/:orgid/editor/checkouts',
  'donors-page': '/orgs/:orgid/editor/donors',
  'donor-page': '/orgs/:orgid/editor/donors/:donorid',
  'recurring-gifts-page': '/orgs/:orgid/editor/recurring-gifts',
  'payouts-page': '/orgs/:orgid/editor/payouts',
  'statement-page': '/orgs/:orgid/editor/statement',
  'grants-page': '/orgs/:orgid/editor/grants',
  'editors-page': '/orgs/:orgid/editor/editors',
  'activity-page': '/orgs/:orgid/editor/activity',
  'review-page': '/orgs/:orgid/editor/offsetters',
  'edit-awardees-page': '/orgs/:orgid/editor/awardees',
  'edit-awardee-page': '/orgs/:orgid/editor/awardees/:awardeeid',
  'edit-installers-page': '/orgs/:orgid/editor/installers',
  'edit-installer-page': '/orgs/:orgid/editor/installers/:installerid',
  'admin-page': '/admin',
  'all-activity-page': '/activity',
  'test-page': '/test',
  'org-by-slug': '/:orgslug',
} as const;

export type PageName = keyof typeof PAGES;
export type PageParams<Name extends PageName> = PathParams<(typeof PAGES)[Name]>;

/**
 * The public pages, which the server renders in full and caches. Every other page is personal and hidden from search
 * engines: the server sends only its organization's header and footer, and the browser loads the content.
 */
export const RENDERED_PAGES = [
  'home-page',
  'offsetters-page',
  'offsetter-page',
  'awardees-page',
  'awardee-page',
  'future-awardees-page',
  'about-page',
  'privacy-page',
  'faqs-page',
  'donate-page',
  'help-page',
  'group-page',
  'numbers-page',
  'pounds-page',
  'qrcode-page',
  'installers-page',
  'installer-page',
] as const satisfies readonly PageName[];
export type RenderedPageName = (typeof RENDERED_PAGES)[number];

export function isRenderedPage(name: PageName): name is RenderedPageName {
  return RENDERED_PAGES.some((renderedName) => renderedName === name);
}

/** Personal pages that the server renders in full, as a visitor sees them. Browsers and proxies don't cache them. */
export const VISITOR_RENDERED_PAGES: readonly PageName[] = [
  'login-page',
  'forgot-password-page',
  'signup-page',
  'checkout-page',
];

export function pagePath<Name extends PageName>(name: Name, params: PageParams<Name>): string {
  return fillPath(PAGES[name], params);
}

/** Finds the page at a path. Fixed segments win over parameters, because of the order of PAGES. */
export function findPage(path: string): { name: PageName; params: Record<string, string> } | undefined {
  for (const [name, pattern] of Object.entries(PAGES)) {
    const params = matchPath(pattern, path);
    if (params && isPageName(name)) return { name, params };
  }
  return undefined;
}

/** Finds the organization in a path, even if the page doesn't exist. */
export function findOrgId(path: string): string | undefined {
  return matchPath(PAGES['home-page'], path.split('/').slice(0, 3).join('/'))?.orgid;
}

function isPageName(name: string): name is PageName {
  return name in PAGES;
}
