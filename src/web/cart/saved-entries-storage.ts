import { getStoredText } from '#web/browser/stored-text.ts';

/** The calculators' fields, as text. */
export const getEntriesStorage = (orgId: string) => getStoredText(`calculators:${orgId}`);
