import { parseArgs } from 'node:util';
import { buildAll } from './build/build.ts';
import { KILLS, type Kill, runCrashRounds, type Setup } from './crash-test/crash-rounds.ts';
import { FAULTS } from './crash-test/faults.ts';
import { ENGINES } from './crash-test/scratch-database.ts';

// npm run crash-test -- [--engine postgres] [--rounds 40] [--every 20] [--servers 2]
//   [--kill server,stop,start,connection,backend,postgres,outage,freeze,disk] [--halt 30] [--seed 7] [--plant]
//
// Repeatedly kills the server (also during its start), database connections, or all of PostgreSQL during a stream of
// gifts, debits, renewals, refunds, and disputes, whose events arrive in any order, several times, or not at all. It can also
// fill the database's disk for a while (as root on Linux), or stop or freeze PostgreSQL for 30 seconds, during which the
// servers must stay up and respond with 503. Nothing acknowledged may be lost, and the servers must respond again. After
// every few kills, stats, CSV, receipts, and books must match the provider to the cent. With `--plant`, injects one
// fault at a time; the test must detect each.

/** Kills that take a long time or require root. */
const OPT_IN_KILLS: readonly Kill[] = ['outage', 'freeze', 'disk'];

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: ENGINES.join() },
    rounds: { type: 'string', default: '40' },
    every: { type: 'string', default: '20' },
    servers: { type: 'string', default: '1' },
    kill: { type: 'string', default: KILLS.filter((kill) => !OPT_IN_KILLS.includes(kill)).join() },
    halt: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    plant: { type: 'boolean' },
  },
});
await buildAll();
const rounds = Number(values.rounds);
const selectedKills = KILLS.filter((kill) => values.kill.split(',').includes(kill));
const EMBEDDED_KILLS: readonly Kill[] = ['server', 'stop', 'start', 'postgres', 'disk'];
const resultLines: string[] = [];
for (const engine of ENGINES.filter((name) => values.engine.split(',').includes(name))) {
  // Only one process can use the embedded database.
  const kills: readonly Kill[] =
    engine === 'embedded' ? selectedKills.filter((kill) => EMBEDDED_KILLS.includes(kill)) : selectedKills;
  if (kills.length === 0) continue;
  const servers = engine === 'embedded' ? 1 : Number(values.servers);
  const haltMs = Number(values.halt) * 1000;
  const setup = { engine, rounds, killsPerCheck: Number(values.every), kills, servers, seed: values.seed, haltMs };
  await (values.plant ? runWithEachFault(setup) : runOnce(setup));
}
if (resultLines.length === 0) throw new Error(`Nothing to kill: --engine ${ENGINES.join()}, --kill ${KILLS.join()}`);
console.log(`\n${resultLines.join('\n')}`);

type SetupWithoutFault = Omit<Setup, 'fault'>;

async function runOnce(setup: SetupWithoutFault): Promise<void> {
  const { problems, summary } = await runCrashRounds(setup);
  resultLines.push(...problems, summary);
  if (problems.length > 0) process.exitCode = 1;
}

async function runWithEachFault(setup: SetupWithoutFault): Promise<void> {
  for (const fault of Object.keys(FAULTS)) {
    const { problems } = await runCrashRounds({ ...setup, fault });
    const verdict = problems.length > 0 ? `caught, ${problems[0]}` : 'NOT CAUGHT';
    resultLines.push(`${setup.engine}, a server that ${fault}: ${verdict}`);
    if (problems.length === 0) process.exitCode = 1;
  }
}
