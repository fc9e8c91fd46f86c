import type { ReactNode } from 'react';
import { useApi } from '../app-context.ts';
import { SCENES } from '../features/stories/story-kinds.ts';
import { StoryList } from '../features/stories/story-list.tsx';
import { loadStories, type OrgFrame, type StoryKind, type StoryListData } from '../page-data.ts';
import { CellText } from '../ui/markdown.tsx';
import { Page } from '../ui/page.tsx';
import { DocumentTitle, PageTitle } from '../ui/page-title.tsx';

type StoryListPageProps = OrgFrame &
  StoryListData & {
    kind: StoryKind;
    title: string;
    /** What is said where there are no stories yet, and what can be done about that. */
    empty: string;
    invitation: ReactNode;
  };

/** What the three lists of stories have in common: the intro cell and a grid of cards (§2). */
export function StoryListPage({ org, intro, list, kind, title, empty, invitation }: StoryListPageProps) {
  const api = useApi();
  const introHasHeading = /<h[12][ >]/.test(intro.html);
  return (
    <Page>
      <DocumentTitle parts={[title, org.name]} />
      <PageTitle hidden={introHasHeading}>{title}</PageTitle>
      <CellText html={intro.html} />
      <StoryList
        first={list}
        load={(cursorRef) => loadStories(api, org.id, kind, { cursorRef })}
        scene={SCENES[kind]}
        empty={empty}
        invitation={invitation}
      />
    </Page>
  );
}
