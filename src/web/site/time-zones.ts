import type { TimeZone } from '#domain/days.ts';
import type { SelectGroup } from '#web/ui/choice.tsx';

/** Common time zones, listed first. */
const US_TIME_ZONES: Readonly<Record<TimeZone, string>> = {
  'America/New_York': 'New York (Eastern)',
  'America/Chicago': 'Chicago (Central)',
  'America/Denver': 'Denver (Mountain)',
  'America/Phoenix': 'Phoenix (Mountain, no daylight saving)',
  'America/Los_Angeles': 'Los Angeles (Pacific)',
  'America/Anchorage': 'Anchorage (Alaska)',
  'Pacific/Honolulu': 'Honolulu (Hawaii)',
  'America/Puerto_Rico': 'Puerto Rico (Atlantic)',
};

const AREA_LABELS: Readonly<Record<string, string>> = { America: 'Americas', Indian: 'Indian Ocean', UTC: 'Other' };

/** All time zones that the browser supports, and the current one, grouped by area. */
export function groupTimeZones(current: TimeZone): readonly SelectGroup[] {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', current]);
  const otherZones = [...zones].filter((zone) => !(zone in US_TIME_ZONES)).toSorted();
  const areas = [...new Set(otherZones.map(getArea))];
  return [
    { label: 'United States', options: Object.entries(US_TIME_ZONES).map(([value, label]) => ({ value, label })) },
    ...areas.map((area) => ({
      label: AREA_LABELS[area] ?? area,
      options: otherZones
        .filter((zone) => getArea(zone) === area)
        .map((zone) => ({ value: zone, label: getPlaceName(zone) })),
    })),
  ];
}

function getArea(zone: TimeZone): string {
  return zone.split('/')[0] ?? zone;
}

/** "America/Argentina/Buenos_Aires" → "Argentina, Buenos Aires" */
function getPlaceName(zone: TimeZone): string {
  const [, ...place] = zone.replaceAll('_', ' ').split('/');
  return place.length === 0 ? zone : place.join(', ');
}
