import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { ActivityList } from '#web/site/activity-list.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { EditorPage } from '../editor-frame.tsx';
import { useDates } from '../use-dates.ts';
import { activityQuery } from './route.ts';

/** The organization's audit trail, for its editors (decisions §4). */
export function ActivityPage({ org }: OrgPageProps) {
  const canManage = useCan(org.id)('editors.manage');
  return (
    <EditorPage
      org={org}
      title="Activity"
      lead={`A permanent record of who changed what.${
        canManage ? ' Network addresses of the team are kept for 90 days.' : ' You see only what your role allows.'
      }`}
    >
      <OrgActivity orgId={org.id} />
    </EditorPage>
  );
}

/** Separate because the time zone comes from the frame. */
function OrgActivity({ orgId }: { orgId: string }) {
  const { momentText } = useDates();
  return <ActivityList query={activityQuery(useApi(), orgId)} momentText={momentText} />;
}
