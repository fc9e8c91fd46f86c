import { useEffect, useRef } from 'react';
import type { Cell } from '#contract/schemas/cells.ts';
import type { Site } from '#contract/schemas/site.ts';
import { formatWhole, formatWholeDollars } from '#domain/money.ts';
import type { ApiClient } from '#web/api/client.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { CheckWords } from './check-words.tsx';
import styles from './donate.module.css';
import { typedDollars } from './donation-form.ts';
import { PledgeFields } from './pledge-fields.tsx';
import { usePledge } from './use-pledge.ts';

type CheckDialogProps = {
  api: ApiClient;
  orgId: string;
  /** How to send a check (§2). */
  cell: Cell;
  /** What stands in the amount field of the page. */
  amount: string;
  /** Whom a check is made out to, and where it is sent. */
  payee: Pick<Site, 'parentName' | 'parentAddress'>;
  onClose: () => void;
};

/** How to give by check, and the pledge that tells the fund to look out for it (§2, decisions §3). */
export function CheckDialog({ api, orgId, cell, amount, payee, onClose }: CheckDialogProps) {
  const typed = typedDollars(amount);
  const start = typed.kind === 'dollars' ? formatWhole(typed.dollars) : '';
  const pledge = usePledge(api, orgId, { name: '', email: '', amount: start });
  const thanks = useRef<HTMLOutputElement>(null);
  const isPledged = pledge.pledged !== undefined;
  useEffect(() => {
    if (isPledged) thanks.current?.focus();
  }, [isPledged]);
  const footer = (
    <Button kind="outline" onClick={onClose}>
      Close
    </Button>
  );
  return (
    <Dialog title="Send Check" open onClose={onClose} footer={footer}>
      <CheckWords cell={cell} payee={payee} />
      {!isPledged && <PledgeFields pledge={pledge} />}
      {/* The focus comes here when the form is gone, and its button with it. */}
      <output ref={thanks} tabIndex={-1} className={styles.pledged}>
        {pledge.pledged !== undefined &&
          `Thank you! We will look out for your check for ${formatWholeDollars(pledge.pledged)}, and email you a receipt when it arrives.`}
      </output>
    </Dialog>
  );
}
