import type { GrantFacts } from '#contract/schemas/grants.ts';
import { dayOf, dayText } from '#domain/days.ts';
import { daysBefore } from './ledger/sample-gift.ts';
import { sampleOrg } from './sample-org.ts';

/** A grant of a sample household, with the age of each step in days. */
export type SampleGrant = {
  readonly key: string;
  readonly facts: Omit<GrantFacts, 'appliedOn'>;
  readonly ago: {
    readonly applied: number;
    readonly promised?: number;
    readonly paid?: number;
    readonly done?: number;
    readonly inspected?: number;
  };
};

type Draft = Pick<GrantFacts, 'awardeeid' | 'measures' | 'yearlyPounds' | 'years' | 'method' | 'shown'> &
  Partial<Pick<GrantFacts, 'installer' | 'otherMoney' | 'otherSource'>> & {
    /** Source of the pounds. Audits get a date where dates are public. */
    readonly source: string;
    readonly ago: SampleGrant['ago'];
  };

/**
 * Grants of the sample awardees, oldest first; three families have a second one. Each grant pays $25 per ton of lifetime
 * savings (§9). The savings are within published ranges (EPA, ENERGY STAR, NREL).
 */
export function sampleGrants(now: Date): SampleGrant[] {
  return drafts.map(({ source, ago, ...draft }) => {
    const isDated = draft.method === 'audit' && draft.shown.includes('dates');
    const auditDate = isDated ? `, ${dayText(dayOf(daysBefore(now, ago.applied + 9), sampleOrg.time_zone))}` : '';
    const isSecond = drafts.some((other) => other.awardeeid === draft.awardeeid && other.ago.applied > ago.applied);
    const facts = {
      installer: '',
      otherMoney: 0,
      otherSource: '',
      claimsAllBecause: '',
      ...draft,
      amount: Math.round(draft.yearlyPounds * draft.years * 1.25) / 100,
      methodSource: `${source}${auditDate}`,
    };
    return { key: `${draft.awardeeid}-${isSecond ? 2 : 1}`, facts, ago };
  });
}

const AUDIT = 'Energy audit with a blower door';
const BILLS = 'Model of the home from three winters of bills';
const EPA = 'EPA, Seal and Insulate: 15% of 800 therms, at 11.70 lb a therm';
const WATER_HEATER = 'ENERGY STAR: 2,690 kWh a year, at 0.242 lb a kWh (eGRID2023)';

const drafts: readonly Draft[] = [
  {
    awardeeid: 'gwen-thibodeaux',
    measures: ['attic-insulation'],
    yearlyPounds: 1800,
    years: 20,
    method: 'audit',
    source: AUDIT,
    installer: 'Junie Castellano',
    shown: ['amount', 'measures', 'savings', 'dates'],
    ago: { applied: 724, promised: 716, done: 701, inspected: 692, paid: 655 },
  },
  {
    awardeeid: 'june-abernathy',
    measures: ['air-sealing', 'other'],
    yearlyPounds: 1404,
    years: 20,
    method: 'deemed',
    source: EPA,
    installer: 'Keisha Monroe and crew',
    shown: ['measures', 'savings', 'dates'],
    ago: { applied: 648, promised: 640, done: 618, inspected: 609, paid: 585 },
  },
  {
    awardeeid: 'vega-sisters',
    measures: ['air-sealing'],
    yearlyPounds: 1600,
    years: 20,
    method: 'audit',
    source: AUDIT,
    installer: 'Tess Moreau',
    shown: ['measures'],
    ago: { applied: 571, promised: 563, done: 540, inspected: 533, paid: 505 },
  },
  {
    awardeeid: 'tesfaye-family',
    measures: ['other'],
    yearlyPounds: 2400,
    years: 25,
    method: 'model',
    source: BILLS,
    installer: 'Pilar Esquivel and Deshawn Cole',
    shown: ['measures', 'installer', 'dates'],
    ago: { applied: 512, promised: 498, done: 471, inspected: 462, paid: 430 },
  },
  {
    awardeeid: 'yusuf-lindholm',
    measures: ['heat-pump', 'other'],
    yearlyPounds: 11_800,
    years: 16,
    method: 'model',
    source: BILLS,
    installer: 'Imran Siddiqui',
    shown: [],
    ago: { applied: 452, promised: 440, done: 406, inspected: 398, paid: 350 },
  },
  {
    awardeeid: 'leonard-baptiste',
    measures: ['heat-pump'],
    yearlyPounds: 7400,
    years: 16,
    method: 'audit',
    source: AUDIT,
    installer: 'Dale Kowalski',
    otherMoney: 1000,
    otherSource: 'State rebate for heat pumps',
    shown: ['amount', 'measures', 'installer', 'savings', 'dates'],
    ago: { applied: 391, promised: 380, done: 349, inspected: 341, paid: 315 },
  },
  {
    awardeeid: 'haddad-family',
    measures: ['air-sealing', 'heat-pump'],
    yearlyPounds: 6800,
    years: 16,
    method: 'audit',
    source: AUDIT,
    installer: 'Imran Siddiqui',
    shown: ['measures', 'savings'],
    ago: { applied: 321, promised: 309, done: 283, inspected: 274, paid: 245 },
  },
  {
    awardeeid: 'walter-pruitt',
    measures: ['air-sealing', 'other'],
    yearlyPounds: 3100,
    years: 20,
    method: 'audit',
    source: AUDIT,
    installer: 'Keisha Monroe and crew',
    shown: ['amount', 'measures', 'dates'],
    ago: { applied: 262, promised: 251, done: 229, inspected: 221, paid: 195 },
  },
  {
    awardeeid: 'elena-vargas',
    measures: ['air-sealing', 'heat-pump'],
    yearlyPounds: 7900,
    years: 16,
    method: 'audit',
    source: AUDIT,
    installer: 'Imran Siddiqui',
    shown: ['measures', 'installer'],
    ago: { applied: 211, promised: 199, done: 170, inspected: 162, paid: 133 },
  },
  {
    awardeeid: 'curtis-bell',
    measures: ['heat-pump', 'other'],
    yearlyPounds: 8200,
    years: 16,
    method: 'model',
    source: BILLS,
    installer: 'Dale Kowalski',
    shown: ['measures', 'installer', 'savings', 'dates'],
    ago: { applied: 158, promised: 147, done: 116, inspected: 108, paid: 80 },
  },
  {
    awardeeid: 'ruth-lindqvist',
    measures: ['air-sealing', 'heat-pump'],
    yearlyPounds: 8400,
    years: 16,
    method: 'audit',
    source: AUDIT,
    installer: 'Dale Kowalski',
    shown: ['measures', 'savings', 'dates'],
    ago: { applied: 104, promised: 92, done: 63, inspected: 54, paid: 33 },
  },
  {
    awardeeid: 'okafor-family',
    measures: ['attic-insulation', 'heat-pump'],
    yearlyPounds: 9200,
    years: 16,
    method: 'audit',
    source: AUDIT,
    installer: 'Hank Abara',
    shown: ['amount', 'measures', 'installer', 'savings', 'dates'],
    ago: { applied: 66, promised: 51, done: 26, paid: 11 },
  },
  {
    awardeeid: 'haddad-family',
    measures: ['heat-pump-water-heater'],
    yearlyPounds: 651,
    years: 13,
    method: 'deemed',
    source: WATER_HEATER,
    installer: 'Bao Nguyen',
    shown: ['measures', 'dates'],
    ago: { applied: 40, promised: 22, paid: 5 },
  },
  {
    awardeeid: 'walter-pruitt',
    measures: ['attic-insulation'],
    yearlyPounds: 1560,
    years: 20,
    method: 'audit',
    source: AUDIT,
    installer: 'Hank Abara',
    shown: ['amount', 'measures', 'savings', 'dates'],
    ago: { applied: 34, promised: 9 },
  },
  {
    awardeeid: 'ruth-lindqvist',
    measures: ['heat-pump-water-heater'],
    yearlyPounds: 651,
    years: 13,
    method: 'deemed',
    source: WATER_HEATER,
    shown: [],
    ago: { applied: 6 },
  },
];
