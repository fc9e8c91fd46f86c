import type { Cell } from '#contract/schemas/cells.ts';
import { LANGUAGE } from '#messages';
import { classNames } from './class-names.ts';
import styles from './markdown.module.css';

type CellTextProps = {
  cell: Pick<Cell, 'html' | 'language'>;
  className?: string | undefined;
};

/** The text of an editable cell, sanitized by the server (decisions §5). */
export function CellText({ cell: { html, language }, className }: CellTextProps) {
  return (
    <div
      // Text that isn't available in the page's language is shown in another language.
      lang={language === LANGUAGE ? undefined : language}
      className={classNames(styles.text, className)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server, the only source
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
