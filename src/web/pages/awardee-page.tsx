import { pagePath } from '#contract/pages.ts';
import { ReadOn } from '../features/stories/read-on.tsx';
import { StoryArticle } from '../features/stories/story-article.tsx';
import { SCENES } from '../features/stories/story-kinds.ts';
import { StorySteps } from '../features/stories/story-steps.tsx';
import type { OrgFrame, StoryData } from '../page-data.ts';
import { Page } from '../ui/page.tsx';
import { DocumentTitle } from '../ui/page-title.tsx';

/** The story of one household that a grant helped. */
export function AwardeePage({ org, profile, neighbours }: OrgFrame & StoryData) {
  const all = { label: 'All stories', to: pagePath('awardees-page', { orgid: org.id }) };
  return (
    <Page>
      <DocumentTitle parts={[profile.name, 'Awardees', org.name]} />
      <StoryArticle profile={profile} scene={SCENES.awardees}>
        <StorySteps neighbours={neighbours} all={all} withoutNeighbour="absent" />
      </StoryArticle>
      <ReadOn neighbours={neighbours} scene={SCENES.awardees} />
    </Page>
  );
}
