import { Failure } from '#domain/failures.ts';
import { readConfig } from '#server/config.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import {
  findLostRecords,
  type LostCharge,
  type LostPage,
  type LostRecords,
} from '#server/features/recovery/find-lost.ts';
import { type Recovery, recover } from '#server/features/recovery/recover.ts';
import { commandLine } from '#server/process/app-path.ts';
import { atDatabase } from './backups/restored-database.ts';
import { formatAmount, KIND_NAMES } from './provider/comparison-lines.ts';
import { type ProviderDeps, unavailableText, withProvider } from './provider/with-provider.ts';
import { parseCommand, printFailure, usageOf } from './usage.ts';

/** The provider doesn't know the numbers of receipts for checks or from an earlier recovery. */
const LAST_RECEIPT_NEEDED =
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
  if (isInvalid) throw new Error(usageOf('recover'));
  if (write && lastReceipt === undefined) throw new Error(`${LAST_RECEIPT_NEEDED}\n${usageOf('recover')}`);
  const config = readConfig();
  const isElsewhere = database !== undefined;
  await withProvider(
    (deps) =>
      run(deps, { selectedIds: new Set(positionals), write, lastReceipt: Number(lastReceipt ?? 0), isElsewhere }),
    isElsewhere ? { ...config, ...atDatabase(database) } : config,
  );
} catch (error) {
  printFailure(error instanceof Failure ? new Error(unavailableText(error)) : error);
}

type Options = {
  readonly selectedIds: ReadonlySet<string>;
  readonly write: boolean;
  readonly lastReceipt: number;
  /** True if the database isn't the one in the settings. */
  readonly isElsewhere: boolean;
};

async function run(deps: ProviderDeps, { selectedIds, write, lastReceipt, isElsewhere }: Options): Promise<void> {
  const lostRecords = valueOrThrow(await findLostRecords(deps, selectedIds));
  for (const line of lostRecordLines(lostRecords)) console.log(line);
  const isEmpty = lostRecords.pages.length === 0 && lostRecords.charges.length === 0;
  if (!write) {
    console.log(
      isEmpty
        ? 'There is nothing to recover.'
        : `Nothing was changed. To recover these records: ${commandLine(`recover --write --last-receipt NUMBER${isElsewhere ? ' --database URL' : ''}`)}`,
    );
    return;
  }
  const recovery = await recover({ ...deps, jobs: await deps.openJobs() }, lostRecords, lastReceipt);
  for (const line of outcomeLines(recovery)) console.log(line);
  if (recovery.problems.length > 0) process.exitCode = 1;
  const { differences } = valueOrThrow(await compareWithProvider(deps));
  console.log(
    differences.length === 0
      ? 'The books and the payment provider agree.'
      : `The books and the payment provider still differ: see ${commandLine('verify-ledger --provider')}`,
  );
}

function valueOrThrow<T>(result: T | Failure): T {
  if (result instanceof Failure) throw result;
  return result;
}

function lostRecordLines({ pages, charges, unrecovered, otherInstallations }: LostRecords): string[] {
  const pageCheckoutIds = new Set(pages.map(({ session }) => session.checkoutId));
  const otherCharges = charges.filter(({ checkoutId }) => checkoutId === undefined || !pageCheckoutIds.has(checkoutId));
  return [
    ...titledLines('Payment pages whose checkout or payment is missing here:', pages.map(pageLine)),
    ...titledLines('Charges that are missing or incomplete here:', otherCharges.map(chargeLine)),
    ...titledLines(
      'Not recovered:',
      unrecovered.map(({ id, amount, currency, reason }) => `${id}  ${formatAmount(amount, currency)}  ${reason}`),
    ),
    ...(otherInstallations.pages + otherInstallations.charges === 0
      ? []
      : [
          `Skipped because they belong to other programs or installations: ${otherInstallations.pages} payment pages, ${otherInstallations.charges} charges.`,
        ]),
  ];
}

function titledLines(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function pageLine({ session, cart, isExact }: LostPage): string {
  const { sessionId, orgId, checkoutId, state, amount, currency, openedAt } = session;
  const detail =
    cart === undefined ? 'the checkout exists here' : isExact ? 'with its cart' : 'with carbon to the pound only';
  const stateText = state === 'open' ? 'still open' : 'submitted';
  return `${openedAt.toISOString()}  ${formatAmount(amount, currency)}  ${stateText}  ${sessionId}  checkout ${checkoutId} of ${orgId}, ${detail}`;
}

function chargeLine({ chargeId, differences }: LostCharge): string {
  const parts = differences.map(
    ({ kind, id, bookCents, providerCents = 0, currency }) =>
      `${KIND_NAMES[kind]} ${id === chargeId ? '' : `${id} `}${formatAmount(providerCents - (bookCents ?? 0), currency)}`,
  );
  return `${chargeId}  ${parts.join(', ')}`;
}

function outcomeLines({ skippedNumbers, problems }: Recovery): string[] {
  return [
    ...(skippedNumbers
      ? [
          `Receipt numbers ${skippedNumbers.first} to ${skippedNumbers.last} are skipped, because lost receipts may have them.`,
          'Each recovered gift has a new receipt marked as a replacement for the lost one.',
        ]
      : []),
    ...problems.map(({ id, problem }) => `${id} could not be recovered: ${problem}`),
  ];
}
