import type { Database } from '#server/db/connection.ts';
import type { Random } from '../seeded-random.ts';
import { backUp, findTables, prepareDatabase, restore, type Tables } from './data.ts';
import { queuePendingTeamEmails, runEmailJobs } from './email-jobs.ts';
import { Crash, Fault } from './faults.ts';
import { finishPendingWork } from './finish-pending-work.ts';
import { findCurrentViolations, findFinalViolations, formatBooks } from './invariants.ts';
import { findClosedMonthViolations, findMonthEndViolations } from './month-invariants.ts';
import { advanceTime, PROVIDER_STEPS, sendEvents } from './provider-steps.ts';
import { deleteCheckoutRow, recoverLostRecords, savePrintedReceipts } from './recovery.ts';
import { SERVER_STEPS, type ServerStep } from './server-steps.ts';
import { openSimulatedApp, type SimulatedApp } from './simulated-app.ts';
import { withSeededIds } from './with-seeded-ids.ts';
import { DAY, HOUR, type World } from './world.ts';

export type Outcome = {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly steps: readonly string[];
  /** The final books, one line per entry. */
  readonly books: string;
};

export type Simulation = {
  /** Deterministic: the same seed and number of steps give the same result. */
  run(seed: number, steps: number): Promise<Outcome>;
  close(): Promise<void>;
};

export async function openSimulation(realDb: Database): Promise<Simulation> {
  const app = await openSimulatedApp(realDb);
  const tables = await findTables(realDb);
  const resetDatabase = await prepareDatabase(realDb, tables);
  return {
    run: async (seed, steps) => {
      const world = await app.startSeed(seed);
      await resetDatabase(world.now());
      return withSeededIds(world.idRandom, () => runSteps(app, tables, steps));
    },
    close: () => app.close(),
  };
}

async function runSteps(app: SimulatedApp, tables: Tables, steps: number): Promise<Outcome> {
  const world = app.world();
  await createFirstGifts(app);
  const dataLoss = planDataLoss(app, tables);
  let violations: readonly string[] = [];
  for (let step = 0; step < steps && violations.length === 0; step += 1) {
    await runRandomStep(app, dataLoss);
    sendEvents(world);
    violations = await findClosedMonthViolations(app);
    if (step % CHECK_INTERVAL === 0) violations = [...violations, ...(await findCurrentViolations(app))];
  }
  if (violations.length === 0) {
    await finishPendingWork(app);
    violations = [...(await findFinalViolations(app)), ...(await findMonthEndViolations(app))];
  }
  const books = await formatBooks(app);
  return { seed: world.seed, violations, steps: world.steps, books };
}

/** Makes a few payments and a grant application before any fault, so that short runs have data to work with. */
async function createFirstGifts(app: SimulatedApp): Promise<void> {
  const world = app.world();
  const { faults, random } = world;
  faults.isCalm = true;
  const checkoutCount = random.integer(0, 1);
  const openCheckout = ['a visitor opens a checkout', SERVER_STEPS['a visitor opens a checkout']] as const;
  await runTogether(
    app,
    Array.from({ length: checkoutCount }, () => openCheckout),
  );
  for (let payment = 0; payment < checkoutCount; payment += 1) {
    const name = random.pick(['a payer pays by card', 'a payer pays by card', 'a payer pays by bank debit'] as const);
    logStep(world, name, PROVIDER_STEPS[name].run(world));
  }
  const apply = 'a home applies for a grant';
  await runTogether(app, [[apply, SERVER_STEPS[apply]]]);
  sendEvents(world);
  faults.isCalm = false;
}

const CHECK_INTERVAL = 10;

async function runRandomStep(app: SimulatedApp, dataLoss: DataLoss): Promise<void> {
  const world = app.world();
  const { random, faults } = world;
  const randomValue = random.next();
  if (randomValue < 0.4) {
    const [name, step] = pickWeighted(random, PROVIDER_STEPS);
    logStep(world, name, step.run(world));
  } else if (randomValue < 0.86) {
    const stepCount = random.pick([1, 1, 1, 2, 2, 3, 5]);
    await runTogether(
      app,
      Array.from({ length: stepCount }, () => pickWeighted(random, SERVER_STEPS)),
    );
  } else if (randomValue < 0.9) await sendEmails(app);
  else if (randomValue < 0.94 || (faults.isProviderDown && randomValue < 0.96)) {
    faults.isProviderDown = !faults.isProviderDown;
    logStep(world, 'the provider', faults.isProviderDown ? 'is down' : 'is up again');
  } else await dataLoss.step();
}

/** Two processes queue emails to the team. Then all emails are sent. */
async function sendEmails(app: SimulatedApp): Promise<void> {
  const search = ['team emails are queued', { weight: 1, run: queuePendingTeamEmails }] as const;
  if (app.world().sendsReceiptEmails) await runTogether(app, [search, search]);
  await runTogether(app, [['emails are sent', { weight: 1, run: runEmailJobs }]]);
}

async function runTogether(app: SimulatedApp, steps: readonly (readonly [string, ServerStep])[]): Promise<void> {
  const world = app.world();
  const outcomes = steps.map(() => 'stopped');
  const tasks = steps.map(([, { run }], index) => async () => {
    outcomes[index] = await run(app);
  });
  const errors = await world.schedule.run(tasks);
  for (const [index, [name]] of steps.entries()) logStep(world, name, outcomes[index] ?? '');
  for (const error of errors) {
    if (error instanceof Crash || error instanceof Fault) continue;
    world.unexpectedProblems.push(`A step failed: ${error instanceof Error ? error.stack : String(error)}`);
  }
  if (!world.faults.hasCrashed) return;
  await world.schedule.drain();
  logStep(world, 'the server', 'crashes and restarts');
  world.faults.hasCrashed = false;
  world.crashCount += 1;
}

type DataLoss = { step(): Promise<void> };

type TimedBackup = {
  readonly rows: Awaited<ReturnType<typeof backUp>>;
  readonly madeAt: number;
  readonly listedAt: number;
};

/** Loses and restores data in some seeds. Most seeds lose nothing, because a restore discards confirmed requests. */
function planDataLoss(app: SimulatedApp, tables: Tables): DataLoss {
  const { realDb, world } = app;
  const hasLosses = world().random.chance(0.15);
  let backup: TimedBackup | undefined;
  const restoreBackup = async ({ rows, madeAt, listedAt }: TimedBackup) => {
    const { userRequests, random, now } = world();
    const restoreTime = now().getTime();
    advanceTime(world(), HOUR);
    if (now().getTime() < restoreTime + HOUR) return;
    // All payments must then come from the provider's event list.
    const isOld = now().getTime() - listedAt > 25 * DAY;
    const isRecovered = random.chance(0.6) || isOld;
    if (isRecovered) await savePrintedReceipts(app);
    await restore(realDb, rows);
    userRequests.deletedCheckoutIds.clear();
    userRequests.requestedStops.clear();
    Object.assign(world(), { restoredAt: now().getTime(), listedAt });
    logStep(world(), 'the backup', `of ${new Date(madeAt).toISOString()} is restored`);
    if (isRecovered) await recoverAll(app);
    // The provider's event list doesn't go back that far.
    if (isOld) world().listedAt = now().getTime();
  };
  return {
    step: async () => {
      if (!hasLosses) return;
      const { random, now, listedAt } = world();
      if (random.chance(0.3)) {
        const lostId = await deleteCheckoutRow(app);
        logStep(world(), 'the row of a checkout', `is lost: ${lostId}`);
        await recoverAll(app);
      } else if (backup) {
        await restoreBackup(backup);
        backup = undefined;
      } else {
        backup = { rows: await backUp(realDb, tables), madeAt: now().getTime(), listedAt };
        logStep(world(), 'a backup', 'is made');
      }
    },
  };
}

/** Recovers lost data. The last of several attempts has no faults. */
async function recoverAll(app: SimulatedApp): Promise<void> {
  const world = app.world();
  const { faults, random } = world;
  const recovery = ['lost data is recovered', { weight: 1, run: recoverLostRecords }] as const;
  for (let failuresLeft = random.pick([0, 1, 2]); failuresLeft > 0; failuresLeft -= 1)
    await runTogether(app, [recovery]);
  const { isProviderDown } = faults;
  Object.assign(faults, { isCalm: true, isProviderDown: false });
  await runTogether(app, [recovery]);
  Object.assign(faults, { isCalm: false, isProviderDown });
}

function logStep({ steps, now }: World, name: string, outcome: string): void {
  if (outcome !== '') steps.push(`${now().toISOString()} ${name}: ${outcome}`);
}

function pickWeighted<Step extends { readonly weight: number }>(
  random: Random,
  steps: Readonly<Record<string, Step>>,
): readonly [string, Step] {
  const all = Object.entries(steps);
  let remaining = random.between(
    0,
    all.reduce((sum, [, { weight }]) => sum + weight, 0),
  );
  for (const [name, step] of all) {
    remaining -= step.weight;
    if (remaining < 0) return [name, step];
  }
  return random.pick(all);
}
