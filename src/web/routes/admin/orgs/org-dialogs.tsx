import type { ChangeEvent } from 'react';
import { pagePath } from '#contract/pages.ts';
import { RESERVED_SLUGS } from '#contract/reserved-slugs.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { slugFailure } from '#domain/site-failures.ts';
import { MissingFields } from '#web/forms/form-card.tsx';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { groupTimeZones } from '#web/site/time-zones.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import {
  EMPTY_ORG,
  formatMissingFields,
  getFieldText,
  NEW_ORG_FIELDS,
  type NewOrgField,
  toNewOrgBody,
  validateNewOrg,
} from './new-org-draft.ts';
import styles from './orgs.module.css';

type CreateOrgDialogProps = {
  onCreate: (org: BodyInput<'createOrg'>) => Promise<void>;
  onClose: () => void;
};

/** Asks for the details of a new organization (§2, §6). */
export function CreateOrgDialog({ onCreate, onClose }: CreateOrgDialogProps) {
  const form = useForm({ initial: EMPTY_ORG, fields: NEW_ORG_FIELDS, validate: validateNewOrg });
  const { values, problems, errorOf, markTouched, change, busy } = form;
  const getFieldProps = (field: NewOrgField) => ({
    name: field,
    value: getFieldText(values, field),
    required: true,
    autoComplete: 'off',
    error: errorOf(field, getFieldText(values, field) === ''),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => change({ [field]: currentTarget.value }),
    onBlur: () => markTouched(field),
  });
  return (
    <FormDialog
      title="Create Org"
      confirmLabel={busy ? 'Creating…' : 'Create Org'}
      ready={Object.keys(problems).length === 0}
      form={form}
      onSubmit={() => onCreate(toNewOrgBody(values))}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <TextField label="Name" hint="Such as “Ithaca Climate Fund”." {...getFieldProps('name')} />
        <TextField
          label="Slug"
          prefix="/"
          hint="Lowercase letters, digits, and hyphens. You can change it later."
          autoCapitalize="none"
          spellCheck={false}
          {...getFieldProps('slug')}
        />
        <TextField
          className={styles.wide}
          label="Tag"
          hint="The tagline over the photo on the home page, such as “Warm homes, cooler planet”."
          {...getFieldProps('tag')}
        />
        <TextField
          label="Place (optional)"
          hint="The city the fund serves, such as “Ithaca, New York”."
          {...getFieldProps('place')}
          required={false}
        />
        <SelectField
          label="Time zone"
          options={groupTimeZones(values.timeZone)}
          value={values.timeZone}
          hint="Sets the date of each gift. Editors can change it."
          onChange={({ currentTarget }) => change({ timeZone: currentTarget.value })}
        />
        <TextField
          className={styles.wide}
          label="First editor’s email"
          type="email"
          hint="They manage the site and can add other editors. If they don’t have an account, we’ll email an invitation."
          {...getFieldProps('email')}
        />
      </div>
      <MissingFields fields={formatMissingFields(values)} />
    </FormDialog>
  );
}

export type CreatedOrg = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isInvited: boolean;
};

export function CreatedDialog({ org, onClose }: { org: CreatedOrg; onClose: () => void }) {
  const footer = (
    <>
      <Button kind="outline" onClick={onClose}>
        Close
      </Button>
      <ButtonLink to={pagePath('home-page', { orgid: org.id })}>Open the site</ButtonLink>
    </>
  );
  return (
    <Dialog title={`${org.name} is ready`} onClose={onClose} footer={footer}>
      <p>
        The site is live with starter text.{' '}
        {org.isInvited ? `We’ve emailed ${org.email} an invitation.` : `${org.email} is now its editor.`}
      </p>
      <p className={styles.next}>Next steps for its editor:</p>
      <ol className={styles.steps}>
        <li>Org settings: upload a header photo, and choose whether to show awardees.</li>
        <li>Edit pages: replace our starter text.</li>
        <li>Editors: add your team.</li>
      </ol>
    </Dialog>
  );
}

type SlugDialogProps = { org: Org; onSet: (slug: string) => Promise<void>; onClose: () => void };

/** Changes the slug, which only admins may do (§5). */
export function SlugDialog({ org, onSet, onClose }: SlugDialogProps) {
  const form = useForm({
    initial: { slug: org.slug },
    fields: ['slug'],
    validate: (values) => problemsByField({ slug: slugFailure(values.slug, RESERVED_SLUGS) }),
  });
  const { slug } = form.values;
  return (
    <FormDialog
      title={`Set slug for ${org.name}`}
      confirmLabel="Set slug"
      ready={form.problems.slug === undefined && slug !== org.slug}
      form={form}
      onSubmit={() => onSet(slug)}
      onClose={onClose}
    >
      <TextField
        label="Slug"
        prefix="/"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={`/${org.slug} will redirect to this site until another organization takes it.`}
        value={slug}
        error={form.errorOf('slug', false) ?? form.problems.slug}
        onChange={({ currentTarget }) => form.change({ slug: currentTarget.value })}
      />
    </FormDialog>
  );
}
