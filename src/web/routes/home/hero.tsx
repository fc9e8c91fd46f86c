import type { ReactNode } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { PageTitle } from '#web/ui/page.tsx';
import { srcSet } from '#web/ui/picture-sources.ts';
import styles from './hero.module.css';

/** From how many characters on a tag is set smaller, so that the picture still holds it. */
const LONG_TAG = 60;

/** The organisation's tag over its photo or the default picture (§2), with the calculator beside it. */
export function Hero({ org, children }: { org: Org; children: ReactNode }) {
  const params = { orgid: org.id };
  const helped = org.noAwardees ? pagePath('future-awardees-page', params) : pagePath('awardees-page', params);
  return (
    <section className={styles.hero}>
      <div className={styles.content}>
        <div className={styles.words} data-dark>
          <HeroPicture photo={org.photo} />
          <PageTitle className={classNames(styles.tag, org.tag.length > LONG_TAG && styles.long)}>{org.tag}</PageTitle>
          <p className={styles.lead}>
            Offset a flight, a drive or a winter of heating, and help a neighbor’s home stay warm.
          </p>
          <div className={styles.actions}>
            <ButtonLink kind="action" to={pagePath('donate-page', params)}>
              Donate
            </ButtonLink>
            <ButtonLink kind="outline" to={helped}>
              See who it helps
            </ButtonLink>
          </div>
        </div>
        <div className={styles.calculator}>{children}</div>
      </div>
    </section>
  );
}

/** Decorative. A photo of the organisation's own lies under a scrim, so that the words on it can be read. */
function HeroPicture({ photo }: { photo: Org['photo'] }) {
  return (
    <div className={photo ? styles.photo : styles.drawing}>
      {photo ? (
        <img src={photo.url} srcSet={srcSet(photo)} sizes="100vw" alt="" fetchPriority="high" />
      ) : (
        <img src="/img/hero.svg" alt="" fetchPriority="high" />
      )}
    </div>
  );
}
