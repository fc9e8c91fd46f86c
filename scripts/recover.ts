import { Failure } from '#domain/failures.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import { findLost, type LostCharge, type LostPage, type LostRecords } from '#server/features/recovery/find-lost.ts';
import { type Recovery, recover } from '#server/features/recovery/recover.ts';
import { commandLine } from '#server/program/program-file.ts';
import { KIND_NAMES, money } from './provider/comparison-lines.ts';
import { type ProviderDeps, unavailableText, withProvider } from './provider/with-provider.ts';
import { parseCommand, printFailure, usageOf } from './usage.ts';

/** The provider knows the payments since the backup, but neither the checks nor an earlier recovery. */
const LAST_RECEIPT_NEEDED =
  'Add --last-receipt with the highest receipt number that was mailed or printed, so that no number is used twice: look among the emails sent since the backup, also for checks. Use 0 if there are none.';

// npm run recover: after a backup was restored, rebuilds later payments from the payment provider (docs/recovery.md).
try {
  const options = { write: { type: 'boolean' }, 'last-receipt': { type: 'string' } } as const;
  const { values, positionals } = parseCommand('recover', { options, allowPositionals: true });
  const { write = false, 'last-receipt': lastReceipt } = values;
  const isWrong = positionals.some((id) => !/^(cs|ch|py)_\w+$/.test(id)) || !/^\d{1,9}$/.test(lastReceipt ?? '0');
  if (isWrong) throw new Error(usageOf('recover'));
  if (write && lastReceipt === undefined) throw new Error(`${LAST_RECEIPT_NEEDED}\n${usageOf('recover')}`);
  await withProvider((deps) => run(deps, new Set(positionals), write, Number(lastReceipt ?? 0)));
} catch (error) {
  printFailure(error instanceof Failure ? new Error(unavailableText(error)) : error);
}

async function run(deps: ProviderDeps, named: ReadonlySet<string>, write: boolean, lastReceipt: number): Promise<void> {
  const lostRecords = valueOrThrow(await findLost(deps, named));
  for (const line of linesOf(lostRecords)) console.log(line);
  const isEmpty = lostRecords.pages.length === 0 && lostRecords.charges.length === 0;
  if (!write) {
    console.log(
      isEmpty
        ? 'There is nothing to recover.'
        : `Nothing was changed. To recover it: ${commandLine('recover --write --last-receipt NUMBER')}`,
    );
    return;
  }
  const recovery = await recover({ ...deps, jobs: await deps.openJobs() }, lostRecords, lastReceipt);
  for (const line of outcomeOf(recovery)) console.log(line);
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

function linesOf({ pages, charges, unrecovered, foreign }: LostRecords): string[] {
  const pageCheckoutIds = new Set(pages.map(({ session }) => session.checkoutId));
  const otherCharges = charges.filter(({ checkoutId }) => checkoutId === undefined || !pageCheckoutIds.has(checkoutId));
  return [
    ...titledLines('Payment pages whose checkout or payment is missing here:', pages.map(pageLine)),
    ...titledLines('Charges that are missing here, or of which something is:', otherCharges.map(chargeLine)),
    ...titledLines(
      'Left alone:',
      unrecovered.map(({ id, amount, currency, reason }) => `${id}  ${money(amount, currency)}  ${reason}`),
    ),
    ...(foreign.pages + foreign.charges === 0
      ? []
      : [
          `Of other programs and installations, and none of this one's business: ${foreign.pages} payment pages, ${foreign.charges} charges.`,
        ]),
  ];
}

function titledLines(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function pageLine({ session, cart, isExact }: LostPage): string {
  const { sessionId, orgId, checkoutId, state, amount, currency, openedAt } = session;
  const detail =
    cart === undefined ? 'the checkout is here' : isExact ? 'with its cart' : 'with carbon to the pound only';
  const stateText = state === 'open' ? 'still open' : 'submitted';
  return `${openedAt.toISOString()}  ${money(amount, currency)}  ${stateText}  ${sessionId}  checkout ${checkoutId} of ${orgId}, ${detail}`;
}

function chargeLine({ chargeId, differences }: LostCharge): string {
  const parts = differences.map(
    ({ kind, id, bookCents, providerCents = 0, currency }) =>
      `${KIND_NAMES[kind]} ${id === chargeId ? '' : `${id} `}${money(providerCents - (bookCents ?? 0), currency)}`,
  );
  return `${chargeId}  ${parts.join(', ')}`;
}

function outcomeOf({ skippedNumbers, problems }: Recovery): string[] {
  return [
    ...(skippedNumbers
      ? [
          `Receipt numbers ${skippedNumbers.first} to ${skippedNumbers.last} are skipped, because lost receipts may have them.`,
          'Each recovered gift has a new receipt, which says that it replaces the lost one.',
        ]
      : []),
    ...problems.map(({ id, problem }) => `${id} could not be recovered: ${problem}`),
  ];
}
