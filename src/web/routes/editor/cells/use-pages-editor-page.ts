import { useCallback, useState } from 'react';
import type { Cell } from '#contract/schemas/cells.ts';
import type { CellRef } from '#domain/cells.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi } from '#web/session/app-context.ts';
import { useLeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { useToast } from '#web/ui/toast.tsx';
import type { CellsData } from './route.ts';

/** The texts of a site as they stand, and which of them are being written. */
export function usePagesEditorPage(loaded: CellsData) {
  const api = useApi();
  const tell = useToast();
  const { forget } = useNavigator();
  const [cells, setCells] = useState(loaded.cells);
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set());
  const leaving = useLeaveGuard(unsaved.size > 0);
  const change = (changed: Cell) => {
    setCells((before) => before.map((cell) => (nameOf(cell) === nameOf(changed) ? changed : cell)));
    // The site's own pages are asked for anew: they show the text at once.
    forget();
  };
  const noteUnsaved = useCallback((key: CellRef, isUnsaved: boolean) => {
    setUnsaved((before) => {
      if (before.has(nameOf(key)) === isUnsaved) return before;
      const others = [...before].filter((name) => name !== nameOf(key));
      return new Set(isUnsaved ? [...others, nameOf(key)] : others);
    });
  }, []);
  const cellOf = (key: CellRef) => cells.find((cell) => nameOf(cell) === nameOf(key));
  return { api, tell, cellOf, change, noteUnsaved, leaving };
}

function nameOf({ page, name }: CellRef): string {
  return `${page}/${name}`;
}
