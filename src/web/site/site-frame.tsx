import type { ReactNode, RefObject } from 'react';
import { inLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { beforePeriod, PROGRAM_NAME } from '#domain/program-name.ts';
import { LANGUAGE, LANGUAGE_NAMES, LANGUAGES, m } from '#messages';
import { loginAddress, readAddress } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { useSession } from '#web/session/app-context.ts';
import { ToastProvider } from '#web/ui/toast.tsx';
import { Header } from './header.tsx';
import { footerLinks } from './org-links.ts';
import styles from './site.module.css';

type SiteFrameProps = {
  org: Org | undefined;
  site: Site | undefined;
  main: RefObject<HTMLElement | null>;
  children: ReactNode;
};

/** Header, menu, and footer around every page. */
export function SiteFrame({ org, site, main, children }: SiteFrameProps) {
  return (
    <ToastProvider>
      <a href="#main" className={styles.skip}>
        {m.skipToContent()}
      </a>
      {org?.isSample && <Banner label={m.notice()}>{m.sampleNotice()}</Banner>}
      {site?.testPayments && <Banner label={m.testPayments()}>{m.testPaymentsNotice()}</Banner>}
      <Header org={org} account={useAccount(org)} />
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Footer org={org} site={site} />
    </ToastProvider>
  );
}

/** The account icon of the header. After login the visitor returns to the current path (§2). */
function useAccount(org: Org | undefined) {
  const { authenticated, hasNotifications, roles } = useSession();
  const address = useAddress();
  const { path, search } = readAddress(address);
  const to = authenticated ? pagePath('user-home-page', {}) : loginAddress(search.return_to ? address : path);
  const role = org && Object.hasOwn(roles, org.id) ? roles[org.id] : undefined;
  return { to, isSignedIn: authenticated, needsAttention: hasNotifications, role };
}

function Footer({ org, site }: { org: Org | undefined; site: Site | undefined }) {
  return (
    <footer className={styles.footer} data-dark>
      <div className={styles.footerRow}>
        <p>{m.programOf({ program: PROGRAM_NAME, parent: beforePeriod(site?.parentName ?? m.someParent()) })}</p>
        <nav aria-label={m.navFooter()} className={styles.footerLinks}>
          {org &&
            footerLinks(org).map(({ label, to }) => (
              <Link key={label} to={to} className={styles.footerLink}>
                {label}
              </Link>
            ))}
          <Languages />
        </nav>
      </div>
    </footer>
  );
}

/** Links to the page in the other languages. Each language is a separate build, so these load a new document. */
function Languages() {
  const address = useAddress();
  return LANGUAGES.filter((language) => language !== LANGUAGE).map((language) => (
    <a
      key={language}
      href={inLanguage(address, language)}
      hrefLang={language}
      lang={language}
      className={styles.footerLink}
    >
      {LANGUAGE_NAMES[language]}
    </a>
  ));
}

function Banner({ label, children }: { label: string; children: string }) {
  return (
    <aside aria-label={label} className={styles.banner}>
      {children}
    </aside>
  );
}
