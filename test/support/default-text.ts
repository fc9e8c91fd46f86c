import type { CellName, CellPage } from '#domain/cells.ts';
import { defaultCell } from '#domain/default-cells.ts';
import type { Language } from '#messages';

/** The contact address of the tests' site, which some default texts quote. */
export const CONTACT_EMAIL = 'contact@sample.example';

/** The help page that the default FAQ links to. */
export const HELP_PATH = '/orgs/valley/help';

/** The default text of a cell on the tests' site. */
export function defaultText(page: CellPage, name: CellName, locale?: Language): string {
  return defaultCell(page, name, { email: CONTACT_EMAIL, helpPath: HELP_PATH, ...(locale ? { locale } : {}) });
}
