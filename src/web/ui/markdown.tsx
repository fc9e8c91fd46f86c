import { classNames } from './class-names.ts';
import styles from './markdown.module.css';

/** The text of an editable cell, sanitized by the server (decisions §5). */
export function CellText({ html, className }: { html: string; className?: string | undefined }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server, the only source
  return <div className={classNames(styles.text, className)} dangerouslySetInnerHTML={{ __html: html }} />;
}
