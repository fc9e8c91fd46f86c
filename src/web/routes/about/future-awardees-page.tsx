import { pagePath } from '#contract/pages.ts';
import { m } from '#messages';
import { HelpLink } from '#web/site/help-link.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import styles from './about.module.css';
import { CutawayFigure } from './cutaway-figure.tsx';

/** Replaces the awardee list while an organization has no awardees (§2). */
export function FutureAwardeesPage({ org }: OrgPageProps) {
  const params = { orgid: org.id };
  return (
    <Page>
      <DocumentTitle parts={[m.navFutureAwardees(), org.name]} />
      <div className={styles.sideBySide}>
        <div className={styles.text}>
          <PageTitle>{m.navFutureAwardees()}</PageTitle>
          <p>{m.futureWhat()}</p>
          <p>{m.futureGrant()}</p>
          <h2>{m.futureApply()}</h2>
          <p>
            <HelpLink orgId={org.id} />
          </p>
          <Cluster className={styles.links}>
            <ButtonLink kind="action" to={pagePath('donate-page', params)}>
              {m.navDonate()}
            </ButtonLink>
            <ButtonLink kind="outline" to={pagePath('faqs-page', params)}>
              {m.futureHow()}
            </ButtonLink>
          </Cluster>
        </div>
        <CutawayFigure />
      </div>
    </Page>
  );
}
