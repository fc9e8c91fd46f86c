import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import type { CartItem } from '#domain/cart.ts';
import { chargeOf, formatCents, formatPounds, formatWhole } from '#domain/money.ts';
import { Button } from '#web/ui/button.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './calculate.module.css';
import type { Estimate } from './estimate.ts';

type CalculateFormProps = {
  estimate: Pick<Estimate, 'item' | 'problem'>;
  /** What to do before there is an estimate. */
  hint: string;
  /** When the button can be pressed; otherwise as soon as there is an item. */
  enabled?: boolean;
  onItem: (item: CartItem) => void;
  /** Called instead, when the button was pressed and there is no item. */
  onNothing?: () => void;
  /** What stands before the estimate, in its line. */
  aside?: ReactNode;
  children: ReactNode;
};

/** The form of a calculator: its fields, the running estimate, and Calculate Offset. */
export function CalculateForm(props: CalculateFormProps) {
  const { estimate, hint, enabled = estimate.item !== undefined, onItem, onNothing, aside, children } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (estimate.item) onItem(estimate.item);
    else onNothing?.();
  };
  return (
    <form onSubmit={submit} noValidate>
      {children}
      <div className={styles.foot}>
        {aside}
        <RunningEstimate estimate={estimate} hint={hint} />
        <Button type="submit" disabled={!enabled} className={styles.button}>
          Calculate Offset
        </Button>
      </div>
    </form>
  );
}

function RunningEstimate({
  estimate: { item, problem },
  hint,
}: {
  estimate: Pick<Estimate, 'item' | 'problem'>;
  hint: string;
}) {
  const pounds = item && (item.carbon < 10 ? formatPounds(item.carbon) : formatWhole(item.carbon));
  const dollars = item && formatCents(chargeOf(item.cost));
  const spoken = useSettled(
    dollars ? `Estimate: ${pounds} pounds of carbon, ${dollars.slice(1)} dollars` : (problem ?? ''),
  );
  return (
    <div className={styles.estimate}>
      {item ? (
        <>
          <p className={styles.dollars}>{dollars}</p>
          <p className={styles.pounds}>{pounds} lbs of carbon</p>
        </>
      ) : (
        <p className={problem ? styles.problem : styles.pounds}>{problem ?? hint}</p>
      )}
      <VisuallyHidden>
        <output>{spoken}</output>
      </VisuallyHidden>
    </div>
  );
}

/** Long enough that a number is read out once, and not digit by digit while it is typed. */
const SETTLED_MILLISECONDS = 800;

/** The text, once it has stayed the same for a while; empty at first, so that nothing is read out unasked. */
function useSettled(text: string): string {
  const [first] = useState(text);
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text === first ? '' : text), SETTLED_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [text, first]);
  return settled;
}
