import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { saveFile } from '#web/browser/save-file.ts';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { bookMonthsQuery } from '../queries.ts';
import { useToday } from '../use-dates.ts';

/** Buttons that download files about all donors. The server requires the user to confirm their identity. */
export function DonorFiles({ orgId }: { orgId: string }) {
  const [dialog, setDialog] = useState<'table' | 'statements'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Button kind="outline" onClick={() => setDialog('statements')}>
        Yearly statements
      </Button>
      <Button kind="outline" onClick={() => setDialog('table')}>
        Export
      </Button>
      {dialog === 'table' && <ExportDonorsDialog orgId={orgId} onClose={close} />}
      {dialog === 'statements' && <StatementsDialog orgId={orgId} onClose={close} />}
    </>
  );
}

type DialogProps = { orgId: string; onClose: () => void };

function ExportDonorsDialog({ orgId, onClose }: DialogProps) {
  const api = useApi();
  const toast = useToast();
  const today = useToday();
  const download = async () => {
    saveFile(`donors_${today}.csv`, await api.download('downloadDonors', { params: { orgid: orgId } }), 'text/csv');
    onClose();
    toast('Spreadsheet downloaded');
  };
  return (
    <ConfirmDialog title="Export donors" confirmLabel="Download" onConfirm={download} onClose={onClose}>
      <p>
        A spreadsheet (CSV) with one row per donor: name, addresses, first and last gift, this year, last year,
        lifetime, recurring gift, and homes helped. It contains personal data, so keep it safe.
      </p>
    </ConfirmDialog>
  );
}

const RECIPIENTS = [
  { value: 'everyone', label: 'All donors' },
  {
    value: 'without-email',
    label: 'Only donors without an email address',
    hint: 'They can’t get their statement from My giving.',
  },
] as const;

type StatementsForm = { readonly year?: string; readonly recipients: (typeof RECIPIENTS)[number]['value'] };

/** Asks for the year of the statements, last year by default. Offers the years since the first gift. */
function StatementsDialog({ orgId, onClose }: DialogProps) {
  const api = useApi();
  const toast = useToast();
  const thisYear = Number(useToday().slice(0, 4));
  const { data: months } = useQuery(bookMonthsQuery(api, orgId));
  const firstYear = months ? Number(months.firstMonth.slice(0, 4)) : thisYear - 1;
  const years = Array.from({ length: thisYear - firstYear + 1 }, (_, yearsAgo) => String(thisYear - yearsAgo));
  const form = useForm<StatementsForm, never>({ initial: { recipients: 'everyone' }, fields: [] });
  const { year = years[1] ?? String(thisYear), recipients } = form.values;
  const download = async () => {
    const input = { params: { orgid: orgId }, query: { year, recipients } };
    const file = await api.download('downloadDonorStatements', input);
    saveFile(`giving-statements-${year}.pdf`, file, 'application/pdf');
    onClose();
    toast('Statements downloaded');
  };
  return (
    <FormDialog title="Yearly statements" confirmLabel="Download" form={form} onSubmit={download} onClose={onClose}>
      <p>One PDF to print, with a statement for each donor, sorted by name. Postal addresses fit a window envelope.</p>
      <SelectField
        label="Year"
        value={year}
        options={years.map((option) => ({ value: option, label: option }))}
        onChange={({ currentTarget }) => form.change({ year: currentTarget.value })}
      />
      <ChoiceGroup
        legend="For"
        options={RECIPIENTS}
        value={recipients}
        onChange={(newRecipients) => form.change({ recipients: newRecipients })}
      />
    </FormDialog>
  );
}
