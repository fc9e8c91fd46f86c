import type { User } from '#contract/schemas/users.ts';
import { listed } from '#web/ui/listed.ts';

/** Whether a password is set: one who came by a link or by Google may have none. */
export function hasPassword({ providerData }: Pick<User, 'providerData'>): boolean {
  return providerData.some(({ providerId }) => providerId === 'password');
}

/** "A link by email, a password, and Google": the link works for every address. */
export function waysOfSigningIn({ providerData }: Pick<User, 'providerData'>): string {
  const others = providerData.map(({ providerId }) => (providerId === 'password' ? 'a password' : named(providerId)));
  return listed(['A link by email', ...others]);
}

/** "google" is Google to people. */
function named(providerId: string): string {
  return providerId.charAt(0).toUpperCase() + providerId.slice(1);
}

/** What has to be typed before an account is deleted. */
export const DELETE_WORD = 'delete';

/** Whether somebody who wants to delete the account has typed so. */
export function isTypedDelete(text: string): boolean {
  return text.trim().toLowerCase() === DELETE_WORD;
}
