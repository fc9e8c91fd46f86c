import type { HostileRow } from './hostile-row.ts';
import { ROWS_OF_GIFTS } from './rows-of-gifts.ts';
import { ROWS_OF_ORGS } from './rows-of-orgs.ts';
import { ROWS_OF_PEOPLE } from './rows-of-people.ts';
import { ROWS_OF_SEARCHES } from './rows-of-searches.ts';
import { ROWS_OF_STORIES } from './rows-of-stories.ts';
import { ROWS_OF_TEXTS } from './rows-of-texts.ts';

/** Every call that accepts text. A new call needs a row here or a reason below. */
export const HOSTILE_CALLS: readonly HostileRow[] = [
  ...ROWS_OF_TEXTS,
  ...ROWS_OF_STORIES,
  ...ROWS_OF_ORGS,
  ...ROWS_OF_GIFTS,
  ...ROWS_OF_PEOPLE,
  ...ROWS_OF_SEARCHES,
];

const ADDRESS = 'an email address, by the one rule of addresses: no line is one';
const SLUG = 'a slug, by the one rule of slugs: no line is one';
const RETURN_TO = 'an address of this site, by the one rule of these: every other line is left out';
const CODE = 'a code, which is looked up by its hash';
const PASSKEY = 'a signature and what was signed, which are checked and not shown';
const OFFER = 'encrypted by the program itself: no other line is one';
const PASSWORD = 'a password, which is hashed';
const BASED_ON = 'compared with the text that stands there, and not kept';
const SETTLEMENT = 'kept for later questions, and shown on no page';
const TRIBUTE = 'refused by the tables of test/domain/tribute.test.ts; what is taken is shown and mailed as text';
const GRANT = 'shown as text on the page of grants alone, to those who have a role there';
const NUMBER =
  'shown as text on the page of numbers, and refused where it has no source (test/server/orgs/choose-factors.test.ts)';
const CELL = 'the name of a cell, which is looked up in a table of our own';

/** Reasons why other text fields need no row. */
export const FIELDS_WITHOUT_ROW: Readonly<Record<string, string>> = {
  'saveGrant installer': GRANT,
  'saveGrant methodSource': GRANT,
  'saveGrant otherSource': GRANT,
  'saveGrant claimsAllBecause': GRANT,
  'reverseGrant reason': 'kept in the ledger and its CSV as the reason of reversePledge is',
  'chooseFactors why': NUMBER,
  'chooseFactors choice.own.air.publisher': NUMBER,
  'chooseFactors choice.own.carFuel.publisher': NUMBER,
  'chooseFactors choice.own.electricity.publisher': NUMBER,
  'chooseFactors choice.own.fuelOil.publisher': NUMBER,
  'chooseFactors choice.own.naturalGas.publisher': NUMBER,
  'chooseFactors choice.own.propane.publisher': NUMBER,
  'chooseFactors choice.own.quickAir.publisher': NUMBER,
  'chooseFactors choice.own.quickCar.publisher': NUMBER,
  'chooseFactors choice.own.quickHome.publisher': NUMBER,
  'chooseFactors versionSeen': 'compared with the version that is used, and not kept',
  'readOrgs slug': 'a slug that is looked up, and not told',
  'createOrg slug': SLUG,
  'createOrg email': ADDRESS,
  'editOrg slug': SLUG,
  'editOrg timeZone': 'a name that Intl knows: no line is one',
  'editOrg statsUpdatedTimestamp': 'taken from §7’s payload, and left unused',
  'sumCheckouts query': 'searched as searchCheckouts does, and answered with sums',
  'readCells page': CELL,
  'readCells name': CELL,
  'readCell page': CELL,
  'readCell name': CELL,
  'saveCell page': CELL,
  'saveCell name': CELL,
  'saveCell basedOn': BASED_ON,
  'createAwardee basedOnName': BASED_ON,
  'createAwardee basedOnStory': BASED_ON,
  'editAwardee basedOnName': BASED_ON,
  'editAwardee basedOnStory': BASED_ON,
  'createInstaller basedOnName': BASED_ON,
  'createInstaller basedOnStory': BASED_ON,
  'editInstaller basedOnName': BASED_ON,
  'editInstaller basedOnStory': BASED_ON,
  'resetCell page': CELL,
  'resetCell name': CELL,
  'readCellVersions page': CELL,
  'readCellVersions name': CELL,
  'previewCell page': CELL,
  'previewCell name': CELL,
  'createCheckout challenge': 'only Turnstile reads it, where that is set up; kept and shown nowhere',
  'createCheckout tribute.name': TRIBUTE,
  'createCheckout tribute.card.email': ADDRESS,
  'createCheckout tribute.card.name': TRIBUTE,
  'createCheckout tribute.card.message': TRIBUTE,
  'createCheckout tribute.card.signed': TRIBUTE,
  'submitProfile email': ADDRESS,
  'pledgeCheck email': ADDRESS,
  'recordPledge email': ADDRESS,
  'refundPayment reason': 'needs a payment, which no row makes; shown to editors beside it, as text',
  'reversePledge reason': 'kept and shown as the note of a check is, which has its row',
  'sendReceiptTo email': ADDRESS,
  'sendCardTo email': ADDRESS,
  'settleAttention note': SETTLEMENT,
  'settleStrayAttention note': SETTLEMENT,
  'signInByPassword email': ADDRESS,
  'signInByPassword password': PASSWORD,
  'sendSignInLink email': ADDRESS,
  'sendSignInLink returnTo': RETURN_TO,
  'signInByLink email': ADDRESS,
  'signInByLink code': CODE,
  'acceptInvitation code': CODE,
  'acceptInvitation name':
    'a name as that of a sign-up, refused or mailed without addresses (test/domain/names.test.ts)',
  'signInByGoogle returnTo': RETURN_TO,
  'signInByGoogle loginHint': ADDRESS,
  'signUp email': ADDRESS,
  'signUp password': PASSWORD,
  'signUp returnTo': RETURN_TO,
  'sendVerification returnTo': RETURN_TO,
  'verifyAddress code': CODE,
  'sendPasswordReset email': ADDRESS,
  'nameSession name': 'shown as text, and only to the person who typed it',
  'prove password': PASSWORD,
  'prove code': CODE,
  'prove second.code': CODE,
  'prove second.recoveryCode': CODE,
  'prove passkey.id': PASSKEY,
  'prove passkey.rawId': PASSKEY,
  'prove passkey.response.authenticatorData': PASSKEY,
  'prove passkey.response.clientDataJSON': PASSKEY,
  'prove passkey.response.signature': PASSKEY,
  'prove passkey.response.userHandle': PASSKEY,
  'prove second.passkey.id': PASSKEY,
  'prove second.passkey.rawId': PASSKEY,
  'prove second.passkey.response.authenticatorData': PASSKEY,
  'prove second.passkey.response.clientDataJSON': PASSKEY,
  'prove second.passkey.response.signature': PASSKEY,
  'prove second.passkey.response.userHandle': PASSKEY,
  'finishSecondStep code': CODE,
  'finishSecondStep recoveryCode': CODE,
  'finishSecondStep passkey.id': PASSKEY,
  'finishSecondStep passkey.rawId': PASSKEY,
  'finishSecondStep passkey.response.authenticatorData': PASSKEY,
  'finishSecondStep passkey.response.clientDataJSON': PASSKEY,
  'finishSecondStep passkey.response.signature': PASSKEY,
  'finishSecondStep passkey.response.userHandle': PASSKEY,
  'signInByPasskey passkey.id': PASSKEY,
  'signInByPasskey passkey.rawId': PASSKEY,
  'signInByPasskey passkey.response.authenticatorData': PASSKEY,
  'signInByPasskey passkey.response.clientDataJSON': PASSKEY,
  'signInByPasskey passkey.response.signature': PASSKEY,
  'signInByPasskey passkey.response.userHandle': PASSKEY,
  'addPasskey passkey.id': PASSKEY,
  'addPasskey passkey.rawId': PASSKEY,
  'addPasskey passkey.response.attestationObject': PASSKEY,
  'addPasskey passkey.response.clientDataJSON': PASSKEY,
  'addPasskey passkey.response.transports': PASSKEY,
  'addPasskey offer': OFFER,
  'addPasskey name': 'shown to its owner alone, as text, and mailed to nobody',
  'addAuthenticator offer': OFFER,
  'addAuthenticator code': CODE,
  'resetPassword code': CODE,
  'resetPassword password': PASSWORD,
  'changePassword current': PASSWORD,
  'changePassword password': PASSWORD,
};
