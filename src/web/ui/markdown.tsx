import { classNames } from './class-names.ts';
import styles from './markdown.module.css';

/** The words of an editable cell. `html` is the server's, which sanitises it whenever it is made (decisions §5). */
export function CellText({ html, className }: { html: string; className?: string | undefined }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server, which alone makes it
  return <div className={classNames(styles.text, className)} dangerouslySetInnerHTML={{ __html: html }} />;
}
