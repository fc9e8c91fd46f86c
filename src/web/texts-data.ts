import type { Cell } from '#contract/schemas/cells.ts';
import type { ApiClient } from './api/client.ts';

/** What the page loads on which an organisation's texts are written. */
export type TextsData = { readonly cells: readonly Cell[] };

/** Every text of §2, as visitors see it now. */
export async function loadTexts(api: ApiClient, orgid: string): Promise<TextsData> {
  return { cells: await api.call('readCells', { params: { orgid } }) };
}
