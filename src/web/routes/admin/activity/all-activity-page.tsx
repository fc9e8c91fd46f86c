import { PROGRAM_NAME } from '#domain/program-name.ts';
import { useEnglishAddress } from '#web/navigation/use-english-address.ts';
import { useApi } from '#web/session/app-context.ts';
import { ActivityList } from '#web/site/activity-list.tsx';
import { localDateTimeText } from '#web/ui/local-time.ts';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { allActivityQuery } from './route.ts';

/** The audit trail of the whole site, for admins (decisions §4). Organizations are in different time zones. */
export function AllActivityPage() {
  useEnglishAddress();
  return (
    <Page>
      <DocumentTitle parts={['Activity', PROGRAM_NAME]} />
      <PageTitle>Activity</PageTitle>
      <p>A permanent record of who changed what in every organization.</p>
      <ActivityList query={allActivityQuery(useApi())} momentText={localDateTimeText} />
    </Page>
  );
}
