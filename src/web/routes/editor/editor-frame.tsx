import { type ReactNode, useEffect, useRef } from 'react';
import type { Org } from '#contract/schemas/orgs.ts';
import { Link } from '#web/navigation/link.tsx';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { useSession } from '#web/session/app-context.ts';
import { areaLinks } from '#web/site/own-links.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/icon.tsx';
import { DocumentTitle, PageTitle } from '#web/ui/page.tsx';
import styles from './editor-frame.module.css';
import { OrgTimeZone } from './use-dates.ts';

type EditorFrameProps = {
  org: Org;
  title: string;
  lead?: ReactNode;
  /** The main buttons, beside the heading. */
  actions?: ReactNode;
  children: ReactNode;
};

/** The frame of the editors' pages, with their navigation. */
export function EditorFrame({ org, title, lead, actions, children }: EditorFrameProps) {
  const links = areaLinks(org.id, useSession());
  const address = useAddress();
  const nav = useCurrentInView();
  // An admin who is not an editor here can open only one of the pages.
  const hasNav = links.length > 1;
  return (
    <div className={classNames(styles.area, hasNav && styles.beside)}>
      <DocumentTitle parts={[title, org.name]} />
      {hasNav && (
        <nav ref={nav} aria-label="Editors’ area" className={styles.nav}>
          <ul>
            {links.map(({ label, to, icon }) => (
              <li key={to}>
                <Link to={to} {...currentSection(to, address)}>
                  <Icon name={icon} /> {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div className={styles.page}>
        <div className={styles.head}>
          <PageTitle>{title}</PageTitle>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
        {lead && <p className={styles.lead}>{lead}</p>}
        <OrgTimeZone value={org.timeZone}>{children}</OrgTimeZone>
      </div>
    </div>
  );
}

/** On a narrow screen the links scroll sideways; this scrolls to the current one. */
function useCurrentInView() {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (!nav.current || !current) return;
    const middle = current.offsetLeft + current.offsetWidth / 2;
    nav.current.scrollLeft = middle - nav.current.offsetLeft - nav.current.clientWidth / 2;
  }, []);
  return nav;
}

/** Marks the link of the section that the page is in. */
function currentSection(to: string, address: string) {
  return address.startsWith(`${to}/`) ? ({ 'aria-current': 'true' } as const) : {};
}
