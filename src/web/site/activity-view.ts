import type { QueryInput } from '#contract/schemas.ts';
import { ACTIVITY_SUBJECTS, type ActivitySubject } from '#domain/activity.ts';
import { type Day, isDay } from '#domain/days.ts';
import type { Search } from '#web/navigation/address.ts';
import { withSearch } from '#web/navigation/with-search.ts';

/** The activity pages' filters, stored in the address. */
export type ActivityView = {
  readonly person: string;
  readonly subject: ActivitySubject | undefined;
  readonly from: Day | undefined;
  readonly to: Day | undefined;
  /** The organization's id, on the page about all organizations. */
  readonly org: string | undefined;
};

/** Parses the view from the URL. Ignores invalid values. */
export function parseActivityView({ person = '', subject, from = '', to = '', org }: Search): ActivityView {
  return {
    person,
    subject: ACTIVITY_SUBJECTS.find((candidate) => candidate === subject),
    from: isDay(from) ? from : undefined,
    to: isDay(to) ? to : undefined,
    org,
  };
}

/** @param path the page's path, without filters */
export function activityUrl(path: string, view: Partial<ActivityView>): string {
  return withSearch(path, { ...view, person: view.person?.trim() });
}

export function isFilteredActivity({ person, subject, from, to, org }: ActivityView): boolean {
  return person !== '' || [subject, from, to, org].some((value) => value !== undefined);
}

const PAGE_SIZE = 25;

export function toActivityQuery({ person, subject, from, to }: ActivityView): QueryInput<'readActivity'> {
  return {
    max: PAGE_SIZE,
    ...(person.trim() === '' ? {} : { person: person.trim() }),
    ...(subject === undefined ? {} : { subject }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}
