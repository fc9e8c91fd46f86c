import type { CellName, CellPage } from '#domain/cells.ts';
import { defaultCell } from '#domain/default-cells.ts';
import type { Language } from '#messages';

/** The contact address of the tests' site, which some default texts quote. */
export const CONTACT_EMAIL = 'contact@sample.example';

/** The default text of a cell on the tests' site. */
export function defaultText(page: CellPage, name: CellName, locale?: Language): string {
  return defaultCell(page, name, { email: CONTACT_EMAIL, ...(locale ? { locale } : {}) });
}
