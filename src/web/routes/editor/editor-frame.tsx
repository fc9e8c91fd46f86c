import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { Org } from '#contract/schemas/orgs.ts';
import { Link } from '#web/navigation/link.tsx';
import { useEnglishOnly } from '#web/navigation/use-english-only.ts';
import { useSession } from '#web/session/app-context.ts';
import { editorLinkGroups, type LinkGroup } from '#web/site/role-links.ts';
import { classNames } from '#web/ui/class-names.ts';
import { ExtendedIcon } from '#web/ui/extended-icon.tsx';
import { PageHead, type PageHeadProps, SiteNameProvider } from '#web/ui/page-head.tsx';
import styles from './editor-frame.module.css';
import { OrgTimeZone } from './use-dates.ts';

/** A page in the editors' area, with its heading. */
export function EditorPage({ org, title, subtitle, actions, children }: PageHeadProps & EditorAreaProps) {
  return (
    <EditorArea org={org}>
      <PageHead title={title} subtitle={subtitle} actions={actions} />
      {children}
    </EditorArea>
  );
}

type EditorAreaProps = { org: Org; children: ReactNode };

/** The editors' area: links to its pages, and a page that renders its own heading. */
export function EditorArea({ org, children }: EditorAreaProps) {
  const groups = editorLinkGroups(org.id, useSession());
  const nav = useScrollToCurrentLink();
  useEnglishOnly();
  // An admin who isn't an editor here can open only one page.
  const hasNav = groups.flatMap(({ links }) => links).length > 1;
  return (
    <div className={classNames(styles.area, hasNav && styles.withNav)}>
      {hasNav && (
        <nav ref={nav} aria-label="Editor pages" className={styles.nav}>
          {groups.map((group) => (
            <NavGroup key={group.label ?? ''} group={group} />
          ))}
        </nav>
      )}
      <div className={styles.page}>
        <p className={styles.printedName}>{org.name}</p>
        <SiteNameProvider value={org.name}>
          <OrgTimeZone value={org.timeZone}>{children}</OrgTimeZone>
        </SiteNameProvider>
      </div>
    </div>
  );
}

function NavGroup({ group: { label, links } }: { group: LinkGroup }) {
  const id = useId();
  return (
    <div className={styles.group}>
      {label !== undefined && (
        <span id={id} className={styles.groupLabel}>
          {label}
        </span>
      )}
      <ul aria-labelledby={label === undefined ? undefined : id}>
        {links.map(({ label: linkLabel, to, icon }) => (
          <li key={to}>
            <Link to={to} isSection>
              <ExtendedIcon name={icon} /> {linkLabel}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Scrolls the row of links on a narrow screen to the current link, and to any link that receives keyboard focus. */
function useScrollToCurrentLink() {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const nav = ref.current;
    if (!nav) return;
    const scrollToLink = (link: HTMLElement) => {
      nav.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - nav.offsetLeft - nav.clientWidth / 2;
    };
    const currentLink = nav.querySelector<HTMLElement>('[aria-current]');
    if (currentLink) scrollToLink(currentLink);
    // Browsers don't scroll to a focused link if even one pixel of it is visible. A link must not move under the
    // pointer while it is pressed.
    const handleFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.matches(':focus-visible')) scrollToLink(target);
    };
    nav.addEventListener('focusin', handleFocus);
    return () => nav.removeEventListener('focusin', handleFocus);
  }, []);
  return ref;
}
