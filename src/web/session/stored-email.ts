import { storedText } from '#web/browser/stored-text.ts';

/** The email that requested a login link, so that the link works in this browser without asking for the email (§4). */
export const storedEmail = () => storedText('email-for-sign-in');
