// @spec 2.editor decisions.4
import { expect, test } from 'vitest';
import { parseAddress } from '#web/navigation/address.ts';
import { activityUrl, isFilteredActivity, parseActivityView, toActivityQuery } from '#web/site/activity-view.ts';

const readView = (address: string) => parseActivityView(parseAddress(address).search);

test('activity filters survive a round trip through the address', () => {
  const filters = { person: 'Ada & Söhne', subject: 'grants', from: '2026-03-01', to: '2026-03-31' } as const;
  const address = activityUrl('/orgs/o1/editor/activity', filters);
  expect(readView(address)).toEqual({ ...filters, org: undefined });
  expect(isFilteredActivity(readView(address))).toBe(true);
  expect(toActivityQuery(readView(address))).toEqual({ max: 25, ...filters });
});

test('invalid filters are ignored', () => {
  const view = readView('/admin/activity?subject=horses&from=tomorrow');
  expect(isFilteredActivity(view)).toBe(false);
  expect(activityUrl('/admin/activity', view)).toBe('/admin/activity');
  expect(toActivityQuery(view)).toEqual({ max: 25 });
});
