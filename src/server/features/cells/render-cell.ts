import type { ResponseBody } from '#contract/schemas.ts';
import { type CellRef, isCell, normalizeCell } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { cellFailure } from '#domain/site-failures.ts';
import type { AppDeps } from '#server/deps.ts';

/** A cell's text as the editor typed it. */
export type CellInput = { readonly key: CellRef; readonly markdown: string; readonly userId: UserId };

/**
 * Renders a cell's text as HTML.
 * @returns Failure text-empty, text-too-long, tag-too-long, too-many-requests, or the renderer's failure
 */
export async function renderCell(
  { markdownRenderer }: Pick<AppDeps, 'markdownRenderer'>,
  { key, markdown, userId }: CellInput,
): Promise<string | Failure> {
  return cellFailure(key, markdown) ?? (await markdownRenderer.render(markdown, userId));
}

/** A picture on another site. Addresses on this site begin with a slash. */
const EXTERNAL_PICTURE = /<img [^>]*src="https?:/;

/** Renders a cell without saving it. @returns Failure no-cell, or any failure of renderCell */
export async function previewCell(
  deps: Pick<AppDeps, 'markdownRenderer'>,
  input: CellInput,
): Promise<ResponseBody<'previewCell'> | Failure> {
  if (!isCell(input.key)) return new Failure('no-cell');
  const html = await renderCell(deps, { ...input, markdown: normalizeCell(input.key, input.markdown) });
  return html instanceof Failure ? html : { html, hasExternalPictures: EXTERNAL_PICTURE.test(html) };
}
