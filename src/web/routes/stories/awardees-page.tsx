import { pagePath } from '#contract/pages.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import type { StoryListData } from './route.ts';
import { StoryListPage } from './story-list-page.tsx';

/** Households that a grant helped. */
export function AwardeesPage(data: OrgFrame & StoryListData) {
  return (
    <StoryListPage
      {...data}
      kind="awardees"
      title="Awardees"
      empty="No grants have been awarded yet."
      invitation={
        <ButtonLink kind="action" to={pagePath('donate-page', { orgid: data.org.id })}>
          Help with the first one
        </ButtonLink>
      }
    />
  );
}
