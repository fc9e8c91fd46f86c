import type { Org } from '#contract/schemas/orgs.ts';
import { Link } from '../../navigation/link.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './menu-drawer.module.css';
import { drawerLinks } from './org-links.ts';

/** Every page that a visitor can go to (§2). */
export function MenuDrawer({ org, onClose }: { org: Org; onClose: () => void }) {
  return (
    <Drawer title={org.name} open onClose={onClose}>
      <nav aria-label="Menu">
        <ul>
          {drawerLinks(org).map(({ label, to, icon }) => (
            <li key={label}>
              <Link to={to} className={styles.link} onClick={onClose}>
                <Icon name={icon} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Drawer>
  );
}
