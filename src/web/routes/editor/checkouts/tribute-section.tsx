import { useState } from 'react';
import type { CheckoutRecord } from '#contract/schemas/checkout-records.ts';
import { emailFailure } from '#domain/profile.ts';
import { type CardStatus, cardStatusText, tributePrefix } from '#domain/tribute.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { Detail, DetailList } from '#web/ui/list-parts.tsx';
import { useToast } from '#web/ui/toast.tsx';
import styles from '../gift-record.module.css';
import { useDates } from '../use-dates.ts';

type Tribute = NonNullable<CheckoutRecord['tribute']>;

type TributeSectionProps = { orgId: string; checkoutId: string; tribute: Tribute };

/** A checkout's tribute and its card, with a button that sends the card to another address. */
export function TributeSection({ orgId, checkoutId, tribute: { kind, name, card } }: TributeSectionProps) {
  const api = useApi();
  const toast = useToast();
  const canSend = useCan(orgId)('receipts.send');
  const [isSending, setIsSending] = useState(false);
  const { formatDateTime } = useDates();
  const send = async (email: string) => {
    await api.call('sendCardTo', { params: { orgid: orgId, checkoutid: checkoutId }, body: { email } });
    setIsSending(false);
    toast(`The card is on its way to ${email}`);
  };
  return (
    <>
      <h3 className={styles.subheading}>Tribute</h3>
      <Stack gap={3}>
        <DetailList>
          <Detail name={tributePrefix(kind)}>{name}</Detail>
          {card && (
            <>
              {card.name !== '' && <Detail name="Card for">{card.name}</Detail>}
              <Detail name="Signed">{card.signature === '' ? 'Anonymous' : card.signature}</Detail>
              {card.message !== '' && (
                <Detail name="Message">
                  <span className={styles.message}>{card.message}</span>
                </Detail>
              )}
              <Detail name="Card">
                {cardStatusText(card)}
                {card.code !== null && ` The mail server responded ${card.code}.`}
              </Detail>
              {FINAL_STATUSES.includes(card.status) && <Detail name="Since">{formatDateTime(card.at)}</Detail>}
            </>
          )}
        </DetailList>
        {card && canSend && card.status !== 'unpaid' && (
          <div>
            <Button kind="outline" onClick={() => setIsSending(true)}>
              Send the card to another address
            </Button>
          </div>
        )}
      </Stack>
      {card && isSending && <SendDialog email={card.email} onSend={send} onClose={() => setIsSending(false)} />}
    </>
  );
}

const FINAL_STATUSES: readonly CardStatus[] = ['sent', 'rejected', 'failed'];

type SendDialogProps = { email: string; onSend: (email: string) => Promise<void>; onClose: () => void };

function SendDialog({ email, onSend, onClose }: SendDialogProps) {
  const form = useForm({
    initial: { email },
    fields: ['email'] as const,
    validate: (values) => problemsByField({ email: emailFailure(values.email) }),
  });
  return (
    <FormDialog
      title="Send the card to another address"
      confirmLabel="Send the card"
      form={form}
      onSubmit={() => onSend(form.values.email.trim())}
      onClose={onClose}
    >
      <TextField label="Send the card to" type="email" autoComplete="off" {...form.fieldProps('email')} />
    </FormDialog>
  );
}
