import { type ReactNode, useEffect, useRef } from 'react';
import type { Org } from '#contract/schemas/orgs.ts';
import { Link } from '#web/navigation/link.tsx';
import { useEnglishAddress } from '#web/navigation/use-english-address.ts';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { useSession } from '#web/session/app-context.ts';
import { areaLinks } from '#web/site/role-links.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/icon.tsx';
import { DocumentTitle, PageTitle } from '#web/ui/page.tsx';
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts';
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
  useReturnedFocus();
  useEnglishAddress();
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

/** On a narrow screen the links scroll sideways; this scrolls to the current one, and to one that the keyboard reaches. */
function useCurrentInView() {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const nav = ref.current;
    if (!nav) return;
    const show = (link: HTMLElement) => {
      nav.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - nav.offsetLeft - nav.clientWidth / 2;
    };
    const current = nav.querySelector<HTMLElement>('[aria-current]');
    if (current) show(current);
    // A browser leaves a link alone of which it shows a single pixel. A pressed one must not move under the pointer.
    const focused = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.matches(':focus-visible')) show(target);
    };
    nav.addEventListener('focusin', focused);
    return () => nav.removeEventListener('focusin', focused);
  }, []);
  return ref;
}

/** Marks the link of the section that the page is in. */
function currentSection(to: string, address: string) {
  return address.startsWith(`${to}/`) ? ({ 'aria-current': 'true' } as const) : {};
}
