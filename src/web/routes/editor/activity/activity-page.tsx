import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { ActivityList } from '#web/site/activity-list.tsx';
import type { OrgFrame } from '#web/site/page.ts';
import { EditorFrame } from '../editor-frame.tsx';
import { useDates } from '../use-dates.ts';
import { type ActivityData, loadActivity } from './route.ts';

/** The organization's audit trail, for its editors (decisions §4). */
export function ActivityPage({ org, activity }: OrgFrame & ActivityData) {
  const canManage = useCan(org.id)('editors.manage');
  return (
    <EditorFrame
      org={org}
      title="Activity"
      lead={`What was done here, by whom, and what it changed. Nobody can change this list.${
        canManage ? ' Network addresses of the team are kept for 90 days.' : ' You see only what your role allows.'
      }`}
    >
      <OwnTimes orgid={org.id} activity={activity} />
    </EditorFrame>
  );
}

/** Inside the frame, which knows the organization's time zone. */
function OwnTimes({ orgid, activity }: ActivityData & { orgid: string }) {
  const api = useApi();
  const { momentText } = useDates();
  return <ActivityList first={activity} load={(cursor) => loadActivity(api, orgid, cursor)} momentText={momentText} />;
}
