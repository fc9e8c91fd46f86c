import { lazy, type ReactNode, type RefObject } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { loginAddress, readAddress } from '#web/navigation/address.ts';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { useSession } from '#web/session/app-context.ts';
import { ToastProvider } from '#web/ui/toast.tsx';
import { Footer } from './footer.tsx';
import { Header, type LateMenu } from './header.tsx';
import { SampleBanner } from './sample-banner.tsx';
import styles from './site-frame.module.css';

type SiteFrameProps = {
  org: Org | undefined;
  site: Site | undefined;
  main: RefObject<HTMLElement | null>;
  children: ReactNode;
};

const loadMenu = () => import('./site-menu.tsx');
const MENU: LateMenu = {
  Menu: lazy(async () => ({ default: (await loadMenu()).SiteMenu })),
  fetch: () => void loadMenu(),
};

/** What stands around every page. */
export function SiteFrame({ org, site, main, children }: SiteFrameProps) {
  return (
    <ToastProvider>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      {org?.isSample && <SampleBanner />}
      <Header org={org} account={useAccount()} menu={MENU} />
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Footer org={org} site={site} />
    </ToastProvider>
  );
}

/** Where the header's icon leads. The login page leads back to the path that is shown (§2). */
function useAccount() {
  const { authenticated, hasNotifications } = useSession();
  const address = useAddress();
  const { path, search } = readAddress(address);
  const to = authenticated ? pagePath('user-home-page', {}) : loginAddress(search.return_to ? address : path);
  return { to, isSignedIn: authenticated, hasNews: hasNotifications };
}
