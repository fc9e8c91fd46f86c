import { UnusableResponse } from './stripe-errors.ts';

type Listed<T> = { readonly data: readonly T[]; readonly has_more: boolean };
type Paging = { limit: number; starting_after?: string };

const A_PAGE = 100;

/** Reads a list of Stripe's to its end, in pages, the newest first. */
export async function eachPage<T extends { readonly id: string }>(
  list: (paging: Paging) => Promise<Listed<T>>,
  onPage: (page: readonly T[]) => Promise<void>,
): Promise<'listed'> {
  for (let after: string | undefined; ; ) {
    const page = await list({ limit: A_PAGE, ...(after === undefined ? {} : { starting_after: after }) });
    if (!Array.isArray(page?.data)) throw new UnusableResponse();
    await onPage(page.data);
    after = page.data.at(-1)?.id;
    if (!page.has_more || after === undefined) return 'listed';
  }
}
