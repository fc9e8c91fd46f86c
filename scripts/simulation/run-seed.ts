import type { Database } from '#server/db/connection.ts';
import type { Random } from '../seeded-random.ts';
import { backUp, findTables, prepareDatabase, restore, type Tables } from './data.ts';
import { queueEmailsOfTeam, runEmailJobs } from './email-jobs.ts';
import { Crash, Fault } from './faults.ts';
import { formatBooks, violationsAtEnd, violationsNow } from './invariants.ts';
import { closedMonthViolations, monthEndViolations } from './month-invariants.ts';
import { openProduct, type Product } from './product.ts';
import { PROVIDER_STEPS, passTime, sendEvents } from './provider-steps.ts';
import { loseCheckout, recoverLost, rememberReceipts } from './recovery.ts';
import { withSeededIds } from './seeded-bytes.ts';
import { SERVER_STEPS, type ServerStep } from './server-steps.ts';
import { finishPendingWork } from './settle.ts';
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

export async function openSimulation(real: Database): Promise<Simulation> {
  const product = await openProduct(real);
  const tables = await findTables(real);
  const resetDatabase = await prepareDatabase(real, tables);
  return {
    run: async (seed, steps) => {
      const world = await product.enter(seed);
      await resetDatabase(world.now());
      return withSeededIds(world.idsFrom, () => play(product, tables, steps));
    },
    close: () => product.close(),
  };
}

async function play(product: Product, tables: Tables, steps: number): Promise<Outcome> {
  const world = product.world();
  await begin(product);
  const dataLoss = planDataLoss(product, tables);
  let violations: readonly string[] = [];
  for (let step = 0; step < steps && violations.length === 0; step += 1) {
    await takeStep(product, dataLoss);
    sendEvents(world);
    violations = await closedMonthViolations(product);
    if (step % CHECK_INTERVAL === 0) violations = [...violations, ...(await violationsNow(product))];
  }
  if (violations.length === 0) {
    await finishPendingWork(product);
    violations = [...(await violationsAtEnd(product)), ...(await monthEndViolations(product))];
  }
  const books = await formatBooks(product);
  return { seed: world.seed, violations, steps: world.steps, books };
}

/** Makes a few payments and a grant application before any fault, so that short runs have data to work with. */
async function begin(product: Product): Promise<void> {
  const world = product.world();
  const { faults, random } = world;
  faults.isCalm = true;
  const checkoutCount = random.integer(0, 1);
  const openCheckout = ['a visitor opens a checkout', SERVER_STEPS['a visitor opens a checkout']] as const;
  await runTogether(
    product,
    Array.from({ length: checkoutCount }, () => openCheckout),
  );
  for (let payment = 0; payment < checkoutCount; payment += 1) {
    const name = random.pick(['a payer pays by card', 'a payer pays by card', 'a payer pays by bank debit'] as const);
    note(world, name, PROVIDER_STEPS[name].does(world));
  }
  const apply = 'a home applies for a grant';
  await runTogether(product, [[apply, SERVER_STEPS[apply]]]);
  sendEvents(world);
  faults.isCalm = false;
}

const CHECK_INTERVAL = 10;

async function takeStep(product: Product, dataLoss: DataLoss): Promise<void> {
  const world = product.world();
  const { random, faults } = world;
  const kind = random.next();
  if (kind < 0.4) {
    const [name, step] = pickWeighted(random, PROVIDER_STEPS);
    note(world, name, step.does(world));
  } else if (kind < 0.86) {
    const stepCount = random.pick([1, 1, 1, 2, 2, 3, 5]);
    await runTogether(
      product,
      Array.from({ length: stepCount }, () => pickWeighted(random, SERVER_STEPS)),
    );
  } else if (kind < 0.9) await sendEmails(product);
  else if (kind < 0.94 || (faults.isOut && kind < 0.96)) {
    faults.isOut = !faults.isOut;
    note(world, 'the provider', faults.isOut ? 'is down' : 'is up again');
  } else await dataLoss.step();
}

/** Two processes queue emails to the team. Then all emails are sent. */
async function sendEmails(product: Product): Promise<void> {
  const search = ['team emails are queued', { weight: 1, does: queueEmailsOfTeam }] as const;
  if (product.world().emailsReceipts) await runTogether(product, [search, search]);
  await runTogether(product, [['emails are sent', { weight: 1, does: runEmailJobs }]]);
}

async function runTogether(product: Product, steps: readonly (readonly [string, ServerStep])[]): Promise<void> {
  const world = product.world();
  const outcomes = steps.map(() => 'stopped');
  const tasks = steps.map(([, { does }], index) => async () => {
    outcomes[index] = await does(product);
  });
  const errors = await world.schedule.run(tasks);
  for (const [index, [name]] of steps.entries()) note(world, name, outcomes[index] ?? '');
  for (const error of errors) {
    if (error instanceof Crash || error instanceof Fault) continue;
    world.complaints.push(`A step failed: ${error instanceof Error ? error.stack : String(error)}`);
  }
  if (!world.faults.isDead) return;
  await world.schedule.drain();
  note(world, 'the server', 'crashes and restarts');
  world.faults.isDead = false;
  world.crashes += 1;
}

type DataLoss = { step(): Promise<void> };

type TimedBackup = {
  readonly rows: Awaited<ReturnType<typeof backUp>>;
  readonly at: number;
  readonly listedAt: number;
};

/** Loses and restores data in some seeds. Most seeds lose nothing, because a restore discards confirmed requests. */
function planDataLoss(product: Product, tables: Tables): DataLoss {
  const { real, world } = product;
  const hasLosses = world().random.chance(0.15);
  let backup: TimedBackup | undefined;
  const restoreBackup = async ({ rows, at, listedAt }: TimedBackup) => {
    const { promises, random, now } = world();
    const asOf = now().getTime();
    passTime(world(), HOUR);
    if (now().getTime() < asOf + HOUR) return;
    // Without recovery, all payments must come from the provider's event list.
    const isOld = now().getTime() - listedAt > 25 * DAY;
    const recovers = random.chance(0.6) || isOld;
    if (recovers) await rememberReceipts(product);
    await restore(real, rows);
    promises.deleted.clear();
    promises.toStop.clear();
    Object.assign(world(), { restoredAt: now().getTime(), listedAt });
    note(world(), 'the backup', `of ${new Date(at).toISOString()} is restored`);
    if (recovers) await recoverAll(product);
    // The provider's event list doesn't go back that far.
    if (isOld) world().listedAt = now().getTime();
  };
  return {
    step: async () => {
      if (!hasLosses) return;
      const { random, now, listedAt } = world();
      if (random.chance(0.3)) {
        const lost = await loseCheckout(product);
        note(world(), 'the row of a checkout', `is lost: ${lost}`);
        await recoverAll(product);
      } else if (backup) {
        await restoreBackup(backup);
        backup = undefined;
      } else {
        backup = { rows: await backUp(real, tables), at: now().getTime(), listedAt };
        note(world(), 'a backup', 'is made');
      }
    },
  };
}

/** Recovers lost data. The last of several attempts has no faults. */
async function recoverAll(product: Product): Promise<void> {
  const world = product.world();
  const { faults, random } = world;
  const recovery = ['lost data is recovered', { weight: 1, does: recoverLost }] as const;
  for (let failed = random.pick([0, 1, 2]); failed > 0; failed -= 1) await runTogether(product, [recovery]);
  const { isOut } = faults;
  Object.assign(faults, { isCalm: true, isOut: false });
  await runTogether(product, [recovery]);
  Object.assign(faults, { isCalm: false, isOut });
}

function note({ steps, now }: World, name: string, outcome: string): void {
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
