import { pagePath } from '#contract/pages.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import type { StoryListData } from './route.ts';
import { StoryListPage } from './story-list-page.tsx';

/** Who does the work. */
export function InstallersPage(data: OrgFrame & StoryListData) {
  return (
    <StoryListPage
      {...data}
      kind="installers"
      title="Installers"
      empty="No installers are presented yet."
      invitation={
        <ButtonLink kind="outline" to={pagePath('faqs-page', { orgid: data.org.id })}>
          Read how it works
        </ButtonLink>
      }
    />
  );
}
