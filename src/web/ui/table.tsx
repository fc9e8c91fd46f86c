import type { ReactNode } from 'react';
import { Link } from '#web/navigation/link.tsx';
import { classNames } from './class-names.ts';
import styles from './table.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

export type TableColumn<Row> = {
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** Style of the column, and its position in the card that a row becomes on a phone. */
  readonly kind: 'title' | 'detail' | 'status' | 'amount' | 'action';
  /**
   * For a sortable column: its current order, or undefined if the rows aren't sorted by it, and the address that
   * applies the next order.
   */
  readonly sort?: { readonly order: 'asc' | 'desc' | undefined; readonly to: string };
};

type TableProps<Row> = {
  /** Caption for screen readers. */
  caption: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  /** True if the link in the action column opens the row. The whole row is then clickable. */
  hasRowLinks?: boolean;
};

const SORT_NAMES = { asc: 'ascending', desc: 'descending' } as const;
const ARROWS = { asc: '↑', desc: '↓' } as const;

/** A table; on a phone, a card per row. */
export function Table<Row extends { readonly id: string }>(props: TableProps<Row>) {
  const { caption, columns, rows, hasRowLinks = false } = props;
  return (
    <table className={classNames(styles.table, hasRowLinks && styles.rowLinks)}>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          {columns.map(({ heading, kind, sort }) => (
            <th
              key={heading}
              scope="col"
              className={classNames(styles[kind], sort && styles.sortable)}
              aria-sort={sort?.order && SORT_NAMES[sort.order]}
            >
              {sort ? (
                <Link to={sort.to} keepScroll aria-current="false">
                  {heading}
                  <span aria-hidden="true">{sort.order ? ARROWS[sort.order] : '↕'}</span>
                </Link>
              ) : (
                heading
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
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
