import { type ReactNode, useId, useState } from 'react';
import type { Org } from '#contract/schemas/orgs.ts';
import { isSamePath } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useEnglishOnly } from '#web/navigation/use-english-only.ts';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { useSession } from '#web/session/app-context.ts';
import { editorLinkGroups, type LinkGroup } from '#web/site/role-links.ts';
import { classNames } from '#web/ui/class-names.ts';
import { ExtendedIcon } from '#web/ui/extended-icon.tsx';
import folds from '#web/ui/fold.module.css';
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
  useEnglishOnly();
  // An admin who isn't an editor here can open only one page.
  const hasNav = groups.flatMap(({ links }) => links).length > 1;
  return (
    <div className={classNames(styles.area, hasNav && styles.withNav)}>
      {hasNav && <EditorNav groups={groups} />}
      <div className={styles.page}>
        <p className={styles.printedName}>{org.name}</p>
        <SiteNameProvider value={org.name}>
          <OrgTimeZone value={org.timeZone}>{children}</OrgTimeZone>
        </SiteNameProvider>
      </div>
    </div>
  );
}

/** Links to the editors' pages. On narrow screens, a button with the current page's name expands them. */
function EditorNav({ groups }: { groups: readonly LinkGroup[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const address = useAddress();
  const currentLink = groups
    .flatMap(({ links }) => links)
    .find(({ to }) => isSamePath(to, address) || address.startsWith(`${to}/`));
  return (
    <nav aria-label="Editor pages" className={styles.nav}>
      <button
        type="button"
        className={classNames(folds.toggle, styles.toggle)}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {currentLink?.label ?? 'Editor pages'}
      </button>
      <div className={styles.groups}>
        {groups.map((group) => (
          <NavGroup key={group.label ?? ''} group={group} onLeave={() => setIsOpen(false)} />
        ))}
      </div>
    </nav>
  );
}

function NavGroup({ group: { label, links }, onLeave }: { group: LinkGroup; onLeave: () => void }) {
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
            <Link to={to} isSection onClick={onLeave}>
              <ExtendedIcon name={icon} /> {linkLabel}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
