import { useSuspenseQuery } from '@tanstack/react-query';
import { pagePath } from '#contract/pages.ts';
import { SITE_NAME } from '#domain/site-name.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import { Card } from '#web/ui/layout.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { AccountPanel } from './account-panel.tsx';
import styles from './me.module.css';
import { OpenSessions } from './open-sessions.tsx';
import { sessionsQuery, type UserHomeData, userQuery } from './route.ts';
import { SecondStepPanel } from './second-step-panel.tsx';

/** Account and security settings (decisions §4). */
export function AccountPage({ userId }: UserHomeData) {
  const api = useApi();
  const { data: user } = useSuspenseQuery(userQuery(api, userId));
  const { data: sessions } = useSuspenseQuery(sessionsQuery(api));
  return (
    <Page narrow>
      <DocumentTitle parts={[m.navMyAccount(), SITE_NAME]} />
      <PageTitle>{m.navMyAccount()}</PageTitle>
      <p className={styles.editLead}>
        <Link to={pagePath('user-home-page', {})}>{m.navMyGiving()}</Link>
      </p>
      <div className={styles.account}>
        <AccountPanel user={user} />
        {user.emailVerified && (
          <section aria-labelledby="second-step">
            <h2 id="second-step">{m.secondStep()}</h2>
            <Card>
              <SecondStepPanel />
            </Card>
          </section>
        )}
        <section aria-labelledby="my-logins">
          <h2 id="my-logins">{m.sessionsTitle()}</h2>
          <OpenSessions sessions={sessions} />
        </section>
      </div>
    </Page>
  );
}
