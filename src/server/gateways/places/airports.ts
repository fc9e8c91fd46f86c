/**
 * Cities by the IATA code of their airport, for codes that the gazetteer doesn't list among a city's names. As search
 * texts for that city.
 */
const AIRPORTS: Readonly<Record<string, string>> = {
  AEP: 'Buenos Aires, Argentina',
  ALB: 'Albany, New York',
  ARN: 'Stockholm, Sweden',
  BDL: 'Hartford, Connecticut',
  BUR: 'Burbank, California',
  CDG: 'Paris, France',
  CGH: 'São Paulo, Brazil',
  CGK: 'Jakarta, Indonesia',
  CHS: 'Charleston, South Carolina',
  CMN: 'Casablanca, Morocco',
  DAL: 'Dallas, Texas',
  DCA: 'Washington, District of Columbia',
  DMK: 'Bangkok, Thailand',
  DTW: 'Detroit, Michigan',
  DUB: 'Dublin, Ireland',
  ELM: 'Elmira, New York',
  EZE: 'Buenos Aires, Argentina',
  FCO: 'Rome, Italy',
  GIG: 'Rio de Janeiro, Brazil',
  GMP: 'Seoul, South Korea',
  GRU: 'São Paulo, Brazil',
  HAN: 'Hanoi, Vietnam',
  HND: 'Tokyo, Japan',
  IAD: 'Washington, District of Columbia',
  IAH: 'Houston, Texas',
  ICN: 'Seoul, South Korea',
  JFK: 'New York City',
  KEF: 'Reykjavík, Iceland',
  KIX: 'Osaka, Japan',
  LGA: 'New York City',
  LGW: 'London, United Kingdom',
  LHR: 'London, United Kingdom',
  LIN: 'Milan, Italy',
  LTN: 'London, United Kingdom',
  MAN: 'Manchester, United Kingdom',
  MCI: 'Kansas City, Missouri',
  MCO: 'Orlando, Florida',
  MDW: 'Chicago, Illinois',
  MXP: 'Milan, Italy',
  NRT: 'Tokyo, Japan',
  ORD: 'Chicago, Illinois',
  ORY: 'Paris, France',
  PEK: 'Beijing, China',
  PKX: 'Beijing, China',
  PVG: 'Shanghai, China',
  RSW: 'Fort Myers, Florida',
  SAN: 'San Diego, California',
  SAW: 'Istanbul, Türkiye',
  SMF: 'Sacramento, California',
  STN: 'London, United Kingdom',
  YUL: 'Montréal, Quebec',
  YYZ: 'Toronto, Ontario',
};

/** The search text for an airport's city. @param text as typed, "jfk" */
export function airportCity(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return Object.hasOwn(AIRPORTS, code) ? AIRPORTS[code] : undefined;
}
