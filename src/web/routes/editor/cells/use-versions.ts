import { useCallback, useEffect, useState } from 'react';
import type { CellVersion } from '#contract/schemas/cells.ts';
import { failedSentence } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';
import type { TextParams } from './use-preview.ts';

export type Versions = {
  /** The last one first; nothing until they are here. */
  readonly items: readonly CellVersion[] | undefined;
  readonly nextCursor: string | undefined;
  readonly problem: string | undefined;
};

const NOTHING: Versions = { items: undefined, nextCursor: undefined, problem: undefined };

/** What a text was before, part by part. */
export function useVersions(api: ApiClient, { orgid, page, name }: TextParams) {
  const [versions, setVersions] = useState(NOTHING);
  /** @param cursorRef the id to go on from; from the beginning without */
  const load = useCallback(
    (cursorRef?: string): Promise<void> => {
      const query = cursorRef === undefined ? {} : { cursorRef };
      return api.list('readCellVersions', { params: { orgid, page, name }, query }).then(
        (part) =>
          setVersions(({ items = [] }) => ({
            items: cursorRef === undefined ? part.items : [...items, ...part.items],
            nextCursor: part.nextCursor,
            problem: undefined,
          })),
        (error: unknown) => setVersions((before) => ({ ...before, problem: failedSentence(error) })),
      );
    },
    [api, orgid, page, name],
  );
  useEffect(() => {
    void load();
  }, [load]);
  return { ...versions, load };
}
