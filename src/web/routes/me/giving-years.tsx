import type { GivingYear } from '#contract/schemas/users.ts';
import { formatDollars } from '#domain/money.ts';
import { m } from '#messages';
import { saveFile } from '#web/browser/save-file.ts';
import { ActionButton } from '#web/forms/action-button.tsx';
import { useApi } from '#web/session/app-context.ts';
import { ItemList, ItemRow } from '#web/ui/layout.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { renderVisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './me.module.css';

/** Gifts by tax year, each with a statement to download. */
export function GivingYears({ years, userId }: { years: readonly GivingYear[]; userId: string }) {
  if (years.length === 0) return null;
  return (
    <>
      <h2 className={styles.years}>{m.taxYearsTitle()}</h2>
      <ItemList>
        {years.map((year) => (
          <YearRow key={year.year} year={year} userId={userId} />
        ))}
      </ItemList>
    </>
  );
}

function YearRow({ year, userId }: { year: GivingYear; userId: string }) {
  const api = useApi();
  const download = async () => {
    const params = { userid: userId, year: year.year };
    const file = m.statementFile({ year: year.year });
    saveFile(file, await api.download('downloadStatement', { params }), 'application/pdf');
  };
  return (
    <ItemRow
      title={formatYear(year)}
      actions={
        <ActionButton kind="outline" action={download}>
          <RichText text={m.taxYearsDownload({ year: String(year.year) })} tags={{ hidden: renderVisuallyHidden }} />
        </ActionButton>
      }
    />
  );
}

/** "2026: 5 gifts, $125.00", with the refunded or disputed amount. */
export function formatYear({ year, gifts, amount, returned }: GivingYear): string {
  const numbers = { year: String(year), count: gifts, amount: formatDollars(amount) };
  return returned === 0 ? m.taxYear(numbers) : m.taxYearReturned({ ...numbers, returned: formatDollars(returned) });
}
