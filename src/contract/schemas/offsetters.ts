import { z } from 'zod';
import { NAME_MAXIMUM, SHOWN_AS, STORY_MAXIMUM } from '#domain/profile.ts';
import { id } from './shared.ts';
import { profile } from './stories.ts';

const inOrg = z.strictObject({ orgid: id });
const offsetterParams = z.strictObject({ orgid: id, offsetterid: id });

/** An offsetter as its owner and admins see it: the name as it was given, and whether it is shown. */
export const editableOffsetter = profile.omit({ mine: true }).extend({
  shownAs: z.enum(SHOWN_AS),
  status: z.enum(['draft', 'published', 'hidden']),
  /** Whether the bearer owns it. Nobody else is told whose it is (decisions §4). */
  mine: z.boolean(),
});

export type EditableOffsetter = z.infer<typeof editableOffsetter>;

/** The text fields of the edit form; a new photo is the multipart file `file` (§7). What is absent stays. */
export const offsetterFields = z.strictObject({
  orgid: id.optional(),
  name: z.string().max(NAME_MAXIMUM * 20),
  story: z.string().max(STORY_MAXIMUM * 10),
  shownAs: z.enum(SHOWN_AS).optional(),
});

export type OffsetterFields = z.infer<typeof offsetterFields>;

export const offsetterCalls = {
  /** The bearer's own offsetter in the organisation (§2, My profile). */
  readMyOffsetter: { params: inOrg, answer: editableOffsetter.nullable() },
  readOffsetterToEdit: { params: offsetterParams, answer: editableOffsetter },
  editOffsetter: { params: offsetterParams, form: offsetterFields, answer: editableOffsetter },
  deleteOffsetter: { params: offsetterParams, answer: z.object({}) },
};
