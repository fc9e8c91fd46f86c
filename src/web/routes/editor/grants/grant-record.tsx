import { useQuery } from '@tanstack/react-query';
import { pagePath } from '#contract/pages.ts';
import type { Grant } from '#contract/schemas/grants.ts';
import { dayText } from '#domain/days.ts';
import { GRANT_STAGES, hasSavings } from '#domain/grant.ts';
import { formatDollars, formatPounds } from '#domain/money.ts';
import { Link } from '#web/navigation/link.tsx';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Cluster, Stack } from '#web/ui/layout.tsx';
import { Detail, DetailList } from '#web/ui/list-parts.tsx';
import { SectionStatus } from '#web/ui/section-status.tsx';
import { formatList } from '#web/ui/text.ts';
import recordStyles from '../gift-record.module.css';
import cellStyles from '../two-line-cell.module.css';
import { FIELD_LABELS, findNextStep, MEASURE_LABELS, METHOD_LABELS, STAGE_LABELS } from './grant-labels.ts';
import styles from './grants.module.css';
import { grantQuery } from './route.ts';

/** Dialogs that change a grant. */
export type GrantAction =
  | 'application'
  | 'savings'
  | 'publicFields'
  | 'promise'
  | 'pay'
  | 'done'
  | 'inspected'
  | 'work'
  | 'reverse'
  | 'delete';

type GrantRecordProps = {
  orgId: string;
  grantId: string;
  /** The grant's row, if the list contains it. */
  row: Grant | undefined;
  onAction: (action: GrantAction, grant: Grant) => void;
  onClose: () => void;
};

/** A grant's progress, details, and all actions that the user is allowed to take. */
export function GrantRecord({ orgId, grantId, row, onAction, onClose }: GrantRecordProps) {
  const query = { ...grantQuery(useApi(), orgId, grantId), staleTime: 0 };
  const { data, isError, refetch } = useQuery(query);
  const grant = data ?? row;
  return (
    <Dialog
      title={grant ? grant.awardee : 'Grant'}
      hasOwnAddress
      onClose={onClose}
      footer={
        <>
          {grant && <UndoButton orgId={orgId} grant={grant} onAction={onAction} />}
          <Button kind="outline" onClick={onClose}>
            Close
          </Button>
          {grant && <NextStepButton orgId={orgId} grant={grant} onAction={onAction} />}
        </>
      }
    >
      {grant ? (
        <Stack gap={5}>
          <Progress grant={grant} />
          <GrantFacts orgId={orgId} grant={grant} />
          <OtherActions orgId={orgId} grant={grant} onAction={onAction} />
        </Stack>
      ) : (
        <SectionStatus hasFailed={isError} onRetry={() => void refetch()} />
      )}
    </Dialog>
  );
}

type ActionProps = Pick<GrantRecordProps, 'orgId' | 'onAction'> & { grant: Grant };

/** Button for the next step. Renders nothing if the step requires another role. */
function NextStepButton({ orgId, grant, onAction }: ActionProps) {
  const can = useCan(orgId);
  const step = findNextStep(grant);
  if (!step || !can(step.action)) return null;
  return <Button onClick={() => onAction(step.kind, grant)}>{step.label}</Button>;
}

/** Reverses the last entry in the books, or deletes an application that was never in them. */
function UndoButton({ orgId, grant, onAction }: ActionProps) {
  const can = useCan(orgId);
  if (grant.entryid !== null) {
    return can('grants.pay') ? (
      <Button kind="remove" className={recordStyles.aside} onClick={() => onAction('reverse', grant)}>
        {grant.paid === null ? 'Cancel promise…' : 'Undo payment…'}
      </Button>
    ) : null;
  }
  return can('grants.edit') ? (
    <Button kind="remove" className={recordStyles.aside} onClick={() => onAction('delete', grant)}>
      Delete
    </Button>
  ) : null;
}

function OtherActions({ orgId, grant, onAction }: ActionProps) {
  const can = useCan(orgId);
  const { stage } = grant;
  const canEdit = can('grants.edit');
  const nextKind = findNextStep(grant)?.kind;
  const actions = [
    { kind: 'application', label: 'Edit grant', isAvailable: canEdit },
    { kind: 'savings', label: 'Edit savings', isAvailable: canEdit && nextKind !== 'savings' },
    { kind: 'publicFields', label: 'Edit what is public', isAvailable: canEdit },
    { kind: 'work', label: 'Edit dates', isAvailable: canEdit && stage !== 'applied' && nextKind !== 'done' },
    // A grant can be paid without a promise.
    { kind: 'pay', label: 'Mark paid', isAvailable: can('grants.pay') && nextKind === 'promise' },
  ] as const;
  const availableActions = actions.filter(({ isAvailable }) => isAvailable);
  if (availableActions.length === 0) return null;
  return (
    <Cluster gap={2}>
      {availableActions.map(({ kind, label }) => (
        <Button key={kind} kind="outline" onClick={() => onAction(kind, grant)}>
          {label}
        </Button>
      ))}
    </Cluster>
  );
}

/** All stages with their dates. */
function Progress({ grant }: { grant: Grant }) {
  const days = [grant.appliedOn, grant.promisedOn, grant.paidOn, grant.doneOn, grant.inspectedOn];
  return (
    <ol className={styles.progress} aria-label="Progress">
      {GRANT_STAGES.map((stage, index) => {
        const day = days[index] ?? null;
        return (
          <li
            key={stage}
            className={classNames(day !== null && styles.reached)}
            aria-current={stage === grant.stage ? 'step' : undefined}
          >
            {STAGE_LABELS[stage].label}
            <small>{day === null ? '–' : <time dateTime={day}>{dayText(day)}</time>}</small>
          </li>
        );
      })}
    </ol>
  );
}

function GrantFacts({ orgId, grant }: { orgId: string; grant: Grant }) {
  const { awardeeid, awardee, amount, paid, installer, publicFields, otherFunding, otherFundingSource } = grant;
  const canReadHome = useCan(orgId)('stories.edit');
  const homePath = pagePath('edit-awardee-page', { orgid: orgId, awardeeid });
  return (
    <DetailList>
      <Detail name="Awardee">{canReadHome ? <Link to={homePath}>{awardee}</Link> : awardee}</Detail>
      <Detail name="Amount">
        {formatDollars(paid ?? amount)}
        {paid !== null && paid !== amount && ` (${formatDollars(amount)} applied for)`}
      </Detail>
      <Detail name="Pays for">{formatMeasures(grant)}</Detail>
      <Detail name="Installer">{installer === '' ? 'Not chosen yet' : installer}</Detail>
      <Detail name="Expected savings">
        <SavingText grant={grant} />
      </Detail>
      {otherFunding > 0 && (
        <Detail name="Other public funding">
          {formatDollars(otherFunding)}, {otherFundingSource}
        </Detail>
      )}
      <Detail name="Public">
        {publicFields.length === 0 ? 'Nothing' : publicFields.map((field) => FIELD_LABELS[field]).join(' · ')}
      </Detail>
    </DetailList>
  );
}

function SavingText({ grant }: { grant: Grant }) {
  if (!hasSavings(grant)) return 'Not entered yet';
  const { yearlyPounds, years, countedPounds, method, methodSource, fullSavingsReason } = grant;
  return (
    <>
      {formatPounds(yearlyPounds, 0)} lb per year for {years} {years === 1 ? 'year' : 'years'},{' '}
      {formatPounds(countedPounds, 0)} lb credited
      <small className={cellStyles.secondary}>
        {METHOD_LABELS[method]}: {methodSource}
        {fullSavingsReason !== '' && `. All of it counts: ${fullSavingsReason}`}
      </small>
    </>
  );
}

/** "Attic insulation and air sealing" */
export function formatMeasures({ measures }: Pick<Grant, 'measures'>): string {
  const [firstLabel = '', ...otherLabels] = measures.map((measure) => MEASURE_LABELS[measure]);
  return formatList([firstLabel, ...otherLabels.map((label) => label.toLowerCase())]);
}
