import { RESERVED_SLUGS } from '#contract/reserved-slugs.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { DEFAULT_TIME_ZONE, type TimeZone } from '#domain/days.ts';
import { normalizeTag, suggestSlug } from '#domain/org.ts';
import { emailFailure, nameFailure } from '#domain/profile.ts';
import { placeFailure, slugFailure, tagFailure } from '#domain/site-failures.ts';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { formatList } from '#web/ui/text.ts';

/** The fields that can be invalid, by API name, in form order. */
export const NEW_ORG_FIELDS = ['name', 'slug', 'tag', 'place', 'email'] as const;
export type NewOrgField = (typeof NEW_ORG_FIELDS)[number];

export type NewOrgDraft = {
  readonly name: string;
  /** Undefined while the slug is derived from the name. */
  readonly slug: string | undefined;
  readonly tag: string;
  /** Optional. */
  readonly place: string;
  readonly timeZone: TimeZone;
  readonly email: string;
};

export const EMPTY_ORG: NewOrgDraft = {
  name: '',
  slug: undefined,
  tag: '',
  place: '',
  timeZone: DEFAULT_TIME_ZONE,
  email: '',
};

export function getFieldText(draft: NewOrgDraft, field: NewOrgField): string {
  return field === 'slug' ? (draft.slug ?? suggestSlug(draft.name, RESERVED_SLUGS)) : draft[field];
}

export function validateNewOrg(draft: NewOrgDraft): Readonly<Partial<Record<NewOrgField, string>>> {
  return problemsByField({
    name: nameFailure(draft.name),
    slug: slugFailure(getFieldText(draft, 'slug'), RESERVED_SLUGS),
    tag: tagFailure(draft.tag),
    place: placeFailure(draft.place),
    email: emailFailure(draft.email),
  });
}

const FIELD_NAMES: Readonly<Record<NewOrgField, string>> = {
  name: 'a name',
  slug: 'a slug',
  tag: 'a tag',
  place: 'a shorter place',
  email: 'the first editor’s email',
};

/** "a tag and the first editor’s email": the fields without a valid value */
export function formatMissingFields(draft: NewOrgDraft): string {
  const problems = validateNewOrg(draft);
  const invalidFields = NEW_ORG_FIELDS.filter((field) => problems[field] !== undefined);
  return formatList(invalidFields.map((field) => FIELD_NAMES[field]));
}

export function toNewOrgBody(draft: NewOrgDraft): BodyInput<'createOrg'> {
  const { name, tag, place, timeZone, email } = draft;
  return {
    name: name.trim(),
    slug: getFieldText(draft, 'slug'),
    tag: normalizeTag(tag),
    place: place.trim(),
    timeZone,
    email: email.trim(),
  };
}
