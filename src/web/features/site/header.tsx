import { lazy, Suspense, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { HouseMark } from '../../drawings/house-mark.tsx';
import { Link } from '../../navigation/link.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './header.module.css';
import { headerLinks } from './org-links.ts';

const loadDrawer = () => import('./menu-drawer.tsx');
const MenuDrawer = lazy(async () => ({ default: (await loadDrawer()).MenuDrawer }));

/** The top of every page. Where no organisation is known, such as on a not-found page, only the program's name. */
export function Header({ org }: { org: Org | undefined }) {
  return (
    <header className={styles.header} data-dark>
      <div className={styles.bar}>
        {org && <MenuButton org={org} />}
        <Link to={org ? pagePath('home-page', { orgid: org.id }) : '/'} className={styles.brand}>
          <HouseMark className={styles.mark} />
          <span className={styles.name}>{org?.name ?? PROGRAM_NAME}</span>
        </Link>
        {org && <OrgNavigation org={org} />}
      </div>
    </header>
  );
}

function OrgNavigation({ org }: { org: Org }) {
  return (
    <>
      <nav aria-label="Main" className={styles.links}>
        {headerLinks(org).map(({ label, to }) => (
          <Link key={label} to={to} className={styles.link}>
            {label}
          </Link>
        ))}
      </nav>
      <ButtonLink kind="action" to={pagePath('donate-page', { orgid: org.id })} className={styles.donate}>
        Donate
      </ButtonLink>
    </>
  );
}

/** The drawer's code comes when its button is pointed at or reached by key. */
function MenuButton({ org }: { org: Org }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles.menu}
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={() => void loadDrawer()}
        onFocus={() => void loadDrawer()}
        onClick={() => setOpen(true)}
      >
        <Icon name="menu" size={24} />
      </button>
      {open && (
        <Suspense>
          <MenuDrawer org={org} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
