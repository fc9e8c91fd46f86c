import { createContext, type ReactNode, useContext } from 'react';
import { SITE_NAME } from '#domain/site-name.ts';
import { Cluster } from './layout.tsx';
import { DocumentTitle, PageTitle } from './page.tsx';
import styles from './page-head.module.css';

/** Site name at the end of the tab's title. */
const SiteName = createContext<string>(SITE_NAME);
export const SiteNameProvider = SiteName.Provider;

export type PageHeadProps = {
  title: string;
  subtitle?: ReactNode;
  /** Main buttons, next to the heading. */
  actions?: ReactNode;
};

/** A page's heading, its introduction, and its main buttons. */
export function PageHead({ title, subtitle, actions }: PageHeadProps) {
  const siteName = useContext(SiteName);
  return (
    <>
      <DocumentTitle parts={[title, siteName]} />
      <div className={styles.head}>
        <PageTitle>{title}</PageTitle>
        {actions && <Cluster>{actions}</Cluster>}
      </div>
      {subtitle && <p className={styles.lead}>{subtitle}</p>}
    </>
  );
}
