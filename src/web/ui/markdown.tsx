import { classNames } from './class-names.ts';
import styles from './markdown.module.css';

type CellTextProps = {
  html: string;
  /** Where editors get a pencil: "home/intro". */
  edit?: string;
  className?: string | undefined;
};

/** The text of an editable cell, sanitized by the server (decisions §5). */
export function CellText({ html, edit, className }: CellTextProps) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server, the only source
    <div data-edit={edit} className={classNames(styles.text, className)} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
