import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';
import { visibleLength } from './profile.ts';

export const MAX_TEAM_NOTE_LENGTH = 2000;

/** @returns Failure no-note, note-too-long */
export function teamNoteFailure(text: string): Failure | undefined {
  const length = visibleLength(text);
  if (length === 0) return formFailure('no-note');
  return length > MAX_TEAM_NOTE_LENGTH ? formFailure('note-too-long', { max: MAX_TEAM_NOTE_LENGTH }) : undefined;
}
