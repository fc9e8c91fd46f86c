import type { OrgFrame } from '#web/site/page.ts';
import type { ToldListData } from './route.ts';
import { ToldListPage } from './told-list-page.tsx';

/** The installers of an organisation, to be looked after by its editors. */
export function EditInstallersPage(data: OrgFrame & ToldListData) {
  return <ToldListPage {...data} kind="installer" />;
}
