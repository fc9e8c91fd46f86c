import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Giving } from '#contract/schemas/users.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import type { SiteFrameData } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { DocumentTitle } from '#web/ui/page-title.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { AccountPanel } from './account-panel.tsx';
import { GiftList } from './gift-list.tsx';
import { givingTotals } from './gift-words.ts';
import { GivingBand } from './giving-band.tsx';
import { OwnOffsetters } from './own-offsetters.tsx';
import type { UserHomeData } from './route.ts';
import { useAccountActions } from './use-account-actions.ts';
import styles from './user-home-page.module.css';

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
