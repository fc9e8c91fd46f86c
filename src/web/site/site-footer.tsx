import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { removeFinalPeriod, SITE_NAME } from '#domain/site-name.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import { EnglishText } from '#web/ui/english-text.tsx';
import { LanguageLinks } from './language-links.tsx';
import { headerLinks } from './org-links.ts';
import styles from './site-footer.module.css';

type SiteFooterProps = { org: Org | undefined; site: Site | undefined };

/** Shows the parent organization and its address, and links to the pages. */
export function SiteFooter({ org, site }: SiteFooterProps) {
  const program = m.programOf({
    program: SITE_NAME,
    parent: removeFinalPeriod(site?.parentName ?? m.someParent()),
  });
  return (
    <footer className={styles.footer} data-dark>
      <div className={styles.columns}>
        <address className={styles.legal}>
          <p>{program}</p>
          {site && (
            <>
              <p>{m.footerEin({ ein: site.parentEin })}</p>
              <p>{site.parentAddress}</p>
              <a href={`mailto:${site.contactEmail}`} className={styles.link}>
                {site.contactEmail}
              </a>
            </>
          )}
        </address>
        <nav aria-label={m.navFooter()} className={styles.pages}>
          {org && <PageLinks org={org} />}
          <LanguageLinks className={styles.link} />
        </nav>
      </div>
      {site?.stateRegistration && (
        <p className={styles.registration}>
          <EnglishText>{site.stateRegistration}</EnglishText>
        </p>
      )}
    </footer>
  );
}

function PageLinks({ org }: { org: Org }) {
  const params = { orgid: org.id };
  const links = [
    ...headerLinks(org),
    { label: m.navAbout(), to: pagePath('about-page', params) },
    { label: m.headPounds(), to: pagePath('pounds-page', params) },
    { label: m.navDonate(), to: pagePath('donate-page', params) },
    { label: m.navHelp(), to: pagePath('help-page', params) },
    { label: m.navQrCode(), to: pagePath('qrcode-page', params) },
    { label: m.navPrivacy(), to: pagePath('privacy-page', params) },
  ];
  return links.map(({ label, to }) => (
    <Link key={to} to={to} className={styles.link}>
      {label}
    </Link>
  ));
}
