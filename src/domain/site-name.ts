/** The site's name, for pages and emails that don't belong to an organization. */
export const SITE_NAME = 'City Climate Fund';

/** Removes the final period of a name at the end of a sentence, as in "Inc." and "Jr.". */
export function removeFinalPeriod(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
