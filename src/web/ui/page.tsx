import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { classNames } from './class-names.ts';
import styles from './page.module.css';
import hiding from './visually-hidden.module.css';

/** The room of a page that is read: as wide as the wrap, or narrow where it is mostly words. */
export function Page({ children, narrow = false }: { children: ReactNode; narrow?: boolean }) {
  return <div className={classNames(styles.page, narrow && styles.narrow)}>{children}</div>;
}

type PageTitleProps = {
  children: ReactNode;
  className?: string | undefined;
  /** Where words of the page's own say the same: it is still what is read out first. */
  hidden?: boolean;
};

/** The page's heading. It takes the focus after a navigation, so that it is what is read out first. */
export function PageTitle({ children, className, hidden = false }: PageTitleProps) {
  return (
    <h1 tabIndex={-1} className={hidden ? hiding.hidden : classNames(styles.title, className)}>
      {children}
    </h1>
  );
}

/** Where the server, which has no document yet, hears the title of what it renders. */
const TitleContext = createContext<((title: string) => void) | undefined>(undefined);
export const TitleProvider = TitleContext.Provider;

/** The title of the browser's tab: the page first, then what it is part of. */
export function DocumentTitle({ parts }: { parts: readonly string[] }) {
  const title = parts.filter(Boolean).join(' · ');
  useContext(TitleContext)?.(title);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}
