import { type ReactNode, useId, useState } from 'react';
import type { AttentionItem } from '#contract/schemas/attention.ts';
import { resolutionNoteFailure } from '#domain/attention.ts';
import { MAX_NOTE_LENGTH } from '#domain/check.ts';
import type { TimeZone } from '#domain/days.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Link } from '#web/navigation/link.tsx';
import { Button } from '#web/ui/button.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ItemList, ItemRow } from '#web/ui/layout.tsx';
import { Detail, DetailList, StatusMark } from '#web/ui/list-parts.tsx';
import { formatDate } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './attention.module.css';
import {
  attentionTitle,
  describeOpenItems,
  describeReason,
  describeResolution,
  formatAmount,
} from './attention-text.ts';

type AttentionSectionProps = {
  items: readonly AttentionItem[];
  zone: TimeZone;
  /** Returns the address of a checkout's page. */
  checkoutPath?: (checkoutId: string) => string;
  /** Undefined for users who can view the items but not resolve them. */
  onResolve: ((item: AttentionItem, note: string) => Promise<unknown>) | undefined;
};

/** Money at the payment provider that could not be applied (decisions §3). Renders nothing without items. */
export function AttentionSection(props: AttentionSectionProps) {
  const { openItems, resolvedItems, itemToResolve, setItemToResolve, resolve } = useAttention(
    props.items,
    props.onResolve,
  );
  return (
    <>
      {openItems.length > 0 && <OpenItems {...props} items={openItems} onResolveClick={setItemToResolve} />}
      {resolvedItems.length > 0 && <ResolvedItems items={resolvedItems} zone={props.zone} />}
      {itemToResolve && (
        <ResolveDialog item={itemToResolve} onResolve={resolve} onClose={() => setItemToResolve(undefined)} />
      )}
    </>
  );
}

type OpenItemsProps = AttentionSectionProps & { onResolveClick: (item: AttentionItem) => void };

function OpenItems({ items, zone, checkoutPath, onResolve, onResolveClick }: OpenItemsProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h2 id={id} className={styles.title}>
        <Icon name="info" /> {attentionTitle(items.length)}
      </h2>
      <p className={styles.lead}>{describeOpenItems(items)}</p>
      <ItemList>
        {items.map((item) => (
          <AttentionRow
            key={item.id}
            item={item}
            zone={zone}
            actions={
              onResolve && (
                <Button kind="outline" onClick={() => onResolveClick(item)}>
                  Resolve…<VisuallyHidden> {formatItemAmount(item)}</VisuallyHidden>
                </Button>
              )
            }
          >
            <p className={styles.fact}>
              Processor ID: <code>{item.providerId}</code>
            </p>
            {item.checkoutid !== null && checkoutPath && (
              <p className={styles.fact}>
                <Link to={checkoutPath(item.checkoutid)}>
                  See the checkout<VisuallyHidden>: {formatItemAmount(item)}</VisuallyHidden>
                </Link>
              </p>
            )}
          </AttentionRow>
        ))}
      </ItemList>
    </section>
  );
}

/** Resolved items, with their notes. */
function ResolvedItems({ items, zone }: Pick<AttentionSectionProps, 'items' | 'zone'>) {
  return (
    <Disclosure className={styles.resolved} summary={`Recently resolved payments (${items.length})`}>
      <ItemList>
        {items.map((item) => (
          <AttentionRow key={item.id} item={item} zone={zone}>
            <p className={styles.fact}>{describeResolution(item, zone)}</p>
          </AttentionRow>
        ))}
      </ItemList>
    </Disclosure>
  );
}

type AttentionRowProps = { item: AttentionItem; zone: TimeZone; actions?: ReactNode; children: ReactNode };

function AttentionRow({ item, zone, actions, children }: AttentionRowProps) {
  const { livemode, occurredTimestamp, dueTimestamp, payer, reason } = item;
  return (
    <ItemRow
      title={
        <>
          {formatItemAmount(item)}
          {payer !== null && ` from ${payer}`} {!livemode && <StatusMark tone="plain">Test payment</StatusMark>}
        </>
      }
      facts={
        <>
          {formatDate(occurredTimestamp, zone)} · {describeReason(reason)}
          {dueTimestamp !== null && ` Evidence is due by ${formatDate(dueTimestamp, zone)}.`}
        </>
      }
      actions={actions}
    >
      {children}
    </ItemRow>
  );
}

function formatItemAmount({ amount, currency }: AttentionItem): string {
  return formatAmount(amount, currency);
}

function useAttention(items: readonly AttentionItem[], onResolve: AttentionSectionProps['onResolve']) {
  const toast = useToast();
  const [itemToResolve, setItemToResolve] = useState<AttentionItem>();
  const resolve = async (item: AttentionItem, note: string) => {
    await onResolve?.(item, note);
    setItemToResolve(undefined);
    toast(`Resolved ${formatItemAmount(item)}`);
  };
  return {
    openItems: items.filter(({ resolution }) => resolution === null),
    resolvedItems: items.filter(({ resolution }) => resolution !== null),
    itemToResolve,
    setItemToResolve,
    resolve,
  };
}

type ResolveDialogProps = {
  item: AttentionItem;
  onResolve: (item: AttentionItem, note: string) => Promise<void>;
  onClose: () => void;
};

/** Asks for a note. If saving fails, the dialog stays open and keeps the note. */
function ResolveDialog({ item, onResolve, onClose }: ResolveDialogProps) {
  const form = useForm<{ readonly note: string }, 'note'>({
    initial: { note: '' },
    fields: ['note'],
    validate: ({ note }) => problemsByField({ note: resolutionNoteFailure(note) }),
  });
  return (
    <FormDialog
      title="Resolve this payment"
      confirmLabel="Resolve"
      form={form}
      onSubmit={() => onResolve(item, form.values.note.trim())}
      onClose={onClose}
    >
      <DetailList>
        <Detail name="Amount">{formatItemAmount(item)}</Detail>
        <Detail name="Reason">{describeReason(item.reason)}</Detail>
        <Detail name="Processor ID">
          <code className={styles.id}>{item.providerId}</code>
        </Detail>
      </DetailList>
      <p>This only takes it off the list. It doesn’t move money or change the totals.</p>
      <TextArea
        label="What did you do?"
        rows={3}
        maxLength={MAX_NOTE_LENGTH}
        hint="For example, “Refunded at the card processor on May 3.” We save it with your name and the time."
        {...form.fieldProps('note')}
      />
    </FormDialog>
  );
}
