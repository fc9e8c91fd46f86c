import { useState } from 'react';
import { saveFile } from '#web/api/save-file.ts';
import { useApi } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { LedgerDays } from './export-dialog.tsx';
import { exportName } from './export-span.ts';

/** The treasurer's table: asked for with the bearer's token, and then handed to the browser as a file. */
export function useExport(orgid: string) {
  const api = useApi();
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const exportLedger = async (days: LedgerDays, onProgress: (fraction: number) => void) => {
    const { from, to } = days;
    const query = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const file = await api.download('downloadLedger', { params: { orgid }, query, onProgress });
    saveFile(exportName(days), file, 'text/csv');
    setAsking(false);
    toast('The table is among your downloads');
  };
  return { isAsking, ask: () => setAsking(true), close: () => setAsking(false), exportLedger };
}
