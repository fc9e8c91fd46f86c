import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { classNames } from './class-names.ts';
import styles from './page.module.css';
import visuallyHidden from './visually-hidden.module.css';

/** narrow: for pages that are mostly text. */
export function Page({ children, narrow = false }: { children: ReactNode; narrow?: boolean }) {
  return <div className={classNames(styles.page, narrow && styles.narrow)}>{children}</div>;
}

type PageTitleProps = {
  children: ReactNode;
  className?: string | undefined;
  /** Visible to screen readers only. */
  hidden?: boolean;
};

/** The page's heading. It receives focus after a navigation, so screen readers start there. */
export function PageTitle({ children, className, hidden = false }: PageTitleProps) {
  return (
    <h1 tabIndex={-1} className={hidden ? visuallyHidden.hidden : classNames(styles.title, className)}>
      {children}
    </h1>
  );
}

/** Collects the title during rendering on the server, which has no document. */
const TitleContext = createContext<((title: string) => void) | undefined>(undefined);
export const TitleProvider = TitleContext.Provider;

/** Parts of the tab's title: the page, then its organization. */
export function DocumentTitle({ parts }: { parts: readonly string[] }) {
  const title = parts.filter(Boolean).join(' · ');
  useContext(TitleContext)?.(title);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}
