import { type ReactNode, useState } from 'react';
import type { Cell } from '#contract/schemas/cells.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Fetched when somebody asks how to send a check. */
const loadDialog = () => import('./check-dialog.tsx');
type DialogModule = Awaited<ReturnType<typeof loadDialog>>;

const NOT_LOADED = 'This could not be loaded. Please check your connection and try again.';

/** The Send Check dialog (§2) while it is open, and how to open it with the amount that stands in the page's field. */
export function useCheckDialog(
  { org, site }: OrgFrame,
  cell: Cell,
): { open: (amount: string) => void; dialog: ReactNode } {
  const api = useApi();
  const toast = useToast();
  const [shown, setShown] = useState<DialogModule & { readonly amount: string }>();
  const open = (amount: string) =>
    void loadDialog().then(
      ({ CheckDialog }) => setShown({ CheckDialog, amount }),
      () => toast(NOT_LOADED),
    );
  const close = () => setShown(undefined);
  const dialog = shown && (
    <shown.CheckDialog api={api} orgId={org.id} cell={cell} payee={site} amount={shown.amount} onClose={close} />
  );
  return { open, dialog };
}
