import { pagePath } from '#contract/pages.ts';
import { Cutaway } from '#web/drawings/cutaway.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { CellText } from '#web/ui/markdown.tsx';
import styles from './city.module.css';

/** What a grant does in the city, beside a house in section. */
export function City({ orgId, html }: { orgId: string; html: string }) {
  return (
    <section className={styles.city}>
      <div className={styles.inner}>
        <Cutaway className={styles.drawing} loading="lazy" />
        <div>
          <CellText html={html} />
          <ButtonLink kind="action" to={pagePath('donate-page', { orgid: orgId })} className={styles.donate}>
            Donate
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
