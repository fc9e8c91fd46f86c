import type { OrgFrame, StoryListData } from '../page-data.ts';
import { StoryListPage } from './story-list-page.tsx';

/** Who does the work. */
export function InstallersPage(data: OrgFrame & StoryListData) {
  return <StoryListPage {...data} kind="installers" title="Installers" empty="No installers are presented yet." />;
}
