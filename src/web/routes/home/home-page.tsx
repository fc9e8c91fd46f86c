import type { ReactNode } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { formatWhole } from '#domain/money.ts';
import { displayedStats } from '#domain/org.ts';
import { LANGUAGE, m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { DocumentTitle, PageTitle } from '#web/ui/page.tsx';
import { buildSrcSet } from '#web/ui/picture-sources.ts';
import { Calculator } from './calculator/calculator.tsx';
import styles from './home.module.css';
import type { HomeCell, HomeData } from './route.ts';
import { City, Closing, Community, Intro, Stats } from './sections.tsx';

/** The home page of an organization (§2). */
export function HomePage({ org, site, cells, stories, grantResults, canceledCheckoutId }: OrgPageProps & HomeData) {
  return (
    <>
      <DocumentTitle parts={[org.name, cells.tag.markdown]} />
      <Hero org={org} tag={cells.tag} parentName={site.parentName}>
        <Calculator key={org.id} org={org} site={site} canceledCheckoutId={canceledCheckoutId} />
      </Hero>
      <Intro cell={cells.intro} />
      <Stats org={org} grantResults={grantResults} />
      <Community org={org} cell={cells.community} stories={stories} />
      <City orgId={org.id} cell={cells.city} />
      <Closing org={org} />
    </>
  );
}

/** Longer tags use smaller type to fit the picture. */
const LONG_TAG_LENGTH = 60;

type HeroProps = { org: Org; tag: HomeCell; parentName: string; children: ReactNode };

/** The organization's tag over its photo or the default picture (§2), next to the calculator. */
function Hero({ org, tag: { markdown: tag, language }, parentName, children }: HeroProps) {
  const params = { orgid: org.id };
  const { grants } = displayedStats(org.stats, org.statsDelta);
  const awardeesPath = org.noAwardees ? pagePath('future-awardees-page', params) : pagePath('awardees-page', params);
  return (
    <section className={styles.hero}>
      <div className={styles.content}>
        <div className={styles.heroText} data-dark>
          <HeroPicture photo={org.photo} />
          {org.place !== '' && <p className={styles.place}>{org.place}</p>}
          <div lang={language === LANGUAGE ? undefined : language}>
            <PageTitle className={classNames(styles.tag, tag.length > LONG_TAG_LENGTH && styles.longTag)}>
              {tag}
            </PageTitle>
          </div>
          <p className={styles.lead}>{m.homeLead()}</p>
          <div className={styles.actions}>
            <ButtonLink kind="action" to={pagePath('donate-page', params)}>
              {m.navDonate()}
            </ButtonLink>
            <Link to={awardeesPath}>{m.homeSeeWho()}</Link>
          </div>
          <ul className={styles.facts}>
            {grants > 0 && <li>{m.homeGrants({ count: grants, grants: formatWhole(grants) })}</li>}
            <li>{m.homeDeductible({ parent: parentName })}</li>
          </ul>
        </div>
        <div className={styles.calculator}>{children}</div>
      </div>
    </section>
  );
}

/** Decorative. A photo is darkened, so that the text over it stays readable. */
function HeroPicture({ photo }: { photo: Org['photo'] }) {
  return (
    <div className={photo ? styles.photo : styles.drawing}>
      {photo ? (
        <img src={photo.url} srcSet={buildSrcSet(photo)} sizes="100vw" alt="" fetchPriority="high" />
      ) : (
        <img src="/img/hero.svg" alt="" fetchPriority="high" />
      )}
    </div>
  );
}
