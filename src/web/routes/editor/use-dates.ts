import { createContext, useContext } from 'react';
import type { TimeZone } from '#domain/days.ts';
import { dateText, momentText } from '#web/ui/text.ts';

/** The organization's time zone, by which the editors' pages show all dates (decisions §3). */
export const OrgTimeZone = createContext<TimeZone>('UTC');

/** Dates and times as the organization's clocks show them. */
export function useDates() {
  const zone = useContext(OrgTimeZone);
  return {
    zone,
    dateText: (time: string) => dateText(time, zone),
    momentText: (time: string) => momentText(time, zone),
  };
}
