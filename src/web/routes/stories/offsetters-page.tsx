import { pagePath } from '#contract/pages.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import type { StoryListData } from './route.ts';
import { StoryListPage } from './story-list-page.tsx';

/** People who offset, and why. */
export function OffsettersPage(data: OrgFrame & StoryListData) {
  return (
    <StoryListPage
      {...data}
      kind="offsetters"
      title="Offsetters"
      empty="No stories yet. The first offsetter’s will stand here."
      invitation={
        <ButtonLink kind="action" to={pagePath('home-page', { orgid: data.org.id })}>
          Be the first
        </ButtonLink>
      }
    />
  );
}
