import { pagePath } from '#contract/pages.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { StoryArticle } from '#web/stories/story-article.tsx';
import { SCENES } from '#web/stories/story-kinds.ts';
import { DocumentTitle, Page } from '#web/ui/page.tsx';
import { EditPencil } from './edit-pencil.tsx';
import { ReadOn } from './read-on.tsx';
import type { StoryData } from './route.ts';
import { StorySteps } from './story-steps.tsx';

/** One offsetter's story, with a pencil for those who may change it; where there is none before or after it, the button is disabled (§2). */
export function OffsetterPage({ org, profile, neighbours }: OrgFrame & StoryData) {
  const all = { label: 'All', to: pagePath('offsetters-page', { orgid: org.id }) };
  return (
    <Page>
      <DocumentTitle parts={[profile.name, 'Offsetters', org.name]} />
      <StoryArticle
        profile={profile}
        scene={SCENES.offsetters}
        editing={<EditPencil orgid={org.id} profile={profile} />}
      >
        <StorySteps neighbours={neighbours} all={all} withoutNeighbour="disabled" />
      </StoryArticle>
      <ReadOn neighbours={neighbours} scene={SCENES.offsetters} />
    </Page>
  );
}
