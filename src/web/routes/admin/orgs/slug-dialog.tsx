import { type SubmitEvent, useId, useState } from 'react';
import { RESERVED_SLUGS } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { slugFailure } from '#domain/org.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';

type SlugDialogProps = { org: Org; onSet: (slug: string) => Promise<void>; onClose: () => void };

/** Gives an organisation another slug, as admins alone can (§5). */
export function SlugDialog({ org, onSet, onClose }: SlugDialogProps) {
  const formId = useId();
  const [slug, setSlug] = useState(org.slug);
  const { busy, problem, run, clear } = useAttempt();
  const failure = slugFailure(slug, RESERVED_SLUGS);
  const isReady = !failure && slug !== org.slug;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady) void run(() => onSet(slug));
  };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} busy={busy} disabled={!isReady}>
        Set the slug
      </Button>
    </>
  );
  return (
    <Dialog title={`Slug of ${org.name}`} open onClose={() => !busy && onClose()} footer={footer}>
      <form id={formId} onSubmit={submit} noValidate>
        <TextField
          label="Slug"
          prefix="/"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={`Links to /${org.slug} no longer lead to this site then. Its other addresses stay.`}
          value={slug}
          error={problem ?? failure?.message}
          onChange={({ currentTarget }) => {
            setSlug(currentTarget.value);
            clear();
          }}
        />
      </form>
    </Dialog>
  );
}
