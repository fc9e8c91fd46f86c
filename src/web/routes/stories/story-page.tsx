import { useEffect, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Neighbors, Profile } from '#contract/schemas/stories.ts';
import type { TimeZone } from '#domain/days.ts';
import { formatWhole } from '#domain/money.ts';
import { m } from '#messages';
import type { StoryScene } from '#web/drawings/story-landscape.tsx';
import { useApi, useSession } from '#web/session/app-context.ts';
import { HelpLink } from '#web/site/help-link.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { ProfileCard } from '#web/stories/profile-card.tsx';
import { StoryArticle } from '#web/stories/story-article.tsx';
import { LIST_TITLES, SCENES } from '#web/stories/story-kinds.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { DocumentTitle, Page } from '#web/ui/page.tsx';
import { formatDate } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { StoryData } from './route.ts';
import styles from './stories.module.css';
import { StoryGrants } from './story-grants.tsx';

/** The story of an offsetter, an awardee, or an installer (§2). */
export function StoryPage({ org, kind, profile, neighbors, nextStories }: OrgPageProps & StoryData) {
  const scene = SCENES[kind];
  const isOffsetter = kind === 'offsetters';
  const hasGrants = [...(profile.grants ?? []), ...(profile.homes ?? [])].length > 0;
  return (
    <Page>
      <DocumentTitle parts={[profile.name, LIST_TITLES[kind], org.name]} />
      <StoryArticle
        profile={profile}
        scene={scene}
        editButton={isOffsetter && <EditButton orgId={org.id} profile={profile} />}
        // For other stories, the date would look like the date of the work.
        byline={isOffsetter && <StoryFacts profile={profile} zone={org.timeZone} />}
        aside={
          hasGrants && <StoryGrants profile={profile} heading={isOffsetter ? m.storyHelpedHomes() : m.storyHomes()} />
        }
      >
        <Cluster className={styles.actions}>
          {isOffsetter ? (
            <ButtonLink kind="action" to={pagePath('home-page', { orgid: org.id })}>
              {m.storyOffsetYours()}
            </ButtonLink>
          ) : (
            <ButtonLink kind="action" to={pagePath('donate-page', { orgid: org.id })}>
              {m.storyHelpNext()}
            </ButtonLink>
          )}
          <ShareButton title={`${profile.name}, ${org.name}`} />
        </Cluster>
        {!isOffsetter && (
          <p className={styles.help}>
            <HelpLink orgId={org.id} />
          </p>
        )}
      </StoryArticle>
      <nav aria-label={m.stories()} className={styles.steps}>
        <NeighborLink
          label={m.storyPrevious()}
          icon="previous"
          neighbor={neighbors.previous}
          isAlwaysShown={isOffsetter}
        />
        <ButtonLink kind="outline" to={pagePath(`${kind}-page`, { orgid: org.id })} className={styles.all}>
          {isOffsetter ? m.storyAll() : m.storyAllStories()}
        </ButtonLink>
        <NeighborLink label={m.storyNext()} icon="next" neighbor={neighbors.next} isAlwaysShown={isOffsetter} />
      </nav>
      <MoreStories nextStories={nextStories} scene={scene} />
    </Page>
  );
}

type NeighborLinkProps = {
  label: string;
  icon: Extract<IconName, 'previous' | 'next'>;
  neighbor: Neighbors['next'];
  /** If true, a button without a neighbor is disabled instead of omitted (§2). */
  isAlwaysShown: boolean;
};

function NeighborLink({ label, icon, neighbor, isAlwaysShown }: NeighborLinkProps) {
  const content = (
    <>
      {icon === 'previous' && <Icon name={icon} />}
      <span>
        {label}
        {neighbor && (
          <>
            {' '}
            <span className={styles.name}>{neighbor.name}</span>
          </>
        )}
      </span>
      {icon === 'next' && <Icon name={icon} />}
    </>
  );
  if (neighbor) {
    return (
      <ButtonLink kind="outline" to={neighbor.profileURL}>
        {content}
      </ButtonLink>
    );
  }
  return (
    isAlwaysShown && (
      <Button kind="outline" disabled>
        {content}
      </Button>
    )
  );
}

/** The story's date, and the donor's pounds if the donor agreed to show them. */
function StoryFacts({ profile: { createdTimestamp, pounds }, zone }: { profile: Profile; zone: TimeZone }) {
  return (
    <p className={styles.facts}>
      <time dateTime={createdTimestamp}>{formatDate(createdTimestamp, zone)}</time>
      {pounds !== undefined && <span>{m.storyPounds({ pounds: formatWhole(pounds) })}</span>}
    </p>
  );
}

/** Opens the device's share sheet, or copies the page's address on devices without one. */
function ShareButton({ title }: { title: string }) {
  const toast = useToast();
  const share = async () => {
    const url = window.location.origin + window.location.pathname;
    try {
      if ('share' in window.navigator) {
        await navigator.share({ title, url });
        return;
      }
      await navigator.clipboard.writeText(url);
      toast(m.linkCopied());
    } catch (error) {
      // The visitor closed the share sheet.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      toast(m.storyCopyYourself());
    }
  };
  return (
    <Button kind="outline" onClick={() => void share()}>
      {m.share()}
    </Button>
  );
}

/** Stories to read next. */
function MoreStories({ nextStories, scene }: Pick<StoryData, 'nextStories'> & { scene: StoryScene }) {
  if (nextStories.length === 0) return null;
  return (
    <section className={styles.next} aria-labelledby="more-stories">
      <h2 id="more-stories">{m.storyMore()}</h2>
      <div className={styles.grid}>
        {nextStories.map((profile) => (
          <ProfileCard
            key={profile.id}
            profile={profile}
            scene={scene}
            headingLevel={3}
            sizes="(max-width: 576px) 160px, (max-width: 960px) 46vw, (max-width: 1260px) 31vw, 378px"
          />
        ))}
      </div>
    </section>
  );
}

/** Edit button for the story's owner and admins (§2). */
function EditButton({ orgId, profile }: { orgId: string; profile: Profile }) {
  const { admin, emailVerified } = useSession();
  const isMine = useOwnsStory(orgId, profile);
  if (!isMine && !(admin && emailVerified)) return null;
  return (
    <ButtonLink kind="quiet" to={pagePath('edit-offsetter-page', { orgid: orgId, offsetterid: profile.id })}>
      <Icon name="pencil" /> {m.navEdit()}
    </ButtonLink>
  );
}

/** Reads the story again to check whether it belongs to this person, because the server renders the page for everyone. */
function useOwnsStory(orgId: string, { id, mine }: Profile): boolean {
  const api = useApi();
  const { uid, emailVerified } = useSession();
  const [result, setResult] = useState<{ readonly key: string; readonly isMine: boolean }>();
  const key = `${uid} ${id}`;
  useEffect(() => {
    if (!emailVerified || mine) return;
    const controller = new AbortController();
    const params = { orgid: orgId, offsetterid: id };
    api.call('readOffsetter', { params, signal: controller.signal }).then(
      (profile) => setResult({ key, isMine: profile.mine === true }),
      // On failure, there is no button; "My profile" opens the same page.
      () => undefined,
    );
    return () => controller.abort();
  }, [api, orgId, id, mine, emailVerified, key]);
  return emailVerified && (mine === true || (result?.key === key && result.isMine));
}
