import fs from 'node:fs';
import { openDatabase } from '#server/db/connection.ts';

// A program that tests kill. It inserts rows into the embedded database in the given data folder and prints each row's
// number once the database has acknowledged it.
const [dataDir = ''] = process.argv.slice(2);
const print = (line: string) => fs.writeSync(1, `${line}\n`);
const log = (_details: object, message: string) => print(`log ${message}`);

const { pool } = await openDatabase({ dataDir, isServerProcess: true, log: { info: log, warn: log, error: log } });
await pool.query('create table if not exists written (number int8 not null, filler text not null)');
print('open');
const { rows } = await pool.query<{ last: number }>('select coalesce(max(number), 0) as last from written');
for (let number = (rows[0]?.last ?? 0) + 1; ; number += 1) {
  await pool.query('insert into written values ($1, $2)', [number, 'x'.repeat(200)]);
  print(`wrote ${number}`);
}
