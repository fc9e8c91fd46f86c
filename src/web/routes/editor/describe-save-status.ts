import { m } from '#messages';

/** The sentence next to a form's Save button. */
export function describeSaveStatus(isUnsaved: boolean): string {
  return isUnsaved ? m.leaveText() : 'All changes are saved.';
}
