import { newId } from '#server/db/new-id.ts';

/** A story's photo without files, as stored in its column. */
export function createPhotoColumn(overrides: { key?: string; widths?: readonly number[] } = {}): string {
  return JSON.stringify({ key: newId(), width: 1200, height: 800, widths: [320, 640, 1200], ...overrides });
}
