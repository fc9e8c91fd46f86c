import { pagePath } from '#contract/pages.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { StoryArticle } from '#web/stories/story-article.tsx';
import { SCENES } from '#web/stories/story-kinds.ts';
import { DocumentTitle, Page } from '#web/ui/page.tsx';
import { ReadOn } from './read-on.tsx';
import type { StoryData } from './route.ts';
import { StorySteps } from './story-steps.tsx';

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
