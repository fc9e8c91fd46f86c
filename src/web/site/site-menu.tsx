import { type ReactNode, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { m } from '#messages';
import { loginUrl } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useAddress, useNavigate, useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSession, useSessionStore } from '#web/session/app-context.ts';
import { Drawer } from '#web/ui/drawer.tsx';
import { ExtendedIcon, type ExtendedIconName } from '#web/ui/extended-icon.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { LanguageLinks } from './language-links.tsx';
import { headerLinks, type SiteLink } from './org-links.ts';
import { adminLinks, editorDrawerLinks } from './role-links.ts';
import styles from './site-menu.module.css';

type SiteMenuProps = { org: Org; open: boolean; onClose: () => void };

/** The menu drawer, for visitors, logged-in users, editors, and admins (§2). */
export function SiteMenu({ org, open, onClose }: SiteMenuProps) {
  const session = useSession();
  const profile = useMyProfile(org);
  const account = useAccountEntries(profile.openProfile);
  const groups = [
    { label: m.navForEditors(), entries: editorDrawerLinks(org.id, session) },
    { label: m.navForAdmins(), entries: adminLinks(session) },
    { label: m.navMyAccount(), entries: account },
  ].filter(({ entries }) => entries.length > 0);
  return (
    <>
      {open && <MenuDrawer org={org} groups={groups} onClose={onClose} />}
      {profile.dialog}
    </>
  );
}

function useAccountEntries(openProfile: () => Promise<void>): readonly (SiteLink | DrawerAction)[] {
  const { authenticated } = useSession();
  const store = useSessionStore();
  const toast = useToast();
  const address = useAddress();
  const { leave } = useNavigator();
  const logOut = async () => {
    await store.signOut();
    toast(m.loggedOut());
  };
  if (!authenticated) return [{ label: m.navLogin(), to: loginUrl(address), icon: 'login' }];
  return [
    { label: m.navMyProfile(), icon: 'person', onClick: () => void openProfile() },
    { label: m.navMyGiving(), to: pagePath('user-home-page', {}), icon: 'heart' },
    { label: m.navAccountSecurity(), to: pagePath('account-page', {}), icon: 'shield' },
    { label: m.navLogout(), icon: 'logout', onClick: () => void leave(logOut) },
  ];
}

/** A menu entry with an action instead of a link. */
type DrawerAction = { readonly label: string; readonly icon: ExtendedIconName; readonly onClick: () => void };

type MenuDrawerProps = {
  org: Org;
  /** The groups of entries after the public links. */
  groups: readonly { readonly label: string; readonly entries: readonly (SiteLink | DrawerAction)[] }[];
  onClose: () => void;
};

/** The public links (§2), and the page for households. */
function publicLinks(org: Org): SiteLink[] {
  const params = { orgid: org.id };
  return [
    ...headerLinks(org),
    { label: m.navDonate(), to: pagePath('donate-page', params), icon: 'gift' },
    { label: m.navHelp(), to: pagePath('help-page', params), icon: 'home' },
    { label: m.headPounds(), to: pagePath('pounds-page', params), icon: 'chart' },
    { label: m.navQrCode(), to: pagePath('qrcode-page', params), icon: 'qr' },
    { label: m.navAbout(), to: pagePath('about-page', params), icon: 'info' },
    { label: m.navPrivacy(), to: pagePath('privacy-page', params), icon: 'shield' },
  ];
}

function MenuDrawer({ org, groups, onClose }: MenuDrawerProps) {
  return (
    <Drawer title={org.name} onClose={onClose}>
      <nav aria-label={m.navMenu()}>
        <Entries entries={publicLinks(org)} onClose={onClose} />
        {groups.map(({ label, entries }) => (
          <section key={label} aria-label={label} className={styles.group}>
            <Entries entries={entries} onClose={onClose} />
          </section>
        ))}
        <div className={styles.group}>
          <LanguageLinks className={styles.link} />
        </div>
      </nav>
    </Drawer>
  );
}

function Entries({ entries, onClose }: { entries: readonly (SiteLink | DrawerAction)[]; onClose: () => void }) {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.label}>
          {'to' in entry ? (
            <Link to={entry.to} className={styles.link} onClick={onClose} isSection>
              <ExtendedIcon name={entry.icon} />
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
              <ExtendedIcon name={entry.icon} />
              {entry.label}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** "My profile" (§2): opens the user's offsetter in the organization, or a dialog if the user has none. */
function useMyProfile({ id: orgId }: Org): { openProfile: () => Promise<void>; dialog: ReactNode } {
  const api = useApi();
  const navigate = useNavigate();
  const toast = useToast();
  const { emailVerified } = useSession();
  const [dialogModule, setDialogModule] = useState<typeof import('./no-offsetter-dialog.tsx')>();
  const openProfile = async () => {
    try {
      const offsetter = await api.call('readMyOffsetter', { params: { orgid: orgId } });
      if (offsetter) await navigate(pagePath('edit-offsetter-page', { orgid: orgId, offsetterid: offsetter.id }));
      else setDialogModule(await import('./no-offsetter-dialog.tsx'));
    } catch {
      toast(m.profileNotLoaded());
    }
  };
  const dialog = dialogModule && (
    <dialogModule.NoOffsetterDialog isVerified={emailVerified} onClose={() => setDialogModule(undefined)} />
  );
  return { openProfile, dialog };
}
