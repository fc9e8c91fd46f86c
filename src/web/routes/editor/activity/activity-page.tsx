import { pagePath } from '#contract/pages.ts';
import { ACTIVITY_SUBJECTS, getSubjectKinds, getVisibleActivityKinds } from '#domain/activity.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { ActivityFilters } from '#web/site/activity-filters.tsx';
import { ActivityList } from '#web/site/activity-list.tsx';
import { type ActivityView, isFilteredActivity } from '#web/site/activity-view.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { EditorPage } from '../editor-frame.tsx';
import { useDates } from '../use-dates.ts';
import { type ActivityData, activityQuery } from './route.ts';

/** The organization's audit trail, for its editors (decisions §4). */
export function ActivityPage({ org, view }: OrgPageProps & ActivityData) {
  const can = useCan(org.id);
  const kinds = getVisibleActivityKinds(can);
  const subjects = ACTIVITY_SUBJECTS.filter((subject) =>
    getSubjectKinds(subject).some((kind) => kinds?.includes(kind) ?? true),
  );
  return (
    <EditorPage
      org={org}
      title="Activity"
      subtitle={`A permanent record of who changed what at ${org.name}.${
        can('editors.manage')
          ? ' The team’s IP addresses are kept for 90 days.'
          : ' You see only what your role allows.'
      }`}
    >
      <ActivityFilters path={pagePath('activity-page', { orgid: org.id })} view={view} subjects={subjects} />
      <OrgActivity orgId={org.id} view={view} />
    </EditorPage>
  );
}

/** A separate component because EditorPage provides the time zone. */
function OrgActivity({ orgId, view }: { orgId: string; view: ActivityView }) {
  const { formatDate, formatTimeOfDay } = useDates();
  return (
    <ActivityList
      query={activityQuery(useApi(), orgId, view)}
      formatDay={formatDate}
      formatTime={formatTimeOfDay}
      empty={isFilteredActivity(view) ? 'Nothing matches these filters.' : undefined}
    />
  );
}
