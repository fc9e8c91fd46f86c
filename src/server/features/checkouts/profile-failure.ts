import type { Failure } from '#domain/failures.ts';
import { emailFailure, nameFailure, photoSizeFailure, storyFailure } from '#domain/profile.ts';
import { aboutField } from '#server/http/field-failure.ts';
import type { ProfileForm } from './profile-form.ts';

/** The first thing that is wrong with a profile, naming the field, so that the form can say it there (§5). */
export function profileFailure({ fields, photo }: ProfileForm): Failure | undefined {
  // Whoever is not to be shown owes the site no name, story or photo (decisions §5); what is given must still fit.
  const isShown = fields.shownAs !== 'none';
  return (
    aboutField('email', emailFailure(fields.email)) ??
    aboutField('name', isShown || fields.name !== '' ? nameFailure(fields.name) : undefined) ??
    aboutField('story', isShown || fields.story !== '' ? storyFailure(fields.story) : undefined) ??
    aboutField('file', isShown || photo ? photoSizeFailure(photo?.length ?? 0) : undefined)
  );
}
