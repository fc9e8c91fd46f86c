import type { ReactNode, RefObject } from 'react';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { Footer } from '../features/site/footer.tsx';
import { Header } from '../features/site/header.tsx';
import { SampleBanner } from '../features/site/sample-banner.tsx';
import { ToastProvider } from '../ui/toast.tsx';
import styles from './site-frame.module.css';

type SiteFrameProps = {
  org: Org | undefined;
  site: Site | undefined;
  main: RefObject<HTMLElement | null>;
  children: ReactNode;
};

/** What stands around every page. */
export function SiteFrame({ org, site, main, children }: SiteFrameProps) {
  return (
    <ToastProvider>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      {org?.isSample && <SampleBanner />}
      <Header org={org} />
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Footer org={org} site={site} />
    </ToastProvider>
  );
}
