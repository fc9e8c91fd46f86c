import type { ReactNode } from 'react';
import { useApi } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { loadStories, type StoryKind } from '#web/stories/load-stories.ts';
import { SCENES } from '#web/stories/story-kinds.ts';
import { CellText } from '#web/ui/markdown.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import type { StoryListData } from './route.ts';
import { StoryList } from './story-list.tsx';

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
