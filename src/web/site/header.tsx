import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Role } from '#domain/permissions.ts';
import { SITE_NAME } from '#domain/site-name.ts';
import { m } from '#messages';
import { CART_HASH, formatItemCount, useCart } from '#web/cart/cart-store.ts';
import { HouseMark } from '#web/drawings/house-mark.tsx';
import { Link } from '#web/navigation/link.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { LanguageLinks } from './language-links.tsx';
import { headerLinks } from './org-links.ts';
import styles from './site.module.css';

type HeaderAccount = {
  /** My giving, or the login page. */
  readonly to: string;
  readonly isSignedIn: boolean;
  readonly needsAttention: boolean;
  /** The role in the page's organization. */
  readonly role: Role | undefined;
};

type HeaderProps = { org: Org | undefined; account: HeaderAccount };

/** Shows only the program's name if there is no organization, as on some not-found pages. */
export function Header({ org, account }: HeaderProps) {
  return (
    <header className={styles.header} data-dark>
      <div className={styles.bar}>
        {org && <MenuButton org={org} />}
        <Link to={org ? pagePath('home-page', { orgid: org.id }) : '/'} className={styles.brand}>
          <HouseMark className={styles.mark} />
          <span className={styles.name}>{org?.name ?? SITE_NAME}</span>
        </Link>
        {org && <OrgNavigation org={org} role={account.role} />}
        <LanguageLinks className={styles.language} />
        {org && <CartLink orgId={org.id} />}
        <AccountLink {...account} />
      </div>
    </header>
  );
}

function OrgNavigation({ org, role }: { org: Org; role: Role | undefined }) {
  return (
    <>
      <nav aria-label={m.navMain()} className={styles.links}>
        {headerLinks(org).map(({ label, to }) => (
          <Link key={label} to={to} className={styles.link} isSection>
            {label}
          </Link>
        ))}
      </nav>
      {role && <EditLink orgId={org.id} role={role} />}
      <ButtonLink kind="action" to={pagePath('donate-page', { orgid: org.id })} className={styles.donate}>
        {m.navDonate()}
      </ButtonLink>
    </>
  );
}

/** Link to the editor area. In a narrow window, only its icon is shown. */
function EditLink({ orgId, role }: { orgId: string; role: Role }) {
  const label = role === 'reader' ? m.navOverview() : m.navEdit();
  return (
    <Link to={pagePath('overview-page', { orgid: orgId })} className={styles.edit} aria-label={label}>
      <Icon name={role === 'reader' ? 'chart' : 'pencil'} />
      <span>{label}</span>
    </Link>
  );
}

/** Link to the cart on the home page, with the number of items in it. Omitted while the cart is empty. */
function CartLink({ orgId }: { orgId: string }) {
  const { length } = useCart(orgId).lines;
  if (length === 0) return null;
  return (
    <Link
      to={`${pagePath('home-page', { orgid: orgId })}#${CART_HASH}`}
      className={styles.cart}
      // The link points to a part of the home page, which may be the current page.
      aria-current={false}
      aria-label={m.cartHolds({ items: formatItemCount(length) })}
    >
      <Icon name="cart" size={24} />
      <span className={styles.count}>{length}</span>
    </Link>
  );
}

/** A profile icon when logged in, otherwise a login icon (§2). */
function AccountLink({ to, isSignedIn, needsAttention }: Omit<HeaderAccount, 'role'>) {
  const label = isSignedIn ? m.navMyGiving() : m.logIn();
  return (
    <Link to={to} className={styles.account} aria-label={needsAttention ? m.navVerifyEmail({ label }) : label}>
      <Icon name={isSignedIn ? 'person' : 'login'} size={24} />
      {needsAttention && <span className={styles.dot} />}
    </Link>
  );
}

/** Loaded when a visitor hovers over or focuses the menu button. */
const loadMenu = () => import('./site-menu.tsx');
const prefetchMenu = () => void loadMenu().catch(() => {});

function MenuButton({ org }: { org: Org }) {
  const toast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  // Stays mounted after closing, because an action, such as opening a dialog, may still be running.
  const [menuModule, setMenuModule] = useState<typeof import('./site-menu.tsx')>();
  const show = () =>
    void loadMenu().then(
      (loadedModule) => {
        setMenuModule(loadedModule);
        setIsOpen(true);
      },
      () => toast(m.notLoaded()),
    );
  return (
    <>
      <button
        type="button"
        className={styles.menu}
        aria-label={m.navMenu()}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={prefetchMenu}
        onFocus={prefetchMenu}
        onClick={show}
      >
        <Icon name="menu" size={24} />
      </button>
      {menuModule && <menuModule.SiteMenu org={org} open={isOpen} onClose={() => setIsOpen(false)} />}
    </>
  );
}
