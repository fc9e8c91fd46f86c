import { pagePath } from '#contract/pages.ts';
import { Cutaway } from '#web/drawings/cutaway.tsx';
import type { OrgFrame } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import styles from './text-page.module.css';

/** Stands in for the awardees while an organisation has none (§2). */
export function FutureAwardeesPage({ org }: OrgFrame) {
  const params = { orgid: org.id };
  return (
    <Page>
      <DocumentTitle parts={['Future awardees', org.name]} />
      <div className={styles.beside}>
        <div className={styles.text}>
          <PageTitle>Future awardees</PageTitle>
          <p>
            The residential energy efficiency program will help low-to-moderate income households pay for the work that
            saves the most carbon in a home: insulation, air sealing, heat pumps and work of that kind.
          </p>
          <p>
            A grant pays $25 for each ton of carbon that the work is expected to save over its lifetime. The first
            households will tell their stories here, each with its consent.
          </p>
          <h2>How to apply: coming soon...</h2>
          <div className={styles.ways}>
            <ButtonLink kind="action" to={pagePath('donate-page', params)}>
              Donate
            </ButtonLink>
            <ButtonLink kind="outline" to={pagePath('faqs-page', params)}>
              How grants work
            </ButtonLink>
          </div>
        </div>
        <Cutaway className={styles.drawing} loading="eager" />
      </div>
    </Page>
  );
}
