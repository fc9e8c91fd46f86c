import { type RawBuilder, sql } from 'kysely';
import type { LedgerKind } from '#domain/books.ts';
import type { FactName } from '#domain/facts.ts';

/** Builds a fact from columns with ids, such as 'refund:' || payment_returns.id. */
export function buildFactFromColumns(name: FactName, ...ids: readonly string[]): RawBuilder<string> {
  const parts = ids.map((id) => sql`':' || ${sql.ref(id)}`);
  return sql`${sql.lit(name)} || ${sql.join(parts, sql` || `)}`;
}

/** Condition for entries of these kinds. Literals allow PostgreSQL to use partial indexes. */
export function isOfKind(column: string, kinds: readonly LedgerKind[]): RawBuilder<boolean> {
  return sql`${sql.ref(column)} in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`;
}

/** Condition for facts with this name. */
export function hasFactName(column: string, name: FactName): RawBuilder<boolean> {
  return sql`starts_with(${sql.ref(column)}, ${sql.lit(`${name}:`)})`;
}
