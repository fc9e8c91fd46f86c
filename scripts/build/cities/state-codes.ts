/** Codes that people write after a city's name, where GeoNames has numbers. */
const POSTAL_CODES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CA: {
    Alberta: 'AB',
    'British Columbia': 'BC',
    Manitoba: 'MB',
    'New Brunswick': 'NB',
    'Newfoundland and Labrador': 'NL',
    'Northwest Territories': 'NT',
    'Nova Scotia': 'NS',
    Nunavut: 'NU',
    Ontario: 'ON',
    'Prince Edward Island': 'PE',
    Quebec: 'QC',
    Saskatchewan: 'SK',
    Yukon: 'YT',
  },
  AU: {
    'Australian Capital Territory': 'ACT',
    'New South Wales': 'NSW',
    'Northern Territory': 'NT',
    Queensland: 'QLD',
    'South Australia': 'SA',
    Tasmania: 'TAS',
    Victoria: 'VIC',
    'Western Australia': 'WA',
  },
};

/** The postal code of a state or province in the United States, Canada and Australia, or nothing. */
export function stateCodeOf(place: { countryCode: string; admin1: string; state: string }): string {
  if (place.countryCode === 'US') return place.admin1;
  return POSTAL_CODES[place.countryCode]?.[place.state] ?? '';
}
