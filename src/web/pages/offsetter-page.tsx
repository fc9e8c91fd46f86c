import { pagePath } from '#contract/pages.ts';
import { ReadOn } from '../features/stories/read-on.tsx';
import { StoryArticle } from '../features/stories/story-article.tsx';
import { SCENES } from '../features/stories/story-kinds.ts';
import { StorySteps } from '../features/stories/story-steps.tsx';
import type { OrgFrame, StoryData } from '../page-data.ts';
import { Page } from '../ui/page.tsx';
import { DocumentTitle } from '../ui/page-title.tsx';
import { EditPencil } from './edit-pencil.tsx';

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
