import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { formatWhole, formatWholeDollars } from '#domain/money.ts';
import { m } from '#messages';
import type { ApiClient } from '#web/api/client.ts';
import { useFocusOnFirstField } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { NumberField, TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './donate.module.css';
import { PLEDGE_FIELDS, type PledgeForm, parsePledge, parseWholeDollars } from './donation.ts';

type CheckDialogProps = {
  api: ApiClient;
  orgId: string;
  /** The text of the page's amount field. */
  amount: string;
  onClose: () => void;
  children: ReactNode;
};

/** Instructions for giving by check, and a form to pledge one (§2, decisions §3). */
export function CheckDialog({ api, orgId, amount, onClose, children }: CheckDialogProps) {
  const pageAmount = parseWholeDollars(amount);
  const [pledgedDollars, setPledgedDollars] = useState<number>();
  const [busy, setBusy] = useState(false);
  const formId = useId();
  const thanks = useRef<HTMLOutputElement>(null);
  const isPledged = pledgedDollars !== undefined;
  useEffect(() => {
    if (isPledged) thanks.current?.focus();
  }, [isPledged]);
  const footer = (
    <>
      <Button kind="outline" onClick={onClose}>
        {m.close()}
      </Button>
      {/* Next to "Close", so that long instructions can't push it out of view. */}
      {!isPledged && (
        <Button type="submit" form={formId} busy={busy}>
          {busy ? m.sending() : m.checkSubmit()}
        </Button>
      )}
    </>
  );
  return (
    <Dialog title={m.checkTitle()} onClose={onClose} footer={footer}>
      {children}
      {!isPledged && (
        <PledgeFields
          id={formId}
          api={api}
          orgId={orgId}
          amount={pageAmount.kind === 'dollars' ? formatWhole(pageAmount.dollars) : ''}
          onBusy={setBusy}
          onPledged={setPledgedDollars}
        />
      )}
      {/* Receives the focus when the form and its button disappear. */}
      <output ref={thanks} tabIndex={-1} className={styles.pledgeThanks}>
        {isPledged && m.checkThanks({ amount: formatWholeDollars(pledgedDollars) })}
      </output>
    </Dialog>
  );
}

type PledgeFieldsProps = {
  id: string;
  api: ApiClient;
  orgId: string;
  amount: string;
  onBusy: (busy: boolean) => void;
  onPledged: (dollars: number) => void;
};

function PledgeFields({ id, api, orgId, amount, onBusy, onPledged }: PledgeFieldsProps) {
  const formRef = useRef<HTMLFormElement>(null);
  useFocusOnFirstField(formRef);
  const form = useForm({
    initial: { name: '', email: '', amount } as PledgeForm,
    fields: PLEDGE_FIELDS,
    validate: (values) => parsePledge(values).problems,
  });
  const { error } = form;
  useEffect(() => {
    const input = error?.field && formRef.current?.elements.namedItem(error.field);
    if (input instanceof HTMLElement) input.focus();
  }, [error]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    for (const field of PLEDGE_FIELDS) form.markTouched(field);
    const { pledge } = parsePledge(form.values);
    onBusy(true);
    const response = await form.submit(
      async () => pledge && api.call('pledgeCheck', { params: { orgid: orgId }, body: pledge }),
    );
    onBusy(false);
    if (response?.result) onPledged(response.result.amount);
  };
  const fieldProps = (name: (typeof PLEDGE_FIELDS)[number]) => ({
    name,
    value: form.values[name],
    error: form.errorOf(name, false),
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => form.change({ [name]: value }),
  });
  return (
    <form id={id} ref={formRef} onSubmit={(event) => void submit(event)} noValidate className={styles.pledge}>
      <p>{m.checkLetUsKnow()}</p>
      <TextField label={m.name()} autoComplete="name" {...fieldProps('name')} />
      <TextField label={m.email()} type="email" autoComplete="email" {...fieldProps('email')} />
      <NumberField label={m.checkAmount()} prefix="$" suffix=".00" {...fieldProps('amount')} />
      <Problem inline>{form.problem}</Problem>
    </form>
  );
}
