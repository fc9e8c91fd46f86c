import type { Database } from '#server/db/connection.ts';
import type { Random } from '../sample/seeded-random.ts';
import { backUp, emptyDatabase, findTables, restore, type Tables } from './data.ts';
import { Crash, Fault } from './faults.ts';
import { booksText, violationsAtEnd, violationsNow } from './invariants.ts';
import { mailAll } from './mail-jobs.ts';
import { openProduct, type Product } from './product.ts';
import { PROGRAM_STEPS, type ProgramStep } from './program-steps.ts';
import { PROVIDER_STEPS, pass, sendEvents } from './provider-steps.ts';
import { loseCheckout, recoverLost, rememberReceipts } from './recovery.ts';
import { withSeededIds } from './seeded-bytes.ts';
import { settle } from './settle.ts';
import { DAY, HOUR, type World } from './world.ts';

export type Outcome = {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly steps: readonly string[];
  /** The final books, one line for each entry. */
  readonly books: string;
};

export type Simulation = {
  /** The same seed, with the same number of steps, always does the same. */
  run(seed: number, steps: number): Promise<Outcome>;
  close(): Promise<void>;
};

export async function openSimulation(real: Database): Promise<Simulation> {
  const product = await openProduct(real);
  const tables = await findTables(real);
  const beginAgain = await emptyDatabase(real, tables);
  return {
    run: async (seed, steps) => {
      const world = product.enter(seed);
      await beginAgain(world.now());
      return withSeededIds(world.idsFrom, () => play(product, tables, steps));
    },
    close: () => product.close(),
  };
}

async function play(product: Product, tables: Tables, steps: number): Promise<Outcome> {
  const world = product.world();
  await begin(product);
  const losses = keeper(product, tables);
  let violations: readonly string[] = [];
  for (let step = 0; step < steps && violations.length === 0; step += 1) {
    await takeStep(product, losses);
    sendEvents(world);
    if (step % LOOK_EVERY === 0) violations = await violationsNow(product);
  }
  if (violations.length === 0) {
    await settle(product);
    violations = await violationsAtEnd(product);
  }
  return { seed: world.seed, violations, steps: world.steps, books: await booksText(product) };
}

/** A few payments and an application before anything fails, so that short runs have something to grant and to lose. */
async function begin(product: Product): Promise<void> {
  const world = product.world();
  const { faults, random } = world;
  faults.isCalm = true;
  const opened = random.whole(0, 1);
  const open = ['a visitor opens a checkout', PROGRAM_STEPS['a visitor opens a checkout']] as const;
  await runTogether(
    product,
    Array.from({ length: opened }, () => open),
  );
  for (let paid = 0; paid < opened; paid += 1) {
    const name = random.pick(['a payer pays by card', 'a payer pays by card', 'a payer pays by bank debit'] as const);
    note(world, name, PROVIDER_STEPS[name].does(world));
  }
  const apply = 'a home applies for a grant';
  await runTogether(product, [[apply, PROGRAM_STEPS[apply]]]);
  sendEvents(world);
  faults.isCalm = false;
}

const LOOK_EVERY = 10;

async function takeStep(product: Product, losses: Keeper): Promise<void> {
  const world = product.world();
  const { random, faults } = world;
  const kind = random.next();
  if (kind < 0.4) {
    const [name, step] = pickWeighted(random, PROVIDER_STEPS);
    note(world, name, step.does(world));
  } else if (kind < 0.86) {
    const together = random.pick([1, 1, 1, 2, 2, 3, 5]);
    await runTogether(
      product,
      Array.from({ length: together }, () => pickWeighted(random, PROGRAM_STEPS)),
    );
  } else if (kind < 0.9) await runTogether(product, [['mails are sent', { weight: 1, does: mailAll }]]);
  else if (kind < 0.94 || (faults.isOut && kind < 0.96)) {
    faults.isOut = !faults.isOut;
    note(world, 'the provider', faults.isOut ? 'is out' : 'is back');
  } else await losses.step();
}

async function runTogether(product: Product, steps: readonly (readonly [string, ProgramStep])[]): Promise<void> {
  const world = product.world();
  const said = steps.map(() => 'stopped');
  const tasks = steps.map(([, { does }], at) => async () => {
    said[at] = await does(product);
  });
  const errors = await world.schedule.run(tasks);
  for (const [at, [name]] of steps.entries()) note(world, name, said[at] ?? '');
  for (const error of errors) {
    if (error instanceof Crash || error instanceof Fault) continue;
    world.complaints.push(`A step failed: ${error instanceof Error ? error.stack : String(error)}`);
  }
  if (!world.faults.isDead) return;
  await world.schedule.drain();
  note(world, 'the program', 'crashes and starts again');
  world.faults.isDead = false;
}

type Keeper = { step(): Promise<void> };

type Kept = { readonly rows: Awaited<ReturnType<typeof backUp>>; readonly at: number; readonly listedAt: number };

/** Most seeds lose nothing: a restored program has forgotten what it promised. */
function keeper(product: Product, tables: Tables): Keeper {
  const { real, world } = product;
  const loses = world().random.chance(0.15);
  let backup: Kept | undefined;
  const restoreBackup = async ({ rows, at, listedAt }: Kept) => {
    const { promises, random, now } = world();
    const asOf = now().getTime();
    pass(world(), HOUR);
    if (now().getTime() < asOf + HOUR) return;
    // Without recovery, the provider's list of events has to tell it all.
    const isOld = now().getTime() - listedAt > 25 * DAY;
    const recovers = random.chance(0.6) || isOld;
    if (recovers) await rememberReceipts(product);
    await restore(real, rows);
    promises.deleted.clear();
    promises.toStop.clear();
    Object.assign(world(), { restoredAt: now().getTime(), listedAt });
    note(world(), 'the backup', `of ${new Date(at).toISOString()} is restored`);
    if (recovers) await recoverAll(product);
    // The list does not reach so far back.
    if (isOld) world().listedAt = now().getTime();
  };
  return {
    step: async () => {
      if (!loses) return;
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

/** It may fail, but in the end the operator gets through. */
async function recoverAll(product: Product): Promise<void> {
  const world = product.world();
  const { faults, random } = world;
  const recovery = ['what was lost is recovered', { weight: 1, does: recoverLost }] as const;
  for (let failed = random.pick([0, 1, 2]); failed > 0; failed -= 1) await runTogether(product, [recovery]);
  const { isOut } = faults;
  Object.assign(faults, { isCalm: true, isOut: false });
  await runTogether(product, [recovery]);
  Object.assign(faults, { isCalm: false, isOut });
}

function note({ steps, now }: World, name: string, said: string): void {
  if (said !== '') steps.push(`${now().toISOString()} ${name}: ${said}`);
}

function pickWeighted<Step extends { readonly weight: number }>(
  random: Random,
  steps: Readonly<Record<string, Step>>,
): readonly [string, Step] {
  const all = Object.entries(steps);
  let left = random.between(
    0,
    all.reduce((sum, [, { weight }]) => sum + weight, 0),
  );
  for (const [name, step] of all) {
    left -= step.weight;
    if (left < 0) return [name, step];
  }
  return random.pick(all);
}
