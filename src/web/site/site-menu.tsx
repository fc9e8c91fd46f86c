import { pagePath } from '#contract/pages.ts';
import { loginAddress } from '#web/navigation/address.ts';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { useSession, useSessionStore } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { MenuProps } from './header.tsx';
import { type DrawerAction, MenuDrawer } from './menu-drawer.tsx';
import type { SiteLink } from './org-links.ts';
import { adminLinks, editorLinks } from './own-links.ts';
import { useMyProfile } from './use-my-profile.tsx';

/** The drawer, as whoever is signed in sees it (§2). */
export function SiteMenu({ org, open, onClose }: MenuProps) {
  const session = useSession();
  const profile = useMyProfile(org);
  const own = useOwnEntries(profile.open);
  const more = [
    { label: 'For editors', entries: editorLinks(org.id, session) },
    { label: 'For admins', entries: adminLinks(session) },
    { label: 'My account', entries: own },
  ].filter(({ entries }) => entries.length > 0);
  return (
    <>
      {open && <MenuDrawer org={org} more={more} onClose={onClose} />}
      {profile.dialog}
    </>
  );
}

function useOwnEntries(openProfile: () => void): readonly (SiteLink | DrawerAction)[] {
  const { authenticated } = useSession();
  const store = useSessionStore();
  const toast = useToast();
  const address = useAddress();
  const logOut = async () => {
    await store.signOut();
    toast('You are logged out');
  };
  if (!authenticated) return [{ label: 'Login', to: loginAddress(address), icon: 'login' }];
  return [
    { label: 'My profile', icon: 'person', onClick: openProfile },
    { label: 'My giving', to: pagePath('user-home-page', {}), icon: 'heart' },
    { label: 'Logout', icon: 'logout', onClick: () => void logOut() },
  ];
}
