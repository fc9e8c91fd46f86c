import { type ChangeEvent, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import type { SentBody } from '#contract/schemas.ts';
import { failedSentence, type Refusal, refusalOf } from '#web/api/refusal.ts';
import { useFieldErrors } from '#web/api/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import {
  NEW_ORG_FIELDS,
  type NewOrgDraft,
  type NewOrgField,
  NO_ORG,
  newOrgOf,
  newOrgProblems,
  textIn,
} from './new-org-draft.ts';
import styles from './orgs.module.css';

type CreateOrgDialogProps = {
  onCreate: (org: SentBody<'createOrg'>) => Promise<void>;
  onClose: () => void;
};

type Sending = { readonly busy: boolean; readonly refusal: Refusal<NewOrgField> | undefined };

/** Asks for what a new organisation needs, and says what each of it is for (§2, §6). */
export function CreateOrgDialog({ onCreate, onClose }: CreateOrgDialogProps) {
  const formId = useId();
  const [draft, setDraft] = useState<NewOrgDraft>(NO_ORG);
  const [{ busy, refusal }, setSending] = useState<Sending>({ busy: false, refusal: undefined });
  const form = useFocusOnRefused(refusal);
  const problems = newOrgProblems(draft);
  const { errorOf, leave } = useFieldErrors(problems, refusal);
  const isFine = Object.keys(problems).length === 0;
  const create = async () => {
    setSending({ busy: true, refusal: undefined });
    try {
      await onCreate(newOrgOf(draft));
    } catch (error) {
      const lost = { field: undefined, message: failedSentence(error) };
      setSending({ busy: false, refusal: refusalOf(error, NEW_ORG_FIELDS) ?? lost });
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isFine && !busy) void create();
  };
  const typing = (field: NewOrgField) => ({
    name: field,
    value: textIn(draft, field),
    required: true,
    autoComplete: 'off',
    disabled: busy,
    error: errorOf(field, textIn(draft, field) === ''),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      setDraft((before) => ({ ...before, [field]: currentTarget.value }));
      if (refusal?.field === field || refusal?.field === undefined) setSending({ busy: false, refusal: undefined });
    },
    onBlur: () => leave(field),
  });
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} kind="action" busy={busy} disabled={!isFine}>
        {busy ? 'Creating…' : 'Create Org'}
      </Button>
    </>
  );
  return (
    <Dialog title="Create Org" open onClose={() => !busy && onClose()} footer={footer}>
      <form id={formId} ref={form} onSubmit={submit} noValidate className={styles.form}>
        <TextField label="Name" hint="As it stands in the header: “Ithaca Climate Fund”." {...typing('name')} />
        <TextField
          label="Slug"
          prefix="/"
          hint="The short address of the site: small letters, digits and hyphens. You can change it later."
          autoCapitalize="none"
          spellCheck={false}
          {...typing('slug')}
        />
        <TextField
          label="Tag"
          hint="The heading over the picture on the home page: “Warm homes, cooler planet”."
          {...typing('tag')}
        />
        <TextField
          label="First editor’s email"
          type="email"
          hint="Looks after the site, and adds other editors. Whoever has no account yet is invited by mail."
          {...typing('email')}
        />
      </form>
      <Problem>{refusal && refusal.field === undefined ? refusal.message : ''}</Problem>
    </Dialog>
  );
}

/** Takes the reader to the field that was refused. */
function useFocusOnRefused(refusal: Refusal<NewOrgField> | undefined) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusal?.field) form.current?.querySelector<HTMLElement>(`[name="${refusal.field}"]`)?.focus();
  }, [refusal]);
  return form;
}
