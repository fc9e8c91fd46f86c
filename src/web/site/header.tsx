import { type ComponentType, Suspense, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { HouseMark } from '#web/drawings/house-mark.tsx';
import { Link } from '#web/navigation/link.tsx';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import styles from './header.module.css';
import { currentWithin, headerLinks } from './org-links.ts';

/** The drawer, whose code comes when its button is pointed at or reached by key. */
export type LateMenu = {
  readonly Menu: ComponentType<MenuProps>;
  readonly fetch: () => void;
};
export type MenuProps = { org: Org; open: boolean; onClose: () => void };

/** Whoever is signed in, or how one signs in. */
export type HeaderAccount = {
  /** Where the icon leads: to one's own page, or to the login page. */
  readonly to: string;
  readonly isSignedIn: boolean;
  /** Whether something waits there. */
  readonly hasNews: boolean;
};

type HeaderProps = { org: Org | undefined; account: HeaderAccount; menu: LateMenu };

/** The top of every page. Where no organisation is known, such as on a not-found page, only the program's name. */
export function Header({ org, account, menu }: HeaderProps) {
  return (
    <header className={styles.header} data-dark>
      <div className={styles.bar}>
        {org && <MenuButton org={org} menu={menu} />}
        <Link to={org ? pagePath('home-page', { orgid: org.id }) : '/'} className={styles.brand}>
          <HouseMark className={styles.mark} />
          <span className={styles.name}>{org?.name ?? PROGRAM_NAME}</span>
        </Link>
        {org && <OrgNavigation org={org} />}
        <AccountLink {...account} />
      </div>
    </header>
  );
}

function OrgNavigation({ org }: { org: Org }) {
  const address = useAddress();
  return (
    <>
      <nav aria-label="Main" className={styles.links}>
        {headerLinks(org).map(({ label, to }) => (
          <Link key={label} to={to} className={styles.link} {...currentWithin(to, address)}>
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

/** The profile icon of whoever is signed in, else the login icon (§2). */
function AccountLink({ to, isSignedIn, hasNews }: HeaderAccount) {
  const label = isSignedIn ? 'My giving' : 'Log in';
  return (
    <Link to={to} className={styles.account} aria-label={hasNews ? `${label} (please verify your email)` : label}>
      <Icon name={isSignedIn ? 'person' : 'login'} size={24} />
      {hasNews && <span className={styles.news} />}
    </Link>
  );
}

function MenuButton({ org, menu: { Menu, fetch } }: { org: Org; menu: LateMenu }) {
  const [open, setOpen] = useState(false);
  // What the menu was asked for may go on after it has closed.
  const [wanted, setWanted] = useState(false);
  const show = () => {
    setOpen(true);
    setWanted(true);
  };
  return (
    <>
      <button
        type="button"
        className={styles.menu}
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={fetch}
        onFocus={fetch}
        onClick={show}
      >
        <Icon name="menu" size={24} />
      </button>
      {wanted && (
        <Suspense>
          <Menu org={org} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
