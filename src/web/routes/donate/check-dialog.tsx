import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { formatWhole, formatWholeDollars } from '#domain/money.ts';
import { m } from '#messages';
import { Form } from '#web/forms/form.tsx';
import { LeaveDialog, useLeaveGuard } from '#web/forms/leave-guard.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { NumberField, TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './donate.module.css';
import { PLEDGE_FIELDS, type PledgeField, type PledgeForm, parsePledge, parseWholeDollars } from './donation.ts';

type CheckDialogProps = {
  orgId: string;
  /** The text of the page's amount field. */
  amount: string;
  onClose: () => void;
  children: ReactNode;
};

/** Instructions for giving by check, and a form to pledge one (§2, decisions §3). */
export function CheckDialog({ orgId, amount, onClose, children }: CheckDialogProps) {
  const api = useApi();
  const pageAmount = parseWholeDollars(amount);
  const [pledgedDollars, setPledgedDollars] = useState<number>();
  const form = useForm<PledgeForm, PledgeField>({
    initial: { name: '', email: '', amount: pageAmount.kind === 'dollars' ? formatWhole(pageAmount.dollars) : '' },
    fields: PLEDGE_FIELDS,
    validate: (values) => parsePledge(values).problems,
    showsAllProblems: true,
  });
  const { busy } = form;
  const formId = useId();
  const thanks = useRef<HTMLOutputElement>(null);
  const isPledged = pledgedDollars !== undefined;
  const { proceed, stay, confirmClose } = useLeaveGuard(form.isUnsaved && !isPledged);
  const close = () => confirmClose(onClose);
  useEffect(() => {
    if (isPledged) thanks.current?.focus();
  }, [isPledged]);
  const pledgeCheck = async () => {
    const { pledge } = parsePledge(form.values);
    if (!pledge) return;
    const { amount: dollars } = await api.call('pledgeCheck', { params: { orgid: orgId }, body: pledge });
    setPledgedDollars(dollars);
  };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={close}>
        {m.close()}
      </Button>
      {/* Placed next to "Close", so that long instructions can't push it out of view. */}
      {!isPledged && (
        <Button type="submit" form={formId} busy={busy}>
          {busy ? m.sending() : m.checkSubmit()}
        </Button>
      )}
    </>
  );
  return (
    <Dialog title={m.checkTitle()} onClose={() => !busy && close()} footer={footer}>
      {children}
      {!isPledged && <PledgeFields id={formId} form={form} onSubmit={() => void form.submit(pledgeCheck)} />}
      {/* Receives focus when the form and its button disappear. */}
      <output ref={thanks} tabIndex={-1} className={styles.pledgeThanks}>
        {isPledged && m.checkThanks({ amount: formatWholeDollars(pledgedDollars) })}
      </output>
      <LeaveDialog proceed={proceed} stay={stay} />
    </Dialog>
  );
}

type PledgeFieldsProps = {
  id: string;
  form: ReturnType<typeof useForm<PledgeForm, PledgeField>>;
  onSubmit: () => void;
};

function PledgeFields({ id, form: { error, problem, fieldProps }, onSubmit }: PledgeFieldsProps) {
  return (
    <Form id={id} error={error} focusesFirstField onSubmit={onSubmit} className={styles.pledge}>
      <p>{m.checkLetUsKnow()}</p>
      <TextField label={m.name()} autoComplete="name" {...fieldProps('name')} />
      <TextField label={m.email()} type="email" autoComplete="email" {...fieldProps('email')} />
      <NumberField label={m.checkAmount()} prefix="$" suffix=".00" {...fieldProps('amount')} />
      <Problem inline>{problem}</Problem>
    </Form>
  );
}
