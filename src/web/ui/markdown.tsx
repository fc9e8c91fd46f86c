import type { Cell } from '#contract/schemas/cells.ts';
import { LANGUAGE } from '#messages';
import { classNames } from './class-names.ts';
import styles from './markdown.module.css';

type CellTextProps = {
  cell: Pick<Cell, 'html' | 'language'>;
  /** Where editors get a pencil: "home/intro". */
  edit?: string;
  className?: string | undefined;
};

/** The text of an editable cell, sanitized by the server (decisions §5). */
export function CellText({ cell: { html, language }, edit, className }: CellTextProps) {
  // A text that is missing in the page's language is shown in another one.
  const attributes = { 'data-edit': edit, lang: language === LANGUAGE ? undefined : language };
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server, the only source
    <div {...attributes} className={classNames(styles.text, className)} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
