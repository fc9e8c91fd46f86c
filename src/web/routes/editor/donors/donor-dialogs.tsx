import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { DonorName, DonorRecord } from '#contract/schemas/donors.ts';
import { reasonFailure } from '#domain/books.ts';
import { MAX_POSTAL_ADDRESS_LENGTH, postalAddressFailure } from '#domain/donor.ts';
import { formatDollars } from '#domain/money.ts';
import { emailFailure } from '#domain/profile.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { ReasonField } from '../payment-fields.tsx';
import { formatGiftCount, getDonorName } from './donor-labels.ts';
import { donorMatchesQuery } from './route.ts';

type DialogProps = { orgId: string; donor: DonorRecord; onClose: () => void };

/** Asks for a new email and postal address, and for the reason, which stays on record. */
export function EditContactDialog({ orgId, donor, onClose }: DialogProps) {
  const api = useApi();
  const toast = useToast();
  const form = useForm({
    initial: { email: donor.email ?? '', postalAddress: donor.postalAddress ?? '', reason: '' },
    fields: ['email', 'postalAddress', 'reason'],
    validate: ({ email, postalAddress, reason }) =>
      problemsByField({
        email: email.trim() === '' ? undefined : emailFailure(email),
        postalAddress: postalAddressFailure(postalAddress),
        reason: reasonFailure(reason),
      }),
  });
  const save = async () => {
    await api.call('correctDonor', { params: { orgid: orgId, donorid: donor.id }, body: form.values });
    onClose();
    toast('Addresses corrected');
  };
  return (
    <FormDialog title="Edit contact" confirmLabel="Save" form={form} onSubmit={save} onClose={onClose}>
      <p>
        Receipts and yearly statements go to these addresses. Links for managing gifts still go only to the email that
        was given with the gifts{donor.giftEmail === null ? '' : `: ${donor.giftEmail}`}.
      </p>
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        hint="Undelivered receipts will be sent to this address now, and the old address will be notified."
        {...form.fieldProps('email')}
      />
      <TextArea
        label="Postal address"
        rows={4}
        maxLength={MAX_POSTAL_ADDRESS_LENGTH}
        {...form.fieldProps('postalAddress')}
      />
      <ReasonField hint="Kept on record with your name." form={form} />
    </FormDialog>
  );
}

/** Asks which donor to merge into this one. */
export function MergeDialog({ orgId, donor, onClose }: DialogProps) {
  const api = useApi();
  const toast = useToast();
  const [search, setSearch] = useState('');
  const form = useForm({
    initial: { query: '', otherId: '', reason: '' },
    fields: ['query', 'reason'],
    validate: ({ reason }) => problemsByField({ reason: reasonFailure(reason) }),
  });
  const { values, change, fieldProps } = form;
  const matches = useQuery({ ...donorMatchesQuery(api, orgId, search), enabled: search !== '' });
  const find = () => {
    change({ otherId: '' });
    const query = values.query.trim();
    if (query === search && matches.isError) void matches.refetch();
    else setSearch(query);
  };
  const otherDonors = (matches.data ?? []).filter(({ id }) => id !== donor.id);
  const merge = async () => {
    const params = { orgid: orgId, donorid: donor.id };
    await api.call('mergeDonor', { params, body: { otherid: values.otherId, reason: values.reason } });
    onClose();
    toast('Donors merged');
  };
  return (
    <FormDialog
      title="Merge donors"
      confirmLabel="Merge"
      ready={values.otherId !== ''}
      form={form}
      onSubmit={merge}
      onClose={onClose}
    >
      <p>
        For one person or household with two addresses. The other donor’s gifts will be added to {getDonorName(donor)}.
        You can separate them again later.
      </p>
      <TextField
        label="Other donor’s name or email"
        autoComplete="off"
        suffix={
          <Button kind="quiet" onClick={find}>
            Search
          </Button>
        }
        {...fieldProps('query')}
        onChange={({ currentTarget }) => change({ query: currentTarget.value, otherId: '' })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          find();
        }}
      />
      <Problem>{matches.error ? failureMessage(matches.error) : undefined}</Problem>
      <output>{matches.data && otherDonors.length === 0 && 'No other donor found.'}</output>
      {otherDonors.length > 0 && (
        <ChoiceGroup
          legend="Other donor"
          options={otherDonors.map((other) => ({
            value: other.id,
            label: getDonorName(other),
            hint: [other.name ? other.email : '', formatGiftCount(other), formatDollars(other.lifetime)]
              .filter(Boolean)
              .join(' · '),
          }))}
          value={values.otherId}
          onChange={(otherId) => change({ otherId })}
        />
      )}
      <ReasonField hint="Kept on record with your name." form={form} />
    </FormDialog>
  );
}

type SeparateDialogProps = { orgId: string; member: DonorName; onClose: () => void };

/** Separates a donor who was merged into another, and opens the separated donor's page. */
export function SeparateDialog({ orgId, member, onClose }: SeparateDialogProps) {
  const api = useApi();
  const navigator = useNavigator();
  const toast = useToast();
  const form = useForm({
    initial: { reason: '' },
    fields: ['reason'],
    validate: ({ reason }) => problemsByField({ reason: reasonFailure(reason) }),
  });
  const separate = async () => {
    await api.call('separateDonor', { params: { orgid: orgId, donorid: member.id }, body: form.values });
    onClose();
    toast('Donors separated');
    void navigator.go(pagePath('donor-page', { orgid: orgId, donorid: member.id }));
  };
  return (
    <FormDialog
      title={`Separate ${getDonorName(member)}`}
      confirmLabel="Separate"
      form={form}
      onSubmit={separate}
      onClose={onClose}
    >
      <p>This donor will be listed separately again, with their own gifts.</p>
      <ReasonField hint="Kept on record with your name." form={form} />
    </FormDialog>
  );
}
