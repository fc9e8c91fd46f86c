import { pagePath } from '#contract/pages.ts';
import { m } from '#messages';
import { Cutaway } from '#web/drawings/cutaway.tsx';
import type { OrgFrame } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import styles from './about.module.css';

/** Replaces the awardees while an organization has none (§2). */
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
            saves the most carbon in a home, such as insulation, air sealing and heat pumps.
          </p>
          <p>
            A grant pays $25 for each ton of carbon that the work is expected to save over its lifetime. With their
            consent, the first households will tell their stories here.
          </p>
          <h2>How to apply: coming soon...</h2>
          <Cluster className={styles.links}>
            <ButtonLink kind="action" to={pagePath('donate-page', params)}>
              Donate
            </ButtonLink>
            <ButtonLink kind="outline" to={pagePath('faqs-page', params)}>
              How grants work
            </ButtonLink>
          </Cluster>
        </div>
        <figure>
          <Cutaway className={styles.drawing} loading="eager" />
          <figcaption>
            <ol className={styles.measures}>
              <li>{m.cutawayAttic()}</li>
              <li>{m.cutawayWindows()}</li>
              <li>{m.cutawayHeatPump()}</li>
              <li>{m.cutawayRooms()}</li>
            </ol>
          </figcaption>
        </figure>
      </div>
    </Page>
  );
}
