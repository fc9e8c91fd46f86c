import type { Org } from '#contract/schemas/orgs.ts';
import { Link } from '#web/navigation/link.tsx';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { Drawer } from '#web/ui/drawer.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import styles from './menu-drawer.module.css';
import { currentWithin, drawerLinks, type SiteLink } from './org-links.ts';

/** What is done, and not gone to, in the drawer. */
export type DrawerAction = { readonly label: string; readonly icon: IconName; readonly onClick: () => void };

type MenuDrawerProps = {
  org: Org;
  /** What else the one who is signed in may go to or do, by group. */
  more: readonly { readonly label: string; readonly entries: readonly (SiteLink | DrawerAction)[] }[];
  onClose: () => void;
};

/** Every page that one can go to from here (§2). */
export function MenuDrawer({ org, more, onClose }: MenuDrawerProps) {
  return (
    <Drawer title={org.name} open onClose={onClose}>
      <nav aria-label="Menu">
        <Entries entries={drawerLinks(org)} onClose={onClose} />
        {more.map(({ label, entries }) => (
          <section key={label} aria-label={label} className={styles.group}>
            <Entries entries={entries} onClose={onClose} />
          </section>
        ))}
      </nav>
    </Drawer>
  );
}

function Entries({ entries, onClose }: { entries: readonly (SiteLink | DrawerAction)[]; onClose: () => void }) {
  const address = useAddress();
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.label}>
          {'to' in entry ? (
            <Link to={entry.to} className={styles.link} onClick={onClose} {...currentWithin(entry.to, address)}>
              <Icon name={entry.icon} />
              {entry.label}
            </Link>
          ) : (
            <button
              type="button"
              className={styles.link}
              onClick={() => {
                onClose();
                entry.onClick();
              }}
            >
              <Icon name={entry.icon} />
              {entry.label}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
