/** The program's name, where no organization's name applies. */
export const PROGRAM_NAME = 'City Climate Fund';
