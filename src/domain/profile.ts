import { type InLanguage, m } from '#messages';
import { splitCharacters } from './characters.ts';
import type { Failure } from './failures.ts';
import { formatWhole } from './money.ts';
import { profileFailure } from './profile-failures.ts';

/** Display of an offsetter: full name, first name only, or not at all (decisions §5). */
export const SHOWN_AS = ['full', 'first', 'none'] as const;
export type ShownAs = (typeof SHOWN_AS)[number];

/** draft: created, not shown. published: shown. hidden: taken down by an editor or a refund (decisions §5). */
export const STORY_STATUSES = ['draft', 'published', 'hidden'] as const;
export type StoryStatus = (typeof STORY_STATUSES)[number];

export const MIN_NAME_LENGTH = 3;
export const MAX_NAME_LENGTH = 60;
export const MIN_STORY_LENGTH = 26;
export const MAX_STORY_LENGTH = 10_000;

const MEGABYTE = 1_048_576;
/** A photo must be under this many bytes; exactly 25 MB is rejected (§5, decisions §5). */
export const PHOTO_LIMIT_BYTES = 25 * MEGABYTE;
/** The form warns about photos of this size or larger (§5). */
export const PHOTO_WARNING_BYTES = 15 * MEGABYTE;
export const MAX_PHOTO_MEGAPIXELS = 100;
/**
 * Maximum width or height in pixels. An image that is one pixel wide and millions of pixels tall takes too long to
 * decode.
 */
export const MAX_PHOTO_SIDE = 40_000;
export const PHOTO_FORMATS: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'];

export const MAX_EMAIL_LENGTH = 254;
const EMAIL_PATTERN =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** The HTML standard's address pattern, with at least one dot in the domain. */
export function isEmail(text: string): boolean {
  const local = text.split('@')[0] ?? '';
  const hasValidDots = !local.startsWith('.') && !local.endsWith('.') && !local.includes('..');
  // Some mail programs decode an encoded word (RFC 2047), which can then contain a line break or another address.
  const isEncodedWord = local.includes('=?');
  return text.length <= MAX_EMAIL_LENGTH && hasValidDots && !isEncodedWord && EMAIL_PATTERN.test(text);
}

/** @returns Failure no-email, invalid-email (§5) */
export function emailFailure(email: string): Failure | undefined {
  if (email.trim() === '') return profileFailure('no-email');
  return isEmail(email.trim()) ? undefined : profileFailure('invalid-email', { email: email.trim().slice(0, 100) });
}

/** Converts an email address to its stored form. @returns Failure no-email, invalid-email */
export function parseEmail(input: string): string | Failure {
  return emailFailure(input) ?? input.trim().toLowerCase();
}

/** "j***@visitor.example". Unlike an ellipsis, asterisks don't allow a line break before the "@". */
export function maskEmail(email: string): string {
  return email.replace(/^(.)[^@]*/u, '$1***');
}

/** @returns Failure no-name, name-too-short, name-too-long (§5) */
export function nameFailure(name: string): Failure | undefined {
  const length = visibleLength(name);
  if (length === 0) return profileFailure('no-name');
  if (length < MIN_NAME_LENGTH) return profileFailure('name-too-short', { min: MIN_NAME_LENGTH });
  return length > MAX_NAME_LENGTH ? profileFailure('name-too-long', { max: MAX_NAME_LENGTH }) : undefined;
}

/** @returns Failure no-story, story-too-short, story-too-long (§5) */
export function storyFailure(story: string): Failure | undefined {
  const length = visibleLength(story);
  if (length === 0) return profileFailure('no-story');
  if (length < MIN_STORY_LENGTH) return profileFailure('story-too-short', { min: MIN_STORY_LENGTH });
  return length > MAX_STORY_LENGTH
    ? profileFailure('story-too-long', { max: formatWhole(MAX_STORY_LENGTH) })
    : undefined;
}

/** @returns Failure no-img, photo-too-large (§5) */
export function photoSizeFailure(bytes: number): Failure | undefined {
  if (bytes === 0) return profileFailure('no-img');
  return bytes >= PHOTO_LIMIT_BYTES ? profileFailure('photo-too-large') : undefined;
}

/** A photo before its upload: its size in bytes, and its type according to the browser. */
export type SelectedPhoto = { readonly size: number; readonly type: string };

/** Validates a photo before its upload. The server checks types that the browser doesn't recognize. */
export function photoFailure(photo: SelectedPhoto | undefined): Failure | undefined {
  if (photo && photo.type !== '' && !PHOTO_FORMATS.includes(photo.type)) return profileFailure('photo-format');
  return photoSizeFailure(photo?.size ?? 0);
}

/** Warning about a photo of 15 MB or more (§5). */
export function photoWarning(bytes: number, options?: InLanguage): string | undefined {
  return bytes >= PHOTO_WARNING_BYTES ? m.photoMaximum({}, options) : undefined;
}

/**
 * A story's status after an edit. If stories are reviewed, an owner's change needs approval again. Otherwise a draft that
 * may be shown is published. A hidden story stays hidden.
 */
export function statusAfterEdit(
  currentStatus: StoryStatus,
  edit: {
    readonly shownAs: ShownAs;
    readonly requiresReview: boolean;
    readonly isOwnerEdit: boolean;
    readonly hasChanged: boolean;
  },
): StoryStatus {
  if (currentStatus === 'hidden') return currentStatus;
  if (edit.requiresReview) return edit.isOwnerEdit && edit.hasChanged ? 'draft' : currentStatus;
  return edit.shownAs === 'none' ? currentStatus : 'published';
}

export function isStoryShown(story: { readonly status: StoryStatus; readonly shownAs: ShownAs }): boolean {
  return story.status === 'published' && story.shownAs !== 'none';
}

export function formatPublicName(name: string, shownAs: ShownAs): string {
  if (shownAs === 'full') return name;
  const [beforeComma = '', afterComma = ''] = name.split(',').map((part) => part.trim().split(/\s+/));
  // "Lovelace, Ada", but not "Ada Lovelace, PhD".
  const words = beforeComma.length === 1 && afterComma[0] ? afterComma : beforeComma;
  return words[0] ?? '';
}

/** Counts the visible characters of the trimmed text: an emoji is one, however it is encoded. */
export function visibleLength(text: string): number {
  return splitCharacters(text.trim()).length;
}
