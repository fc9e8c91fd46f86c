import { pagePath } from '#contract/pages.ts';
import { Link } from '#web/navigation/link.tsx';
import type { OrgFrame } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { Fact, Facts } from '#web/ui/list-parts.tsx';
import { CellText } from '#web/ui/markdown.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import styles from './about.module.css';
import type { AboutData } from './route.ts';

/** Who runs the fund, and how to contact it (§1). */
export function AboutPage({ org, site, cells }: OrgFrame & AboutData) {
  return (
    <Page narrow>
      <DocumentTitle parts={['About', org.name]} />
      <div className={styles.text}>
        <PageTitle>About</PageTitle>
        <CellText html={cells.intro.html} />
        <p>
          See the <Link to={pagePath('faqs-page', { orgid: org.id })}>FAQ</Link> for how we make the estimates and what
          a grant pays for.
        </p>
        <h2>Who runs it</h2>
        <p>
          The platform is a program of {site.parentName}, a 501(c)(3) that promotes responsible citizenship and open
          democratic processes.
        </p>
        <Facts>
          <Fact name="Legal name">{site.parentName}</Fact>
          <Fact name="EIN">{site.parentEin}</Fact>
          <Fact name="Address">{site.parentAddress}</Fact>
          <Fact name="Contact">
            <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>
          </Fact>
        </Facts>
        <Cluster className={styles.links}>
          <ButtonLink kind="dark" to={pagePath('offsetters-page', { orgid: org.id })}>
            Read the stories
          </ButtonLink>
          <ButtonLink kind="outline" to={pagePath('donate-page', { orgid: org.id })}>
            Donate
          </ButtonLink>
        </Cluster>
      </div>
    </Page>
  );
}
