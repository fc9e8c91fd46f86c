import { pagePath } from '#contract/pages.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import { HelpLink } from '#web/site/help-link.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { LIST_TITLES, loadStories, STORIES_PER_PAGE, type StoryKind } from '#web/stories/story-kinds.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { CellText } from '#web/ui/markdown.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import type { StoryListData } from './route.ts';
import styles from './stories.module.css';
import { StoryList } from './story-list.tsx';

/** Text and link for an empty list. */
const EMPTY_LISTS: Record<
  StoryKind,
  {
    readonly text: string;
    readonly link: string;
    readonly to: 'home-page' | 'donate-page' | 'faqs-page';
    readonly kind: 'action' | 'outline';
  }
> = {
  offsetters: {
    text: m.storiesNoOffsetters(),
    link: m.storiesBeFirst(),
    to: 'home-page',
    kind: 'action',
  },
  awardees: {
    text: m.storiesNoAwardees(),
    link: m.storiesHelpFirst(),
    to: 'donate-page',
    kind: 'action',
  },
  installers: { text: m.storiesNoInstallers(), link: m.storiesHow(), to: 'faqs-page', kind: 'outline' },
};

/** The list of offsetters, awardees, or installers: the intro cell and a grid of cards (§2). */
export function StoryListPage({ org, kind, intro, list }: OrgPageProps & StoryListData) {
  const api = useApi();
  const title = LIST_TITLES[kind];
  const empty = EMPTY_LISTS[kind];
  const introHasHeading = /<h[12][ >]/.test(intro.html);
  return (
    <Page>
      <DocumentTitle parts={[title, org.name]} />
      <PageTitle hidden={introHasHeading}>{title}</PageTitle>
      <CellText cell={intro} />
      {kind === 'awardees' && (
        <p className={styles.pounds}>
          <RichText
            text={m.seePounds()}
            tags={{ pounds: (words) => <Link to={pagePath('pounds-page', { orgid: org.id })}>{words}</Link> }}
          />{' '}
          <HelpLink orgId={org.id} />
        </p>
      )}
      <StoryList
        kind={kind}
        firstPage={list}
        load={(cursorRef) => loadStories(api, org.id, kind, { max: STORIES_PER_PAGE, cursorRef })}
        empty={
          <>
            <p>{empty.text}</p>
            <ButtonLink kind={empty.kind} to={pagePath(empty.to, { orgid: org.id })}>
              {empty.link}
            </ButtonLink>
          </>
        }
      />
    </Page>
  );
}
