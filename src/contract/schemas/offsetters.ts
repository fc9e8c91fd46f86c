import { z } from 'zod';
import { SHOWN_AS } from '#domain/profile.ts';
import { id, orgId } from './shared.ts';
import { profile, profileTexts, showsHomes, showsPounds } from './stories.ts';

const inOrg = z.strictObject({ orgid: orgId });
const offsetterParams = z.strictObject({ orgid: orgId, offsetterid: id });

/** An offsetter with the full name, for its owner and admins. */
export const editableOffsetter = profile.omit({ mine: true, pounds: true }).extend({
  shownAs: z.enum(SHOWN_AS),
  showsPounds: z.boolean(),
  showsHomes: z.boolean(),
  status: z.enum(['draft', 'published', 'hidden']),
  /** True for the owner. No one else learns who the owner is (decisions §4). */
  mine: z.boolean(),
});

export type EditableOffsetter = z.infer<typeof editableOffsetter>;

/**
 * The text fields of the edit form; a new photo is the multipart file `file` (§7). Name and story are required, with
 * their own errors (§8). Other omitted fields don't change.
 */
export const offsetterFields = z.strictObject({
  orgid: orgId.optional(),
  ...profileTexts.partial().shape,
  shownAs: z.enum(SHOWN_AS).optional(),
  showsPounds,
  showsHomes,
});

export type OffsetterFields = z.infer<typeof offsetterFields>;

export const offsetterCalls = {
  /** The caller's own offsetter in the organization (§2, My profile). */
  readMyOffsetter: { params: inOrg, answer: editableOffsetter.nullable() },
  readOffsetterToEdit: { params: offsetterParams, answer: editableOffsetter },
  editOffsetter: { params: offsetterParams, form: offsetterFields, answer: editableOffsetter },
  /** Claims or rejects a story that was sent with the caller's address (decisions §4). */
  claimOffsetter: { params: offsetterParams, body: z.strictObject({ mine: z.boolean() }), answer: z.object({}) },
  deleteOffsetter: { params: offsetterParams, answer: z.object({}) },
};
