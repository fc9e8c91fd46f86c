import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { CartItem } from '#domain/cart.ts';
import { formatCents, formatPounds, formatWhole, toChargedCents } from '#domain/money.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './calculator.module.css';
import type { Estimate } from './estimates.ts';

type CalculateFormProps = {
  estimate: Pick<Estimate, 'item' | 'problem'>;
  /** Hint shown until there is an estimate. */
  hint: string;
  /** Enables the button. By default, the button is enabled if there is an item. */
  enabled?: boolean;
  /** Discards the changes to a cart item; set only while an item is being edited. */
  onCancel: (() => void) | undefined;
  onItem: (item: CartItem) => void;
  /** Called when the button is pressed without an item. */
  onMissingItem?: () => void;
  /** Shown before the estimate, on the same line. */
  aside?: ReactNode;
  /** Shown below the button. */
  below?: ReactNode;
  children: ReactNode;
};

/** A calculator form: its fields, the running estimate, and the Calculate Offset button. */
export function CalculateForm(props: CalculateFormProps) {
  const {
    estimate,
    hint,
    enabled = estimate.item !== undefined,
    onCancel,
    onItem,
    onMissingItem,
    aside,
    below,
    children,
  } = props;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (estimate.item) onItem(estimate.item);
    else onMissingItem?.();
  };
  const form = useRef<HTMLFormElement>(null);
  const isEditing = onCancel !== undefined;
  useEffect(() => {
    // The focused Edit button has disappeared. A focused tab keeps its focus.
    if (isEditing && document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>(FIELD_SELECTOR)?.focus();
  }, [isEditing]);
  return (
    <form ref={form} onSubmit={submit} noValidate className={styles.form}>
      {children}
      <div className={styles.foot}>
        {aside}
        <RunningEstimate estimate={estimate} hint={hint} />
        <Button type="submit" disabled={!enabled} className={styles.submit}>
          {onCancel ? m.saveChanges() : m.calculatorSubmit()}
        </Button>
        {onCancel ? (
          <p className={styles.note}>
            {m.calculatorChanges()}{' '}
            <button type="button" className={styles.cancel} onClick={onCancel}>
              {m.cancel()}
            </button>
          </p>
        ) : (
          estimate.item && <p className={styles.note}>{m.calculatorAdds()}</p>
        )}
      </div>
      {below}
    </form>
  );
}

const FIELD_SELECTOR = 'button, input, select';

function RunningEstimate({ estimate: { item, problem }, hint }: Pick<CalculateFormProps, 'estimate' | 'hint'>) {
  const pounds = item && (item.carbon < 10 ? formatPounds(item.carbon) : formatWhole(item.carbon));
  const dollars = item && formatCents(toChargedCents(item.cost));
  const announcement = useDebounced(
    pounds && dollars ? m.calculatorSpoken({ pounds, dollars: dollars.slice(1) }) : (problem ?? ''),
  );
  return (
    <div className={styles.estimate}>
      {item ? (
        <>
          <p className={styles.dollars}>{dollars}</p>
          <p className={styles.pounds}>{m.poundsOfCarbon({ pounds: pounds ?? '' })}</p>
        </>
      ) : (
        <p className={problem ? styles.problem : styles.pounds}>{problem ?? hint}</p>
      )}
      <VisuallyHidden>
        <output>{announcement}</output>
      </VisuallyHidden>
    </div>
  );
}

/** Long enough to announce a number once instead of digit by digit. */
const ANNOUNCE_DELAY_MS = 800;

/**
 * Returns the text once it stops changing. Empty while it equals the initial text, so that nothing is announced before
 * the visitor types.
 */
function useDebounced(text: string): string {
  const [initialText] = useState(text);
  const [debounced, setDebounced] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text === initialText ? '' : text), ANNOUNCE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, initialText]);
  return debounced;
}
