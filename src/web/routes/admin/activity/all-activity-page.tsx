import { PROGRAM_NAME } from '#domain/program-name.ts';
import { useEnglishAddress } from '#web/navigation/use-english-address.ts';
import { useApi } from '#web/session/app-context.ts';
import { ActivityList } from '#web/site/activity-list.tsx';
import type { SiteFrameData } from '#web/site/page.ts';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { momentText } from '#web/ui/text.ts';
import { type AllActivityData, loadAllActivity } from './route.ts';

/** The audit trail of the whole site, for admins (decisions §4). */
export function AllActivityPage({ activity }: SiteFrameData & AllActivityData) {
  const api = useApi();
  useEnglishAddress();
  return (
    <Page>
      <DocumentTitle parts={['Activity', PROGRAM_NAME]} />
      <PageTitle>Activity</PageTitle>
      <p>A permanent record of who changed what in every organization.</p>
      <ActivityList first={activity} load={(cursor) => loadAllActivity(api, cursor)} momentText={ownTime} />
    </Page>
  );
}

/** All organizations have their own time zones; this is the reader's. */
function ownTime(time: string): string {
  return momentText(time, new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
