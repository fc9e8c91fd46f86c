import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Giving, UserOffsetter } from '#contract/schemas/users.ts';
import { isStoryShown } from '#domain/profile.ts';
import { SITE_NAME } from '#domain/site-name.ts';
import { previewStory } from '#domain/story-preview.ts';
import { m } from '#messages';
import { useAllowedQuery } from '#web/api/queries.ts';
import { buildStreet } from '#web/drawings/lit-street.tsx';
import { StoryLandscape } from '#web/drawings/story-landscape.tsx';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import type { SitePageProps } from '#web/site/page.ts';
import { StreetBand } from '#web/site/street-band.tsx';
import { HelpedHomes } from '#web/stories/helped-homes.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card, Cluster, Stack } from '#web/ui/layout.tsx';
import { DocumentTitle } from '#web/ui/page.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { renderVisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { GiftClaims } from './gift-claims.tsx';
import { calculateGivingTotals, describeTotals, GiftList, getStoryStatusLabel } from './gift-list.tsx';
import { GivingYears } from './giving-years.tsx';
import styles from './me.module.css';
import { RecurringGifts } from './recurring-gifts.tsx';
import { givingQuery, type UserHomeData, userQuery } from './route.ts';
import { StoryClaims } from './story-claims.tsx';

const NO_GIVING: Giving = {
  gifts: [],
  homes: [],
  recurring: [],
  offsetters: [],
  claims: [],
  giftClaims: [],
  years: [],
};

/** "My giving": the homes that a person's gifts helped, the gifts to all organizations, and the stories (decisions §4). */
export function UserHomePage({ org, userId }: SitePageProps & UserHomeData) {
  const api = useApi();
  const { data: user } = useSuspenseQuery(userQuery(api, userId));
  const giving = useAllowedQuery(givingQuery(api, user)) ?? NO_GIVING;
  const { gifts, homes, recurring, offsetters, claims, giftClaims, years } = giving;
  return (
    <>
      <DocumentTitle parts={[m.navMyGiving(), SITE_NAME]} />
      <GivingBand gifts={gifts} homes={homes.length} />
      {homes.length > 0 && <MyHomes homes={homes} gifts={gifts.length} />}
      <div className={styles.content}>
        <section aria-labelledby="my-gifts">
          <h2 id="my-gifts">{m.givingGifts()}</h2>
          <GiftClaims claims={giftClaims} />
          {gifts.length > 0 ? (
            <MyGifts gifts={gifts} offsetters={offsetters} />
          ) : (
            <NoGifts org={org} isVerified={user.emailVerified} />
          )}
          {recurring.length > 0 && (
            <>
              <h2 id="my-recurring-gifts" className={styles.moreTitle}>
                {m.givingRecurringGifts()}
              </h2>
              <RecurringGifts gifts={recurring} />
            </>
          )}
          <GivingYears years={years} userId={user.id} />
        </section>
        <section aria-labelledby="my-stories">
          <h2 id="my-stories">{m.givingStories()}</h2>
          <StoryClaims claims={claims} />
          {offsetters.length > 0 ? (
            <OwnStories offsetters={offsetters} />
          ) : (
            <p className={styles.empty}>
              <NoStories gifts={gifts} />
            </p>
          )}
        </section>
      </div>
    </>
  );
}

/** Gifts shown at first, so that a phone reaches the recurring gifts; “Show all” shows the rest. */
const MAX_INITIAL_GIFTS = 5;

function MyGifts({ gifts, offsetters }: Pick<Giving, 'gifts' | 'offsetters'>) {
  const [showsAll, setShowsAll] = useState(false);
  const count = gifts.length;
  return (
    <>
      <GiftList gifts={showsAll ? gifts : gifts.slice(0, MAX_INITIAL_GIFTS)} offsetters={offsetters} />
      {count > MAX_INITIAL_GIFTS && !showsAll && (
        <Button kind="outline" className={styles.showAll} onClick={() => setShowsAll(true)}>
          {m.givingAllGifts({ gifts: String(count) })}
        </Button>
      )}
    </>
  );
}

/** Homes shown at first; “Show all” shows the rest. */
const MAX_INITIAL_HOMES = 6;

function MyHomes({ homes, gifts }: Pick<Giving, 'homes'> & { gifts: number }) {
  const [showsAll, setShowsAll] = useState(false);
  const count = homes.length;
  return (
    <section aria-labelledby="my-homes" className={styles.homes}>
      <h2 id="my-homes">{m.givingHomes()}</h2>
      <HelpedHomes homes={showsAll ? homes : homes.slice(0, MAX_INITIAL_HOMES)} giftCount={gifts} />
      {count > MAX_INITIAL_HOMES && !showsAll && (
        <Button kind="outline" onClick={() => setShowsAll(true)}>
          {m.givingAllHomes({ homes: String(count) })}
        </Button>
      )}
    </section>
  );
}

/** Tells a donor without a story how to get to one: the form of a recent gift, or else another gift. */
function NoStories({ gifts }: Pick<Giving, 'gifts'>) {
  const [latestGift] = gifts;
  if (!latestGift) return m.givingNoStories();
  if (gifts.some(({ checkoutURL }) => checkoutURL !== null)) return m.givingNoStoriesYet();
  const give = (words: string) => <Link to={pagePath('donate-page', { orgid: latestGift.orgid })}>{words}</Link>;
  return <RichText text={m.givingNoStoriesNow()} tags={{ give }} />;
}

function NoGifts({ org, isVerified }: { org: Org | undefined; isVerified: boolean }) {
  if (!isVerified) {
    return <p className={styles.empty}>{m.givingUnverified()}</p>;
  }
  return (
    <div className={styles.empty}>
      <p>{m.givingEmpty()}</p>
      <ButtonLink kind="action" to={org ? pagePath('home-page', { orgid: org.id }) : '/'}>
        {m.givingFirst()}
      </ButtonLink>
    </div>
  );
}

/** A street with a lit window for each helped home, and a candle in the window of each paid gift. */
function GivingBand({ gifts, homes }: Pick<Giving, 'gifts'> & { homes: number }) {
  const paidGifts = gifts.filter(({ paymentStatus }) => paymentStatus === 'paid');
  const candles = paidGifts.map(({ checkoutid: checkoutId }) => checkoutId);
  return (
    <StreetBand heading={m.navMyGiving()} street={buildStreet(homes, candles)}>
      <div>
        <p>{describeTotals(calculateGivingTotals(gifts)) || m.givingStreet()}</p>
        <p className={styles.accountLink}>
          <Link to={pagePath('account-page', {})}>{m.navAccountSecurity()}</Link>
        </p>
      </div>
    </StreetBand>
  );
}

/** A person's own stories, including unpublished ones. */
function OwnStories({ offsetters }: { offsetters: readonly UserOffsetter[] }) {
  return (
    <Stack>
      {offsetters.map((story) => (
        <Card key={story.id} className={styles.story}>
          {story.photoURL === null ? (
            <StoryLandscape seed={story.id} scene="trip" className={styles.photo} />
          ) : (
            <img src={story.photoURL} alt="" className={styles.photo} loading="lazy" />
          )}
          <div className={styles.storyText}>
            <h3 className={styles.name}>{story.name || m.noName()}</h3>
            <p className={styles.storyFacts}>
              {story.orgName} · {getStoryStatusLabel(story)}
            </p>
            <p className={styles.preview}>{previewStory(story.story)}</p>
            <Cluster gap={4} className={styles.storyLinks}>
              <ButtonLink kind="outline" to={story.editURL}>
                <RichText text={m.givingEditStory({ org: story.orgName })} tags={{ hidden: renderVisuallyHidden }} />
              </ButtonLink>
              {isStoryShown(story) && (
                <Link to={story.profileURL} className={styles.see}>
                  <RichText text={m.givingViewStory({ org: story.orgName })} tags={{ hidden: renderVisuallyHidden }} />
                </Link>
              )}
            </Cluster>
          </div>
        </Card>
      ))}
    </Stack>
  );
}
