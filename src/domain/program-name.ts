/** What the software calls itself where no organisation gives its own name. */
export const PROGRAM_NAME = 'City Climate Fund';
