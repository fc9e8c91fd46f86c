import { parseArgs } from 'node:util';
import { crashRounds, KILLS, type Kill } from './crash-test/crash-rounds.ts';
import { FAULTS } from './crash-test/faults.ts';
import { ENGINES, type Engine } from './crash-test/scratch-database.ts';

// npm run crash-test -- [--engine postgres] [--rounds 20] [--servers 2] [--kill server,connection,backend,postgres] [--plant]
//
// Kills the server, connections to the database or all of PostgreSQL during a stream of gifts, debits, renewals and
// refunds, whose events arrive in any order and several times. After each kill everything acknowledged must be there, the
// servers must answer again, and stats, receipts and books must be what the provider says, to the cent. With `--plant` the
// program gets one fault after the other, and the test must notice each.

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: ENGINES.join() },
    rounds: { type: 'string', default: '20' },
    servers: { type: 'string', default: '1' },
    kill: { type: 'string', default: KILLS.join() },
    plant: { type: 'boolean' },
  },
});
const rounds = Number(values.rounds);
const chosen = KILLS.filter((kill) => values.kill.split(',').includes(kill));
const lines: string[] = [];
for (const engine of ENGINES.filter((each) => values.engine.split(',').includes(each))) {
  // The embedded database is a part of its server, and has only one.
  const kills: readonly Kill[] = engine === 'embedded' ? chosen.filter((kill) => kill === 'server') : chosen;
  if (kills.length === 0) continue;
  const setup = { engine, rounds, kills, servers: engine === 'embedded' ? 1 : Number(values.servers) };
  await (values.plant ? plantEach(setup) : run(setup));
}
if (lines.length === 0) throw new Error(`Nothing to kill: --engine ${ENGINES.join()}, --kill ${KILLS.join()}`);
console.log(`\n${lines.join('\n')}`);

type Unspoiled = { engine: Engine; rounds: number; kills: readonly Kill[]; servers: number };

async function run(setup: Unspoiled): Promise<void> {
  const { problems, summary } = await crashRounds(setup);
  lines.push(...problems, summary);
  if (problems.length > 0) process.exitCode = 1;
}

async function plantEach(setup: Unspoiled): Promise<void> {
  for (const fault of Object.keys(FAULTS)) {
    const { problems } = await crashRounds({ ...setup, fault });
    const verdict = problems.length > 0 ? `caught, ${problems[0]}` : 'NOT CAUGHT';
    lines.push(`${setup.engine}, a server that ${fault}: ${verdict}`);
    if (problems.length === 0) process.exitCode = 1;
  }
}
