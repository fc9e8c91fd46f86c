/** The program's name, used without an organization. */
export const SITE_NAME = 'City Climate Fund';

/** A name before the period of a sentence. "Inc." and "Jr." already end in one. */
export function withoutFinalPeriod(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
