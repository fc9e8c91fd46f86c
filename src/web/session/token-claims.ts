/** What the page needs to know of a token before anybody was asked whose it is. */
export type TokenClaims = { readonly uid: string; readonly email: string };

/** Reads a token without proving it: the server does that at each call. What is no token claims nothing. */
export function claimsOf(token: string): TokenClaims {
  const claims = payloadOf(token);
  const text = (name: string) => {
    const value: unknown = claims[name];
    return typeof value === 'string' ? value : '';
  };
  return { uid: text('sub'), email: text('email') };
}

function payloadOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const base64 = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return {};
  }
}
