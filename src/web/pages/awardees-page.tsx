import type { OrgFrame, StoryListData } from '../page-data.ts';
import { StoryListPage } from './story-list-page.tsx';

/** Households that a grant helped. */
export function AwardeesPage(data: OrgFrame & StoryListData) {
  return <StoryListPage {...data} kind="awardees" title="Awardees" empty="No grants have been awarded yet." />;
}
