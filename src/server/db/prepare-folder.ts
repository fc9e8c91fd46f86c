import { PGlite } from '@electric-sql/pglite';

// Child process of embedded.ts: creates an empty database in the folder given as its argument.
const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: prepare-folder.ts <folder>');
process.once('disconnect', () => process.exit(1));

// The default of 128 MB would only use memory; openEmbedded sets its own size.
const pglite = await PGlite.create(folder, { initDbStartParams: ['-c', 'shared_buffers=16MB'] });
await pglite.close();
process.exit(0);
