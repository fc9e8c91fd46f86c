import { useQuery } from '@tanstack/react-query';
import { type Day, isDay } from '#domain/days.ts';
import { formatMonth } from '#domain/statement.ts';
import { useApi } from '#web/session/app-context.ts';
import { bookMonthsQuery } from '../queries.ts';
import { useToday } from '../use-dates.ts';

/** Explains in which month a check will count, if the month of its date is closed. */
export function useClosedMonthHint(orgId: string, receivedOn: Day): string | undefined {
  const [month, currentMonth] = [receivedOn.slice(0, 7), useToday().slice(0, 7)];
  const enabled = isDay(receivedOn) && month < currentMonth;
  const { data: months } = useQuery({ ...bookMonthsQuery(useApi(), orgId), enabled });
  if (!enabled || !months?.closedMonth || month > months.closedMonth) return undefined;
  return `${formatMonth(month)} is closed, so this check will count in ${formatMonth(currentMonth)}.`;
}
