import { PGlite } from '@electric-sql/pglite';

// A program of its own, started by embedded-folder.ts: makes an empty database in the folder named on the command line.
const folder = process.argv[2];
if (folder === undefined) throw new Error('name the folder to make the database in');
process.once('disconnect', () => process.exit(1));

// Its usual 128 MB of buffers would only be memory to fill: what a start uses it says itself.
const pglite = await PGlite.create(folder, { initDbStartParams: ['-c', 'shared_buffers=16MB'] });
await pglite.close();
process.exit(0);
