import { createContext, useContext, useState } from 'react';
import { type Day, dayOf, type TimeZone } from '#domain/days.ts';
import { formatDate, formatDateTime, formatTimeOfDay } from '#web/ui/text.ts';

/** The organization's time zone. All dates on editors' pages are in this time zone (decisions §3). */
export const OrgTimeZone = createContext<TimeZone>('UTC');

/** Formats dates and times in the organization's time zone. */
export function useDates() {
  const zone = useContext(OrgTimeZone);
  return {
    zone,
    formatDate: (time: string) => formatDate(time, zone),
    formatDateTime: (time: string) => formatDateTime(time, zone),
    formatTimeOfDay: (time: string) => formatTimeOfDay(time, zone),
  };
}

/** Today in the organization's time zone, fixed when the component mounts. */
export function useToday(): Day {
  const zone = useContext(OrgTimeZone);
  return useState(() => dayOf(new Date(), zone))[0];
}
