import { pagePath } from '#contract/pages.ts';
import type { EditorialKind } from '#domain/story-publication.ts';

/** Where the awardees, or the installers, of an organisation are looked after. */
export function toldListPath(kind: EditorialKind, orgid: string): string {
  return pagePath(kind === 'awardee' ? 'edit-awardees-page' : 'edit-installers-page', { orgid });
}

/** Where one of them is edited. */
export function toldPath(kind: EditorialKind, orgid: string, id: string): string {
  return kind === 'awardee'
    ? pagePath('edit-awardee-page', { orgid, awardeeid: id })
    : pagePath('edit-installer-page', { orgid, installerid: id });
}
