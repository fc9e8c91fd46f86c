import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Giving, OwnOffsetter } from '#contract/schemas/users.ts';
import { isStoryShown, storyPreview } from '#domain/profile.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { LitStreet, litStreet } from '#web/drawings/lit-street.tsx';
import { StoryLandscape } from '#web/drawings/story-landscape.tsx';
import { Link } from '#web/navigation/link.tsx';
import type { SiteFrameData } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { DocumentTitle, PageTitle } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { AccountPanel, useAccountActions } from './account-panel.tsx';
import { GiftList, type GivingTotals, givingTotals, storyStanding, totalsSentence } from './gift-list.tsx';
import styles from './me.module.css';
import type { UserHomeData } from './route.ts';

const NOTHING: Giving = { gifts: [], offsetters: [] };

/** "My giving": what somebody gave in all organisations, the stories told of it, and the account (decisions §4). */
export function UserHomePage({ org, user, giving }: SiteFrameData & UserHomeData) {
  const toast = useToast();
  const actions = useAccountActions(user);
  const { gifts, offsetters } = giving ?? NOTHING;
  return (
    <>
      <DocumentTitle parts={['My giving', PROGRAM_NAME]} />
      <GivingBand totals={givingTotals(gifts)} />
      <div className={styles.content}>
        <section aria-labelledby="my-gifts" className={styles.gifts}>
          <h2 id="my-gifts">My gifts</h2>
          {gifts.length > 0 ? (
            <GiftList gifts={gifts} offsetters={offsetters} />
          ) : (
            <NoGifts org={org} isVerified={giving !== undefined} />
          )}
        </section>
        <section aria-labelledby="my-stories" className={styles.stories}>
          <h2 id="my-stories">My offsetters</h2>
          {offsetters.length > 0 ? (
            <OwnOffsetters offsetters={offsetters} />
          ) : (
            <p className={styles.empty}>
              After a gift you can tell why you gave. Your story then stands among the offsetters, and you can change it
              here.
            </p>
          )}
        </section>
        <section aria-labelledby="my-account" className={styles.account}>
          <h2 id="my-account">My account</h2>
          <AccountPanel user={user} actions={actions} tell={toast} />
        </section>
      </div>
    </>
  );
}

function NoGifts({ org, isVerified }: { org: Org | undefined; isVerified: boolean }) {
  if (!isVerified) {
    return (
      <p className={styles.empty}>
        Once your email address is verified, every gift made with it is listed here, also those that you made signed
        out.
      </p>
    );
  }
  return (
    <div className={styles.empty}>
      <p>You have not given yet. Offset a flight, a drive or a month of heating, and a neighbor’s home stays warm.</p>
      <ButtonLink kind="action" to={org ? pagePath('home-page', { orgid: org.id }) : '/'}>
        Make your first gift
      </ButtonLink>
    </div>
  );
}

type GivingBandProps = { totals: GivingTotals };

/** The head of "My giving": what it comes to, over a street in which each gift has lit a window. */
function GivingBand({ totals }: GivingBandProps) {
  return (
    <header className={styles.band} data-dark>
      <div className={styles.words}>
        <PageTitle className={styles.heading}>My giving</PageTitle>
        <p className={styles.lead}>{totalsSentence(totals) || 'Every gift lights a window in this street.'}</p>
      </div>
      <div className={styles.street}>
        <LitStreet street={litStreet(totals.gifts)} />
      </div>
    </header>
  );
}

/** The stories that somebody tells, also those that nobody sees just now. */
function OwnOffsetters({ offsetters }: { offsetters: readonly OwnOffsetter[] }) {
  return (
    <ul className={styles.ownOffsettersStories}>
      {offsetters.map((own) => (
        <li key={own.id} className={styles.story}>
          {own.photoURL === null ? (
            <StoryLandscape seed={own.id} scene="trip" className={styles.photo} />
          ) : (
            <img src={own.photoURL} alt="" className={styles.photo} loading="lazy" />
          )}
          <div className={styles.ownOffsettersWords}>
            <h3 className={styles.name}>{own.name || 'Without a name'}</h3>
            <p className={styles.ownOffsettersFacts}>
              {own.orgName} · {storyStanding(own)}
            </p>
            <p className={styles.text}>{storyPreview(own.story)}</p>
            <p className={styles.ways}>
              <ButtonLink kind="outline" to={own.editURL}>
                Edit<VisuallyHidden> your story at {own.orgName}</VisuallyHidden>
              </ButtonLink>
              {isStoryShown(own) && (
                <Link to={own.profileURL} className={styles.see}>
                  See it<VisuallyHidden> at {own.orgName}</VisuallyHidden>
                </Link>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
