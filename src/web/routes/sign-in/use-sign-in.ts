import { useEffect, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import { parseAddress, withReturnTo } from '#web/navigation/address.ts';
import { useAddress, useNavigate } from '#web/navigation/use-navigator.ts';
import { withSearch } from '#web/navigation/with-search.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { getSignInEmailStorage } from '#web/session/sign-in-email-storage.ts';
import { sentLinkUrl } from './route.ts';

/**
 * The login methods. Each throws the API's error. A successful login changes the session, which reloads the page, and
 * its guard then opens `returnTo`. If the account has a second step, the second-step page opens first.
 */
export function useSignIn(returnTo: string | undefined) {
  const api = useApi();
  const session = useSessionStore();
  const navigate = useNavigate();
  const destination = returnTo === undefined ? {} : { returnTo };
  const finishLogin = async (response: ResponseBody<'signInWithPassword'>) => {
    if ('token' in response) await session.open(response);
    else await navigate(withReturnTo(pagePath('second-step-page', {}), returnTo), { replace: true });
  };
  return {
    signInWithPassword: async (credentials: { email: string; password: string }) => {
      await finishLogin(await api.call('signInWithPassword', { body: credentials }));
    },
    signInWithPasskey: async () => {
      const { askForPasskey } = await import('#web/session/passkeys.ts');
      const passkey = await askForPasskey(await api.call('startPasskeyLogin', {}));
      await session.open(await api.call('signInWithPasskey', { body: { passkey } }));
    },
    signInWithGoogle: async (email: string) => {
      const hint = email === '' ? {} : { loginHint: email };
      const { url } = await api.call('signInWithGoogle', { body: { ...destination, ...hint } });
      window.location.assign(url);
    },
    sendLink: async (email: string) => {
      await api.call('sendSignInLink', { body: { ...destination, email } });
      getSignInEmailStorage().write(email);
    },
    showSentPage: (email: string) => navigate(sentLinkUrl(email, returnTo)),
  };
}

/** The code from an emailed link. Removes it from the address bar and the history, where others could read it. */
export function useEmailedCode(emailedCode: string | undefined): string | undefined {
  const [code] = useState(emailedCode);
  const navigate = useNavigate();
  const address = useAddress();
  useEffect(() => {
    if (emailedCode !== undefined) void navigate(removeCode(address), { replace: true, keepScroll: true });
  }, [emailedCode, navigate, address]);
  return code;
}

function removeCode(address: string): string {
  const { path, search } = parseAddress(address);
  const { code: _removed, ...rest } = search;
  return withSearch(path, rest);
}
