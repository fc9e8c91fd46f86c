import { addDays, type Day } from '#domain/days.ts';
import { formatExportName } from '#domain/export-name.ts';
import { formFailure } from '#domain/form-failures.ts';
import { addMonths } from '#domain/statement.ts';
import { saveFile } from '#web/browser/save-file.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { TransferProgress } from '#web/forms/transfer-progress.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useApi } from '#web/session/app-context.ts';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { type CheckoutFilters, isDateRangeReversed } from '../checkout-view.ts';
import { useToday } from '../use-dates.ts';
import { DayField } from './checkout-search.tsx';
import styles from './export-dialog.module.css';

type LedgerDays = Pick<CheckoutFilters, 'from' | 'to'>;

type ExportSpan = 'this-month' | 'last-month' | 'this-year' | 'last-year' | 'everything' | 'custom';

type ExportForm = { readonly span: ExportSpan; readonly custom: LedgerDays };

const SPANS: readonly { readonly value: ExportSpan; readonly label: string }[] = [
  { value: 'this-month', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
  { value: 'this-year', label: 'This year' },
  { value: 'last-year', label: 'Last year' },
  { value: 'everything', label: 'All time' },
  { value: 'custom', label: 'Custom range' },
];

export function ExportDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const api = useApi();
  const toast = useToast();
  const today = useToday();
  const form = useForm<ExportForm, 'to'>({
    initial: { span: 'this-year', custom: { from: undefined, to: undefined } },
    fields: ['to'],
    validate: ({ span, custom }) =>
      span === 'custom' && isDateRangeReversed(custom) ? { to: formFailure('days-out-of-order').message } : {},
  });
  const { values, change, problems, errorOf, progress } = form;
  const { span, custom } = values;
  const download = async (onProgress: (fraction: number) => void) => {
    const { from, to } = span === 'custom' ? custom : getExportDays(span, today);
    const query = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const file = await api.download('downloadLedger', { params: { orgid: orgId }, query, onProgress });
    saveFile(formatExportName('ledger', { from, to }), file, 'text/csv');
    onClose();
    toast('Spreadsheet downloaded');
  };
  return (
    <FormDialog title="Export the ledger" confirmLabel="Download" form={form} onSubmit={download} onClose={onClose}>
      <p>
        A spreadsheet (CSV) with one row per gift, renewal, check, refund, dispute, fee, payout, grant, and correction.
        Each gift shows its fee, its net amount, and the payout that includes it. Dates are in the time zone set in Org
        settings, with the exact UTC time next to them.
      </p>
      <ChoiceGroup legend="Date range" options={SPANS} value={span} onChange={(newSpan) => change({ span: newSpan })} />
      {span === 'custom' && (
        <div className={styles.days}>
          <DayField label="From" day={custom.from} onChange={(from) => change({ custom: { ...custom, from } })} />
          <DayField
            label="To"
            day={custom.to}
            error={errorOf('to', false) ?? problems.to}
            onChange={(to) => change({ custom: { ...custom, to } })}
          />
        </div>
      )}
      {progress !== undefined && <TransferProgress fraction={progress} label="Download" text="Downloading" />}
    </FormDialog>
  );
}

export function getExportDays(span: Exclude<ExportSpan, 'custom'>, today: Day): LedgerDays {
  if (span === 'everything') return { from: undefined, to: undefined };
  if (span === 'this-month' || span === 'last-month') {
    const month = addMonths(today.slice(0, 7), span === 'last-month' ? -1 : 0);
    return { from: `${month}-01`, to: addDays(`${addMonths(month, 1)}-01`, -1) };
  }
  const year = Number(today.slice(0, 4)) - (span === 'last-year' ? 1 : 0);
  return { from: `${year}-01-01`, to: `${year}-12-31` };
}
