import { fillPath, type PathParams } from './path-pattern.ts';

/** Start of every call's path (decisions §6). */
export const API_BASE = '/api';

/** The cursor of a list's next page. */
export const NEXT_CURSOR_HEADER = 'x-next-cursor';

/** The number of a list's rows before this page; omitted above 10,000. */
export const POSITION_HEADER = 'x-position';

/** The number of lines in a downloaded file, excluding its header. */
export const LINE_COUNT_HEADER = 'x-lines';

/** Server-sent events about an organization's changes (decisions §6). */
export const LIVE_PATH = '/orgs/:orgid/live';

/** Start of the path of calls about an organization. */
export const ORG_PATH = '/orgs/:orgid';

/** Creates a function for a method and path prefix, which keeps the script that every visitor loads small. */
export const createCallBuilder =
  <Method extends string, Prefix extends string>(method: Method, prefix: Prefix) =>
  <Path extends string>(path: Path) =>
    ({ method, path: `${prefix}${path}` }) as const;

const get = createCallBuilder('GET', '');
const [orgGet, orgPut] = [createCallBuilder('GET', ORG_PATH), createCallBuilder('PUT', ORG_PATH)];
const [orgPost, orgPatch] = [createCallBuilder('POST', ORG_PATH), createCallBuilder('PATCH', ORG_PATH)];

/** The API calls of visitors' pages. Every page loads this list. */
export const VISITOR_CALLS = {
  readSite: get('/site'),
  readCardFee: get('/site/card-fee'),
  readOrgs: get('/orgs'),
  readOrg: orgGet(''),
  waitForChange: orgGet('/changes'),
  readFactors: orgGet('/factors'),
  readOffsetters: orgGet('/offsetters'),
  readOffsetter: orgGet('/offsetters/:offsetterid'),
  readOffsetterNeighbors: orgGet('/offsetters/:offsetterid/neighbours'),
  readAwardees: orgGet('/awardees'),
  readAwardee: orgGet('/awardees/:awardeeid'),
  readAwardeeNeighbors: orgGet('/awardees/:awardeeid/neighbours'),
  readInstallers: orgGet('/installers'),
  readInstaller: orgGet('/installers/:installerid'),
  readInstallerNeighbors: orgGet('/installers/:installerid/neighbours'),
  createCheckout: orgPost('/checkouts'),
  readCheckout: orgGet('/checkouts/:checkoutid'),
  openCheckoutReceipt: orgGet('/checkouts/:checkoutid/receipt'),
  submitProfile: orgPut('/checkouts/:checkoutid'),
  completeCheckout: orgPatch('/checkouts/:checkoutid/complete'),
  pledgeCheck: orgPost('/pledges'),
  readRecurringGift: orgGet('/recurring-gifts/:giftkey'),
  stopRecurringGift: orgPost('/recurring-gifts/:giftkey/stop'),
  changeRecurringGiftCard: orgPost('/recurring-gifts/:giftkey/card'),
  changeRecurringGift: orgPut('/recurring-gifts/:giftkey'),
  pauseRecurringGift: orgPut('/recurring-gifts/:giftkey/paused'),
  readPounds: orgGet('/pounds'),
  downloadPounds: orgGet('/pounds/csv'),
  openReceipt: orgGet('/receipts/file'),
  openGiftHomes: orgGet('/receipts/homes'),
  searchCities: get('/autocomplete'),
} as const;

/** The path of a call, such as '/api/orgs/sample'. */
export function endpointPath<Pattern extends string>(
  { path }: { readonly path: Pattern },
  params: PathParams<Pattern>,
): string {
  return API_BASE + fillPath(path, params);
}
