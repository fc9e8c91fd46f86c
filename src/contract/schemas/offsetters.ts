import { z } from 'zod';
import { SHOWN_AS, STORY_STATUSES } from '#domain/profile.ts';
import { id, orgId } from './shared.ts';
import { profile, profileTexts, showsHomes, showsPounds } from './stories.ts';

const orgParams = z.strictObject({ orgid: orgId });
const offsetterParams = z.strictObject({ orgid: orgId, offsetterid: id });

export const editableOffsetter = profile
  .omit({ mine: true, pounds: true })
  .extend({
    shownAs: z.enum(SHOWN_AS),
    showsPounds: z.boolean(),
    showsHomes: z.boolean(),
    status: z.enum(STORY_STATUSES),
    mine: z.boolean().describe('True for the owner. No one else can see who the owner is.'),
  })
  .meta({ id: 'EditableOffsetter', description: 'An offsetter with the full name, for its owner and admins.' });

export type EditableOffsetter = z.infer<typeof editableOffsetter>;

export const offsetterFields = z
  .strictObject({
    orgid: orgId.optional(),
    ...profileTexts.partial().shape,
    shownAs: z.enum(SHOWN_AS).optional(),
    showsPounds,
    showsHomes,
  })
  .meta({
    id: 'OffsetterFields',
    description:
      "The text fields of the edit form; a new photo is the multipart file `file`. Name and story are required. Other omitted fields don't change.",
  });

export type OffsetterFields = z.infer<typeof offsetterFields>;

export const offsetterCalls = {
  readMyOffsetter: {
    summary: "Read the caller's own offsetter in an organization",
    description: 'For “My profile” (§2).',
    params: orgParams,
    response: editableOffsetter.nullable(),
  },
  readOffsetterToEdit: {
    summary: "Read an offsetter's story for editing",
    params: offsetterParams,
    response: editableOffsetter,
  },
  editOffsetter: {
    summary: "Edit an offsetter's story and photo",
    params: offsetterParams,
    form: offsetterFields,
    response: editableOffsetter,
  },
  claimOffsetter: {
    summary: "Accept or decline a story that was submitted for the caller's address",
    description: "Accepts or declines a story that was submitted with the caller's email address while logged out.",
    params: offsetterParams,
    body: z.strictObject({ mine: z.boolean() }),
    response: z.object({}),
  },
  deleteOffsetter: { summary: "Delete an offsetter's story", params: offsetterParams, response: z.object({}) },
};
