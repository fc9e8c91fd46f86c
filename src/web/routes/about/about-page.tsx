import { pagePath } from '#contract/pages.ts';
import { m } from '#messages';
import { toCity } from '#web/api/city.ts';
import { CityMap } from '#web/drawings/route-map.tsx';
import { Link } from '#web/navigation/link.tsx';
import { HelpLink } from '#web/site/help-link.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { Detail, DetailList } from '#web/ui/list-parts.tsx';
import { CellText } from '#web/ui/markdown.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import styles from './about.module.css';
import { NumbersLink } from './numbers-link.tsx';
import people from './people.module.css';
import type { AboutData } from './route.ts';

/** Describes the fund and its parent, with contact details (§1). */
export function AboutPage({ org, site, cells }: OrgPageProps & AboutData) {
  return (
    <Page narrow>
      <DocumentTitle parts={[m.navAbout(), org.name]} />
      <div className={styles.text}>
        <PageTitle>{m.navAbout()}</PageTitle>
        <CellText cell={cells.intro} />
        <p>
          <RichText
            text={m.aboutSeeFaqs()}
            tags={{ faq: (words) => <Link to={pagePath('faqs-page', { orgid: org.id })}>{words}</Link> }}
          />{' '}
          <NumbersLink orgId={org.id} />
        </p>
        {org.homeCity && (
          <figure className={styles.map}>
            <CityMap city={toCity(org.homeCity)} />
            <figcaption>{m.aboutServes({ place: org.place })}</figcaption>
          </figure>
        )}
        {!cells.people.isDefault && (
          <>
            <h2>{m.aboutPeople()}</h2>
            <CellText cell={cells.people} className={people.people} />
          </>
        )}
        <h2>{m.aboutWho()}</h2>
        <p>{m.aboutParent({ org: org.name, parent: site.parentName })}</p>
        <DetailList>
          <Detail name={m.aboutLegalName()}>{site.parentName}</Detail>
          <Detail name={m.aboutEin()}>{site.parentEin}</Detail>
          <Detail name={m.aboutAddress()}>{site.parentAddress}</Detail>
          <Detail name={m.aboutContact()}>
            <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>
          </Detail>
          {site.annualReportUrl && (
            <Detail name={m.aboutReport()}>
              <a href={site.annualReportUrl}>{m.aboutReportLink()}</a>
            </Detail>
          )}
        </DetailList>
        <p>
          <HelpLink orgId={org.id} />
        </p>
        <Cluster className={styles.links}>
          <ButtonLink kind="dark" to={pagePath('offsetters-page', { orgid: org.id })}>
            {m.aboutStories()}
          </ButtonLink>
          <ButtonLink kind="outline" to={pagePath('donate-page', { orgid: org.id })}>
            {m.navDonate()}
          </ButtonLink>
        </Cluster>
      </div>
    </Page>
  );
}
