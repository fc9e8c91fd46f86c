import { type ReactNode, useEffect } from 'react';
import { classNames } from './class-names.ts';
import styles from './page-title.module.css';

/** The page's heading. It takes the focus after a navigation, so that it is what is read out first. */
export function PageTitle({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <h1 tabIndex={-1} className={classNames(styles.title, className)}>
      {children}
    </h1>
  );
}

/** The title of the browser's tab: the page first, then what it is part of. */
export function DocumentTitle({ parts }: { parts: readonly string[] }) {
  // The document comes with a title of its own, and the first title in it is the one that counts.
  useEffect(() => document.querySelector('title[data-until-ready]')?.remove(), []);
  return <title>{parts.filter(Boolean).join(' · ')}</title>;
}
