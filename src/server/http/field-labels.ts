import { type InLanguage, m } from '#messages';

/** Formats a path, such as ['cart', 1, 'offsetType'] as "Cart item 2: the offset type", or ['cart'] as "The cart". */
export function formatPathLabel(path: readonly PropertyKey[], options?: InLanguage): string {
  if (path.length === 0) return m.fieldRequest({}, options);
  const parents: string[] = [];
  let name = '';
  for (const step of path) {
    if (typeof step === 'number') {
      parents.push(m.fieldItem({ name: name || 'entry', number: String(step + 1) }, options));
      name = '';
    } else {
      if (name) parents.push(name);
      name = getFieldLabel(String(step), options);
    }
  }
  return capitalize([...parents, ...(name ? [m.fieldThe({ name }, options)] : [])].join(': '));
}

/** Labels of fields that donors and account holders fill in. */
const LOCALIZED_LABELS: Readonly<Record<string, (inputs?: Record<string, never>, options?: InLanguage) => string>> = {
  amount: m.fieldAmount,
  carbon: m.fieldCarbon,
  card: m.fieldCard,
  cart: m.fieldCart,
  code: m.fieldCode,
  cost: m.fieldCost,
  count: m.fieldCount,
  coversFee: m.fieldCoversFee,
  current: m.fieldCurrent,
  email: m.fieldEmail,
  message: m.fieldMessage,
  name: m.fieldName,
  offsetType: m.fieldOffsetType,
  password: m.fieldPassword,
  query: m.fieldSearch,
  recurring: m.fieldRecurring,
  recurringInterval: m.fieldInterval,
  search: m.fieldSearch,
  shownAs: m.fieldShownAs,
  signature: m.fieldSigned,
  story: m.fieldStory,
  tribute: m.fieldTribute,
  unit: m.fieldUnit,
};

/** Labels of other fields whose API names aren't readable. Only editors' pages and programs send them. */
const ENGLISH_LABELS: Readonly<Record<string, string>> = {
  address: 'source URL',
  admin: 'admin role',
  allowDuplicate: 'choice to record the check again',
  appliedOn: 'date of the application',
  awardeeid: 'awardee',
  baseSettings: 'settings before the edit',
  baseVersion: 'version before the edit',
  basedOn: 'text before the edit',
  basedOnName: 'name before the edit',
  basedOnStory: 'story before the edit',
  challenge: 'Turnstile response',
  choice: 'choice of numbers',
  co2: 'CO₂',
  cursorRef: 'cursor',
  dismissed: 'choice to hide the first steps',
  doneOn: 'completion date',
  editorsNeedSecondFactor: 'choice to require a second step',
  entryid: 'gift',
  entryids: 'list of checks',
  from: 'start date',
  fullSavingsReason: 'reason to count the full savings',
  funds: 'dollars',
  gas: 'gallons of gas',
  google: 'Google sign-in',
  group: 'checkout filter',
  ids: 'list of ids',
  inspectedOn: 'date of the inspection',
  isNext: 'direction of the list',
  key: 'receipt key',
  kind: 'kind of gift',
  line: 'payout or deposit',
  max: 'page size',
  methodSource: 'source of the savings',
  mine: 'whether the story is yours',
  noAwardees: 'choice to hide awardees',
  offer: 'registration token',
  on: 'date',
  orgid: 'organization',
  otherFundingSource: 'source of the other funding',
  otherid: 'other donor',
  paused: 'choice to pause',
  previousStats: 'stats before the edit',
  publicFields: 'list of public fields',
  received: 'received check',
  receivedOn: 'date received',
  requestid: 'request id',
  returnTo: 'return address',
  reviewStories: 'choice to review stories',
  secondFactor: 'second step',
  seen: 'statement check mark',
  showsHomes: 'choice to show homes',
  showsPounds: 'choice to show pounds',
  since: 'version',
  startAt: 'choice to start at the cursor',
  statsDelta: 'adjustment',
  subject: 'kind of activity',
  subjectid: 'gift or donor',
  takesApplications: 'choice to take applications',
  to: 'end date',
  withdrawn: 'choice to cancel',
  yearlyPounds: 'pounds a year',
};

/** Returns a label such as "offset type" for 'offsetType'. */
function getFieldLabel(name: string, options?: InLanguage): string {
  return (
    LOCALIZED_LABELS[name]?.({}, options) ??
    ENGLISH_LABELS[name] ??
    name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  );
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
