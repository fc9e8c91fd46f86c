import { useEffect, useState } from 'react';
import { browserText } from '#web/api/browser-text.ts';
import { readAddress } from '#web/navigation/address.ts';
import { useAddress, useNavigate } from '#web/navigation/use-navigator.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { sentLinkAddress } from './route.ts';

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

/**
 * The code of a mailed link. It is taken out of the address at once, so that nobody reads it there, nor in the
 * browser's history; the page keeps it for as long as it is shown.
 */
export function useMailedCode(given: string | undefined): string | undefined {
  const [code] = useState(given);
  const navigate = useNavigate();
  const address = useAddress();
  useEffect(() => {
    if (given !== undefined) void navigate(withoutCode(address), { replace: true, keepScroll: true });
  }, [given, navigate, address]);
  return code;
}

function withoutCode(address: string): string {
  const { path, search } = readAddress(address);
  const { code: _taken, ...rest } = search;
  const query = new URLSearchParams(rest).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The address that a sign-in link was asked for, so that the link need not ask for it again in the same browser (§4). */
export const keptEmail = () => browserText('email-for-sign-in');
