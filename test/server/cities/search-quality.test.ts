// @spec decisions.6
import { beforeAll, expect, test } from 'vitest';
import type { BundledPlaces } from '#server/gateways/places/bundled-places.ts';
import { BUILD_TIMEOUT, loadBuiltPlaces } from './built-places.ts';

let places: BundledPlaces;
beforeAll(async () => {
  places = await loadBuiltPlaces();
}, BUILD_TIMEOUT);

const ITHACA = 'Ithaca, New York, US';
const NEW_YORK = 'New York City, New York, US';
const SAINT_LOUIS = 'St. Louis, Missouri, US';
const PARIS = 'Paris, Île-de-France, FR';
const MUNICH = 'Munich, Bavaria, DE';
const ZURICH = 'Zürich, Zurich, CH';
const WASHINGTON = 'Washington, District of Columbia, US';
const COEUR_D_ALENE = "Coeur d'Alene, Idaho, US";

/** The query and the expected first result. */
const QUERIES: readonly (readonly [typed: string, first: string])[] = [
  ['Ithaca', ITHACA],
  ['ith', ITHACA],
  ['ithaca ny', ITHACA],
  ['Ithaca, New York', ITHACA],
  ['Paris', PARIS],
  ['paris tx', 'Paris, Texas, US'],
  ['Paris, France', PARIS],
  ['Portland', 'Portland, Oregon, US'],
  ['Portland, ME', 'Portland, Maine, US'],
  ['portland maine', 'Portland, Maine, US'],
  ['Springfield, IL', 'Springfield, Illinois, US'],
  ['springfield il', 'Springfield, Illinois, US'],
  ['springfield, mass', 'Springfield, Massachusetts, US'],
  ['New York', NEW_YORK],
  ['new yo', NEW_YORK],
  ['NYC', NEW_YORK],
  ['St Louis', SAINT_LOUIS],
  ['saint lou', SAINT_LOUIS],
  ['St. Louis', SAINT_LOUIS],
  ['München', MUNICH],
  ['münch', MUNICH],
  ['Muenchen', MUNICH],
  ['munich', MUNICH],
  ['Zürich', ZURICH],
  ['zurich', ZURICH],
  ['Sao Paulo', 'São Paulo, São Paulo, BR'],
  ['São Paulo', 'São Paulo, São Paulo, BR'],
  ['san fran', 'San Francisco, California, US'],
  ['los ang', 'Los Angeles, California, US'],
  ['los', 'Los Angeles, California, US'],
  ['LOS', 'Lagos, Lagos, NG'],
  ['london', 'London, England, GB'],
  ['London, Ontario', 'London, Ontario, CA'],
  ['chicago', 'Chicago, Illinois, US'],
  ['washington dc', WASHINGTON],
  ['Washington, D.C.', WASHINGTON],
  ['boston', 'Boston, Massachusetts, US'],
  ['syracuse', 'Syracuse, New York, US'],
  ['rochester', 'Rochester, New York, US'],
  ['fort worth', 'Fort Worth, Texas, US'],
  ['mexico city', 'Mexico City, Mexico City, MX'],
  ['tok', 'Tokyo, Tokyo, JP'],
  ['seoul', 'Seoul, Seoul, KR'],
  ['toronto', 'Toronto, Ontario, CA'],
  ['elmira', 'Elmira, New York, US'],
  ['cologne', 'Köln, North Rhine-Westphalia, DE'],
  ['Vienna', 'Vienna, Vienna, AT'],
  ['binghamton', 'Binghamton, New York, US'],
  ['cambridge', 'Cambridge, Massachusetts, US'],
  // Abbreviations, punctuation, spacing
  ['Vancouver, BC', 'Vancouver, British Columbia, CA'],
  ['vancouver bc', 'Vancouver, British Columbia, CA'],
  ['coeur d alene', COEUR_D_ALENE],
  ["Coeur d'Alene", COEUR_D_ALENE],
  ['coeur d’alene id', COEUR_D_ALENE],
  ['Sault Ste. Marie, MI', 'Sault Ste. Marie, Michigan, US'],
  ['mt vernon ny', 'Mount Vernon, New York, US'],
  ['ft lauderdale', 'Fort Lauderdale, Florida, US'],
  ['Billings, MT', 'Billings, Montana, US'],
  ['billings mt', 'Billings, Montana, US'],
  ['winston salem', 'Winston-Salem, North Carolina, US'],
  ['  ITHACA ,ny ', ITHACA],
  // Regions: with and without commas, misspelled, and a code shared by a state and a country
  ['Ithaca, Tompkins County, New York, United States', ITHACA],
  ['ithaca new york usa', ITHACA],
  ['springfield mass', 'Springfield, Massachusetts, US'],
  ['Springfield, Clark County', 'Springfield, Ohio, US'],
  ['sydney nsw', 'Sydney, New South Wales, AU'],
  ['Perth, WA', 'Perth, Western Australia, AU'],
  ['Vancouver, WA', 'Vancouver, Washington, US'],
  ['London, UK', 'London, England, GB'],
  ['Richmond, CA', 'Richmond, California, US'],
  ['Windsor, CA', 'Windsor, California, US'],
  ['London, CA', 'London, Ontario, CA'],
  ['Berlin, DE', 'Berlin, State of Berlin, DE'],
  ['Paris, Texsa', PARIS],
  ['saint louis senegal', 'Saint-Louis, Saint-Louis, SN'],
  // Alternative and former names
  ['Lisbon', 'Lisbon, Lisbon, PT'],
  ['mün', MUNICH],
  ['lisboa', 'Lisbon, Lisbon, PT'],
  ['Antwerpen', 'Antwerp, Flanders, BE'],
  ['kansas city ks', 'Kansas City, Kansas, US'],
  // ZIP codes
  ['14850', ITHACA],
  ['14850-1234', ITHACA],
  ['Ithaca NY 14850', ITHACA],
  ['Springfield 62701', 'Springfield, Illinois, US'],
  ['10118', NEW_YORK],
  ['02134', 'Allston, Massachusetts, US'],
  ['Berlin 10115', 'Berlin, State of Berlin, DE'],
  // One typo
  ['pheonix', 'Phoenix, Arizona, US'],
  ['albequerque', 'Albuquerque, New Mexico, US'],
  ['Philidelphia, PA', 'Philadelphia, Pennsylvania, US'],
];

test.for(QUERIES)('"%s" is %s', async ([query, first]) => {
  const [city] = await places.search(query);
  expect(city && `${city.city}, ${city.state ?? ''}, ${city.countryCode}`).toBe(first);
});

test('St. Louis also finds the Senegalese city, after the domestic one', async () => {
  const results = await places.search('St Louis');
  expect(results.map((city) => city.countryCode).slice(0, 2)).toEqual(['US', 'SN']);
});

test('a three-letter search matches alternative names only in full', async () => {
  const cityNames = (cities: readonly { city: string }[]) => cities.map((city) => city.city);
  expect(cityNames(await places.search('wie'))).not.toContain('Vienna');
  expect(cityNames(await places.search('wien'))).toContain('Vienna');
});

test('a state after a comma excludes all other states', async () => {
  const results = await places.search('Portland, ME');
  expect(new Set(results.map((city) => city.state))).toEqual(new Set(['Maine']));
});
