import { Failure } from '#domain/failures.ts';
import { readConfig } from '#server/config.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import {
  findLostRecords,
  type LostCharge,
  type LostPage,
  type LostRecords,
} from '#server/features/recovery/find-lost-records.ts';
import { type RecoveryResult, recover } from '#server/features/recovery/recover.ts';
import { formatCommandLine } from '#server/process/app-path.ts';
import { toDatabaseSettings } from './backups/restored-database.ts';
import { formatAmount, KIND_NAMES } from './provider/comparison-lines.ts';
import { describeOutage, type ProviderDeps, withProvider } from './provider/with-provider.ts';
import { getUsage, parseCommand, printFailure } from './usage.ts';
import { valueOrThrow } from './value-or-throw.ts';

/** The provider has no record of receipt numbers for checks or from an earlier recovery. */
const LAST_RECEIPT_HINT =
  'Add --last-receipt with the highest receipt number that was mailed or printed, so that no number is used twice. Search the emails sent since the backup, including receipts for checks. Use 0 if there are none.';

// npm run recover: after a restore, recovers payments since the backup from the payment provider (docs/recovery.md).
try {
  const options = {
    write: { type: 'boolean' },
    'last-receipt': { type: 'string' },
    database: { type: 'string' },
  } as const;
  const { values, positionals } = parseCommand('recover', { options, allowPositionals: true });
  const { write = false, 'last-receipt': lastReceipt, database } = values;
  const isInvalid = positionals.some((id) => !/^(cs|ch|py)_\w+$/.test(id)) || !/^\d{1,9}$/.test(lastReceipt ?? '0');
  if (isInvalid) throw new Error(getUsage('recover'));
  if (write && lastReceipt === undefined) throw new Error(`${LAST_RECEIPT_HINT}\n${getUsage('recover')}`);
  const config = readConfig();
  const isOtherDatabase = database !== undefined;
  await withProvider(
    (deps) =>
      runRecovery(deps, {
        selectedIds: new Set(positionals),
        write,
        lastReceipt: Number(lastReceipt ?? 0),
        isOtherDatabase,
      }),
    isOtherDatabase ? { ...config, ...toDatabaseSettings(database) } : config,
  );
} catch (error) {
  printFailure(error instanceof Failure ? new Error(describeOutage(error)) : error);
}

type Options = {
  readonly selectedIds: ReadonlySet<string>;
  readonly write: boolean;
  readonly lastReceipt: number;
  /** True if the database isn't the one in the settings. */
  readonly isOtherDatabase: boolean;
};

async function runRecovery(
  deps: ProviderDeps,
  { selectedIds, write, lastReceipt, isOtherDatabase }: Options,
): Promise<void> {
  const lostRecords = valueOrThrow(await findLostRecords(deps, selectedIds));
  for (const line of formatLostRecords(lostRecords)) console.log(line);
  const isEmpty = lostRecords.pages.length === 0 && lostRecords.charges.length === 0;
  if (!write) {
    console.log(
      isEmpty
        ? 'There is nothing to recover.'
        : `Nothing was changed. To recover these records: ${formatCommandLine(`recover --write --last-receipt NUMBER${isOtherDatabase ? ' --database URL' : ''}`)}`,
    );
    return;
  }
  const recovery = await recover({ ...deps, jobs: await deps.openJobs() }, lostRecords, lastReceipt);
  for (const line of formatOutcome(recovery)) console.log(line);
  if (recovery.problems.length > 0) process.exitCode = 1;
  const { differences } = valueOrThrow(await compareWithProvider(deps));
  console.log(
    differences.length === 0
      ? 'The books and the payment provider agree.'
      : `The books and the payment provider still differ: see ${formatCommandLine('verify-ledger --provider')}`,
  );
}

function formatLostRecords({ pages, charges, unrecoveredItems, otherInstallations }: LostRecords): string[] {
  const pageCheckoutIds = new Set(pages.map(({ session }) => session.checkoutId));
  const otherCharges = charges.filter(({ checkoutId }) => checkoutId === undefined || !pageCheckoutIds.has(checkoutId));
  return [
    ...addTitle('Payment pages whose checkout or payment is missing here:', pages.map(formatLostPage)),
    ...addTitle('Charges that are missing or incomplete here:', otherCharges.map(formatLostCharge)),
    ...addTitle(
      'Not recovered:',
      unrecoveredItems.map(({ id, amount, currency, reason }) => `${id}  ${formatAmount(amount, currency)}  ${reason}`),
    ),
    ...(otherInstallations.pages + otherInstallations.charges === 0
      ? []
      : [
          `Skipped because they belong to other programs or installations: ${otherInstallations.pages} payment pages, ${otherInstallations.charges} charges.`,
        ]),
  ];
}

function addTitle(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function formatLostPage({ session, cart, isExact }: LostPage): string {
  const { sessionId, orgId, checkoutId, state, amount, currency, openedAt } = session;
  const detail =
    cart === undefined ? 'the checkout exists here' : isExact ? 'with its cart' : 'with carbon rounded to the pound';
  const stateText = state === 'open' ? 'still open' : 'submitted';
  return `${openedAt.toISOString()}  ${formatAmount(amount, currency)}  ${stateText}  ${sessionId}  checkout ${checkoutId} of ${orgId}, ${detail}`;
}

function formatLostCharge({ chargeId, differences }: LostCharge): string {
  const parts = differences.map(
    ({ kind, id, bookCents, providerCents = 0, currency }) =>
      `${KIND_NAMES[kind]} ${id === chargeId ? '' : `${id} `}${formatAmount(providerCents - (bookCents ?? 0), currency)}`,
  );
  return `${chargeId}  ${parts.join(', ')}`;
}

function formatOutcome({ skippedNumbers, problems }: RecoveryResult): string[] {
  return [
    ...(skippedNumbers
      ? [
          `Receipt numbers ${skippedNumbers.first} to ${skippedNumbers.last} are skipped, because lost receipts may have them.`,
          'Each recovered gift has a new receipt, marked as a replacement for the lost one.',
        ]
      : []),
    ...problems.map(({ id, problem }) => `${id} could not be recovered: ${problem}`),
  ];
}
