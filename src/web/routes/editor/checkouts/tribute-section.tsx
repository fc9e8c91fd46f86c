import { type FormEvent, useState } from 'react';
import type { CheckoutRecord } from '#contract/schemas/checkout-records.ts';
import { emailFailure } from '#domain/profile.ts';
import { type CardStatus, cardStatusText, tributePrefix } from '#domain/tribute.ts';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Cluster, Stack } from '#web/ui/layout.tsx';
import { Fact, Facts } from '#web/ui/list-parts.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useToast } from '#web/ui/toast.tsx';
import styles from '../gift-record.module.css';
import { useDates } from '../use-dates.ts';

type Tribute = NonNullable<CheckoutRecord['tribute']>;

type TributeSectionProps = { orgId: string; checkoutId: string; tribute: Tribute };

/** A checkout's tribute and its card. The form for another address is inline, because a dialog is already open. */
export function TributeSection({ orgId, checkoutId, tribute: { kind, name, card } }: TributeSectionProps) {
  const api = useApi();
  const toast = useToast();
  const canSend = useCan(orgId)('receipts.send');
  const [isSendFormOpen, setIsSendFormOpen] = useState(false);
  const { formatDateTime } = useDates();
  const send = async (email: string) => {
    await api.call('sendCardTo', { params: { orgid: orgId, checkoutid: checkoutId }, body: { email } });
    setIsSendFormOpen(false);
    toast(`The card is on its way to ${email}`);
  };
  return (
    <>
      <h3 className={styles.subheading}>Tribute</h3>
      <Stack gap={3}>
        <Facts>
          <Fact name={tributePrefix(kind)}>{name}</Fact>
          {card && (
            <>
              {card.name !== '' && <Fact name="Card for">{card.name}</Fact>}
              <Fact name="Signed">{card.signature === '' ? 'Anonymous' : card.signature}</Fact>
              {card.message !== '' && (
                <Fact name="Message">
                  <span className={styles.message}>{card.message}</span>
                </Fact>
              )}
              <Fact name="Card">
                {cardStatusText(card)}
                {card.code !== null && ` The mail server responded ${card.code}.`}
              </Fact>
              {FINAL_STATUSES.includes(card.status) && <Fact name="Since">{formatDateTime(card.at)}</Fact>}
            </>
          )}
        </Facts>
        {card && canSend && card.status !== 'unpaid' && (
          <div>
            {isSendFormOpen ? (
              <SendForm email={card.email} onSend={send} onCancel={() => setIsSendFormOpen(false)} />
            ) : (
              <Button kind="outline" onClick={() => setIsSendFormOpen(true)}>
                Send the card to another address
              </Button>
            )}
          </div>
        )}
      </Stack>
    </>
  );
}

const FINAL_STATUSES: readonly CardStatus[] = ['sent', 'rejected', 'failed'];

type SendFormProps = { email: string; onSend: (email: string) => Promise<void>; onCancel: () => void };

function SendForm({ email: initialEmail, onSend, onCancel }: SendFormProps) {
  const form = useForm({
    initial: { email: initialEmail },
    fields: ['email'] as const,
    validate: (values) => problemsByField({ email: emailFailure(values.email) }),
  });
  const { email } = form.values;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(() => onSend(email.trim()));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={3}>
        <TextField
          label="Send the card to"
          type="email"
          autoComplete="off"
          value={email}
          error={form.errorOf('email', false)}
          onChange={({ currentTarget }) => form.change({ email: currentTarget.value })}
        />
        <Problem inline>{form.problem}</Problem>
        <Cluster>
          <Button type="submit" busy={form.busy}>
            Send the card
          </Button>
          <Button kind="outline" disabled={form.busy} onClick={onCancel}>
            Cancel
          </Button>
        </Cluster>
      </Stack>
    </form>
  );
}
