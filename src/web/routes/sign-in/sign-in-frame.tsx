import { type ReactNode, useEffect, useRef } from 'react';
import { SITE_NAME } from '#domain/site-name.ts';
import { m } from '#messages';
import { NoScriptNotice } from '#web/ui/no-script.tsx';
import { DocumentTitle, PageTitle } from '#web/ui/page.tsx';
import styles from './sign-in.module.css';

type SignInFrameProps = {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  /** Links to alternatives. */
  footer?: ReactNode;
};

/** A card over the home page's night sky. */
export function SignInFrame({ title, lead, children, footer }: SignInFrameProps) {
  const scene = useFocusOnChange(title);
  return (
    <div ref={scene} className={styles.scene}>
      <DocumentTitle parts={[title, SITE_NAME]} />
      <img src="/img/hero.svg" alt="" className={styles.picture} />
      <div className={styles.card}>
        <PageTitle className={styles.title}>{title}</PageTitle>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        {children !== undefined && (
          <div className={styles.body}>
            <NoScriptNotice>{m.signInNeedsScripts()}</NoScriptNotice>
            {children}
          </div>
        )}
        {footer !== undefined && <div className={styles.foot}>{footer}</div>}
      </div>
    </div>
  );
}

/** Moves screen readers to the heading when the page's step changes, as after a navigation. */
function useFocusOnChange(title: string) {
  const scene = useRef<HTMLDivElement>(null);
  const lastTitle = useRef(title);
  useEffect(() => {
    if (lastTitle.current === title) return;
    lastTitle.current = title;
    scene.current?.querySelector('h1')?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: 'instant' });
  }, [title]);
  return scene;
}
