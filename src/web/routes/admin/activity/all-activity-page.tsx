import { PAGES } from '#contract/pages.ts';
import type { Activity } from '#contract/schemas/activity.ts';
import { SITE_NAME } from '#domain/site-name.ts';
import { Link } from '#web/navigation/link.tsx';
import { useEnglishOnly } from '#web/navigation/use-english-only.ts';
import { useApi } from '#web/session/app-context.ts';
import { ActivityFilters } from '#web/site/activity-filters.tsx';
import { ActivityList } from '#web/site/activity-list.tsx';
import { activityUrl, isFilteredActivity } from '#web/site/activity-view.ts';
import type { SitePageProps } from '#web/site/page.ts';
import { formatLocalDateTime, getLocalTimeZone } from '#web/ui/local-time.ts';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { type AllActivityData, allActivityQuery } from './route.ts';

const PATH = PAGES['all-activity-page'];

/** The audit trail of the whole site, for admins (decisions §4). Organizations are in different time zones. */
export function AllActivityPage({ view }: SitePageProps & AllActivityData) {
  useEnglishOnly();
  /** Renders an organization's name as a link to that organization's activity. */
  const renderOrgLink = ({ orgid: org, orgName }: Activity) => {
    if (org === null) return undefined;
    return <Link to={activityUrl(PATH, { ...view, org })}>{orgName ?? 'A deleted organization'}</Link>;
  };
  return (
    <Page>
      <DocumentTitle parts={['Activity', SITE_NAME]} />
      <PageTitle>Activity</PageTitle>
      <p>
        A permanent record of who changed what in every organization. Times are in your time zone,{' '}
        {getLocalTimeZone().replaceAll('_', ' ')}. <Link to={PAGES['admin-page']}>Back to Admin</Link>
      </p>
      <ActivityFilters path={PATH} view={view} />
      <ActivityList
        query={allActivityQuery(useApi(), view)}
        formatTime={formatLocalDateTime}
        renderOrg={renderOrgLink}
        empty={isFilteredActivity(view) ? 'Nothing matches these filters.' : undefined}
      />
    </Page>
  );
}
