import { newId } from '#server/ids.ts';

/** A photo as a story keeps it. Its files need not be there. @returns what its column takes */
export function photoColumn(overrides: { key?: string; widths?: readonly number[] } = {}): string {
  return JSON.stringify({ key: newId(), width: 1200, height: 800, widths: [320, 640, 1200], ...overrides });
}
