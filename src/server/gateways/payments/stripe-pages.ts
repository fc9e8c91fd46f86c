import { UnusableResponseError } from './stripe-errors.ts';

type Page<T> = { readonly data: readonly T[]; readonly has_more: boolean };
type Paging = { limit: number; starting_after?: string };

const PAGE_SIZE = 100;

/** Reads an entire Stripe list, newest first, page by page. */
export async function forEachPage<T extends { readonly id: string }>(
  list: (paging: Paging) => Promise<Page<T>>,
  onPage: (page: readonly T[]) => Promise<void>,
): Promise<'complete'> {
  for (let after: string | undefined; ; ) {
    const page = await list({ limit: PAGE_SIZE, ...(after === undefined ? {} : { starting_after: after }) });
    if (!Array.isArray(page?.data)) throw new UnusableResponseError();
    await onPage(page.data);
    after = page.data.at(-1)?.id;
    if (!page.has_more || after === undefined) return 'complete';
  }
}
