import type { OrgFrame, StoryListData } from '../page-data.ts';
import { StoryListPage } from './story-list-page.tsx';

/** People who offset, and why. */
export function OffsettersPage(data: OrgFrame & StoryListData) {
  return (
    <StoryListPage
      {...data}
      kind="offsetters"
      title="Offsetters"
      empty="No stories yet. The first offsetter’s will stand here."
    />
  );
}
