import type { ReactNode } from 'react';
import styles from './table.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

export type TableColumn<Row> = {
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** Style of the column, and its place in the card that a row becomes on a phone. */
  readonly kind: 'title' | 'detail' | 'status' | 'amount' | 'action';
};

type TableProps<Row> = {
  /** For screen readers. */
  caption: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
};

/** A table; on a phone, a card per row. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table className={styles.table}>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          {columns.map(({ heading, kind }) => (
            <th key={heading} scope="col" className={styles[kind]}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ heading, kind, cell }) => (
              <td key={heading} className={styles[kind]}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
