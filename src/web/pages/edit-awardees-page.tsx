import type { OrgFrame } from '../page-data.ts';
import type { ToldListData } from '../story-editing-data.ts';
import { ToldListPage } from './told-list-page.tsx';

/** The awardees of an organisation, to be looked after by its editors. */
export function EditAwardeesPage(data: OrgFrame & ToldListData) {
  return <ToldListPage {...data} kind="awardee" />;
}
