import { pagePath } from '#contract/pages.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import styles from './about.module.css';

/** The data that the program stores about people (docs/security.md, Data protection). */
export function PrivacyPage({ org, site }: OrgPageProps) {
  const tags = {
    account: (words: string) => <Link to={pagePath('account-page', {})}>{words}</Link>,
    email: (words: string) => <a href={`mailto:${site.contactEmail}`}>{words}</a>,
  };
  return (
    <Page narrow>
      <DocumentTitle parts={[m.navPrivacy(), org.name]} />
      <div className={styles.text}>
        <PageTitle>{m.navPrivacy()}</PageTitle>
        <p>{m.privacyLead({ org: org.name, parent: site.parentName })}</p>
        <h2>{m.privacyVisit()}</h2>
        <p>{m.privacyVisitText()}</p>
        <h2>{m.privacyGive()}</h2>
        <p>{m.privacyGiveText()}</p>
        <h2>{m.privacyStory()}</h2>
        <p>{m.privacyStoryText()}</p>
        <h2>{m.privacyGrant()}</h2>
        <p>{m.privacyGrantText()}</p>
        <h2>{m.privacyAccount()}</h2>
        <p>{m.privacyAccountText()}</p>
        <h2>{m.privacyOthers()}</h2>
        <p>{m.privacyOthersText()}</p>
        <h2>{m.privacyRights()}</h2>
        <p>
          <RichText text={m.privacyRightsText({ email: site.contactEmail })} tags={tags} />
        </p>
      </div>
    </Page>
  );
}
