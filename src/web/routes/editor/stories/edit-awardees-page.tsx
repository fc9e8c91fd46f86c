import type { OrgFrame } from '#web/site/page.ts';
import type { ToldListData } from './route.ts';
import { ToldListPage } from './told-list-page.tsx';

/** The awardees of an organisation, to be looked after by its editors. */
export function EditAwardeesPage(data: OrgFrame & ToldListData) {
  return <ToldListPage {...data} kind="awardee" />;
}
