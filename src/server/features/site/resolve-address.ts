import { findOrgId, findPage, type PageName, pagePath } from '#contract/pages.ts';
import { ID_PATTERN } from '#contract/schemas/shared.ts';
import type { OrgId } from '#domain/ids.ts';
import type { AppDeps, WithSettings } from '#server/deps.ts';
import { findCheckoutRow } from '#server/entities/find-checkout.ts';
import { findOrg, findOrgBySlug, hasOrgs } from '#server/entities/find-org.ts';
import { hasReceipt } from '#server/features/receipts/receipt-link.ts';
import { hasRecurringGift } from '#server/features/recurring-gifts/read-recurring-gift.ts';
import { isStoryPublic } from '#server/features/stories/read-stories.ts';

export type ResolvedAddress =
  | { readonly kind: 'page'; readonly name: PageName }
  | { readonly kind: 'redirect'; readonly to: string }
  /** `orgId` is the organization in the address, if it exists. */
  | { readonly kind: 'missing'; readonly orgId?: OrgId };

/** Pages that redirect to the list of awardees, or to the page that replaces it (decisions §5). */
const AWARDEE_PAGES: Readonly<Record<'awardees-page' | 'future-awardees-page', readonly PageName[]>> = {
  'awardees-page': ['future-awardees-page'],
  'future-awardees-page': ['awardees-page', 'awardee-page'],
};

const MISSING: ResolvedAddress = { kind: 'missing' };

/** Resolves a path. `/` and slugs redirect (§2), and a page is missing if its story, checkout, or gift doesn't exist. */
export async function resolveAddress(
  deps: Pick<AppDeps, 'db' | 'now'> & WithSettings<'defaultOrg'>,
  path: string,
): Promise<ResolvedAddress> {
  const page = findPage(path);
  if (page?.name === 'default-org') return redirectToDefaultOrg(deps);
  if (page?.name === 'org-by-slug') return redirectToOrgBySlug(deps.db, page.params.orgslug ?? '');
  const orgId = page?.params.orgid ?? findOrgId(path);
  if (orgId === undefined) return page ? { kind: 'page', name: page.name } : MISSING;
  const org = isId(orgId) ? await findOrg(deps.db, orgId) : undefined;
  if (!org) return MISSING;
  const missingAddress: ResolvedAddress = { kind: 'missing', orgId: org.id };
  if (!page || !Object.values(page.params).every(isId)) return missingAddress;
  const awardeesPage = org.noAwardees ? 'future-awardees-page' : 'awardees-page';
  if (AWARDEE_PAGES[awardeesPage].includes(page.name)) {
    return { kind: 'redirect', to: pagePath(awardeesPage, { orgid: org.id }) };
  }
  return (await pageExists(deps, page.name, org.id, page.params)) ? { kind: 'page', name: page.name } : missingAddress;
}

async function pageExists(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  name: PageName,
  orgId: OrgId,
  {
    offsetterid: offsetterId = '',
    awardeeid: awardeeId = '',
    installerid: installerId = '',
    checkoutid: checkoutId = '',
    giftkey: giftKey = '',
    receiptkey: receiptKey = '',
  }: Record<string, string>,
): Promise<boolean> {
  if (name === 'offsetter-page') return isStoryPublic(db, 'offsetter', orgId, offsetterId);
  if (name === 'awardee-page') return isStoryPublic(db, 'awardee', orgId, awardeeId);
  if (name === 'installer-page') return isStoryPublic(db, 'installer', orgId, installerId);
  if (name === 'checkout-page' || name === 'checkout-complete-page')
    return (await findCheckoutRow(db.kysely, { orgId, checkoutId })) !== undefined;
  if (name === 'recurring-gift-page') return hasRecurringGift({ db, now }, { orgId, key: giftKey });
  if (name === 'gift-homes-page') return hasReceipt(db, orgId, receiptKey);
  return true;
}

function isId(text: string): boolean {
  return ID_PATTERN.test(text);
}

/** Redirects to the admin page if there are no organizations: the visitor is probably the admin who will create one. */
async function redirectToDefaultOrg({
  db,
  settings,
}: Pick<AppDeps, 'db'> & WithSettings<'defaultOrg'>): Promise<ResolvedAddress> {
  return (await hasOrgs(db))
    ? redirectToHome(settings.defaultOrg)
    : { kind: 'redirect', to: pagePath('admin-page', {}) };
}

async function redirectToOrgBySlug(db: AppDeps['db'], slug: string): Promise<ResolvedAddress> {
  const org = isId(slug) ? await findOrgBySlug(db, slug) : undefined;
  return org ? redirectToHome(org.id) : MISSING;
}

function redirectToHome(orgId: string): ResolvedAddress {
  return { kind: 'redirect', to: pagePath('home-page', { orgid: orgId }) };
}
