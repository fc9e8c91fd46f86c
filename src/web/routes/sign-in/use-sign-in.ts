import { useNavigate } from '#web/navigation/use-navigator.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { keptEmail } from '#web/session/kept-email.ts';
import { sentLinkAddress } from './sign-in-addresses.ts';

/**
 * The ways of signing in. Each one throws what its call is refused with; whoever is in is led on by the page itself,
 * which is loaded anew when the session changes.
 * @param returnTo where the way leads afterwards
 */
export function useSignIn(returnTo: string | undefined) {
  const api = useApi();
  const session = useSessionStore();
  const navigate = useNavigate();
  const way = returnTo === undefined ? {} : { returnTo };
  return {
    byPassword: async (credentials: { email: string; password: string }) => {
      await session.open(await api.call('signInByPassword', { body: credentials }));
    },
    byGoogle: async (email: string) => {
      const hint = email === '' ? {} : { loginHint: email };
      const { url } = await api.call('signInByGoogle', { body: { ...way, ...hint } });
      window.location.assign(url);
    },
    sendLink: async (email: string) => {
      await api.call('sendSignInLink', { body: { ...way, email } });
      keptEmail().write(email);
    },
    showSent: (email: string) => navigate(sentLinkAddress(email, returnTo)),
  };
}
