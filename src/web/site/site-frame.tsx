import type { ReactNode, RefObject } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { m } from '#messages';
import { loginUrl, parseAddress } from '#web/navigation/address.ts';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { useSession } from '#web/session/app-context.ts';
import { Header } from './header.tsx';
import styles from './site.module.css';
import { SiteFooter } from './site-footer.tsx';
import { useLanguageOffer } from './use-language-offer.ts';

type SiteFrameProps = {
  org: Org | undefined;
  site: Site | undefined;
  main: RefObject<HTMLElement | null>;
  children: ReactNode;
};

/** Header, menu, and footer around every page. */
export function SiteFrame({ org, site, main, children }: SiteFrameProps) {
  const offerModule = useLanguageOffer();
  const account = useAccountLink(org);
  return (
    <>
      <a href="#main" className={styles.skip}>
        {m.skipToContent()}
      </a>
      {org?.isSample && <Banner label={m.notice()}>{m.sampleNotice()}</Banner>}
      {site?.testPayments && <Banner label={m.testPayments()}>{m.testPaymentsNotice()}</Banner>}
      <Header org={org} account={account} />
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <SiteFooter org={org} site={site} />
      {offerModule && <offerModule.LanguageOffer />}
    </>
  );
}

/** The header's account icon. After login, the visitor returns to the current path (§2). */
function useAccountLink(org: Org | undefined) {
  const { authenticated, hasNotifications, roles } = useSession();
  const address = useAddress();
  const { path, search } = parseAddress(address);
  const to = authenticated ? pagePath('user-home-page', {}) : loginUrl(search.return_to ? address : path);
  const role = org && Object.hasOwn(roles, org.id) ? roles[org.id] : undefined;
  return { to, isSignedIn: authenticated, needsAttention: hasNotifications, role };
}

function Banner({ label, children }: { label: string; children: string }) {
  return (
    <aside aria-label={label} className={styles.banner}>
      {children}
    </aside>
  );
}
