/** The program's name, where no organization's name applies. */
export const PROGRAM_NAME = 'City Climate Fund';

/** A name before the period of a sentence: "Inc." and "Jr." bring their own. */
export function beforePeriod(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
