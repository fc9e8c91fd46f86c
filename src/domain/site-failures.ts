import { m } from '#messages';
import { type CellRef, isTag, MAX_CELL_LENGTH } from './cells.ts';
import type { Failure, LocalizedText } from './failures.ts';
import { formFailure } from './form-failures.ts';
import { formatWhole } from './money.ts';
import { isSlug, MAX_SLUG_LENGTH, MAX_TAG_LENGTH, MIN_SLUG_LENGTH } from './org.ts';
import { MAX_NAME_LENGTH, visibleLength } from './profile.ts';
import { textFailure } from './safe-text.ts';

/** @returns Failure no-slug, slug-invalid, slug-reserved */
export function slugFailure(slug: string, reserved: readonly string[]): Failure | undefined {
  if (slug === '') return formFailure('no-slug');
  if (!isSlug(slug, [])) return formFailure('slug-invalid', { min: MIN_SLUG_LENGTH, max: MAX_SLUG_LENGTH });
  return reserved.includes(slug) ? formFailure('slug-reserved', { slug }) : undefined;
}

/** @returns Failure no-tag, tag-too-long */
export function tagFailure(tag: string): Failure | undefined {
  const length = visibleLength(tag);
  if (length === 0) return formFailure('no-tag');
  return length > MAX_TAG_LENGTH ? formFailure('tag-too-long', { max: MAX_TAG_LENGTH }) : undefined;
}

/** @returns Failure text-empty, text-too-long, no-tag, tag-too-long */
export function cellFailure(cell: CellRef, text: string): Failure | undefined {
  if (text.trim() === '') return formFailure('text-empty');
  if (isTag(cell)) return tagFailure(text);
  // In UTF-16 units, not visible characters, to limit the work of rendering.
  const excess = text.length - MAX_CELL_LENGTH;
  if (excess <= 0) return undefined;
  return formFailure('text-too-long', { max: formatWhole(MAX_CELL_LENGTH), over: formatWhole(excess) });
}

const placeLabel: LocalizedText = (options) => m.thePlace({}, options);

/** Validates the optional name of the city that an organization serves. */
export function placeFailure(place: string): Failure | undefined {
  if (visibleLength(place) > MAX_NAME_LENGTH) return formFailure('place-too-long', { max: MAX_NAME_LENGTH });
  return textFailure(place.normalize().trim(), placeLabel);
}
