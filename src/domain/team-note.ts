import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';
import { visibleLength } from './profile.ts';

export const TEAM_NOTE_MAXIMUM = 2000;

/** @returns Failure no-note, note-too-long */
export function teamNoteFailure(text: string): Failure | undefined {
  const length = visibleLength(text);
  if (length === 0) return formFailure('no-note');
  return length > TEAM_NOTE_MAXIMUM ? formFailure('note-too-long', { max: TEAM_NOTE_MAXIMUM }) : undefined;
}
