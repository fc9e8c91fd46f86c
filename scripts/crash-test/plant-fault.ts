import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { FAULTS, injectFault } from './faults.ts';

// Loaded before the server: changes one of its files in memory.
const fault = FAULTS[process.env.PLANTED_FAULT ?? ''];
if (!fault) throw new Error(`Unknown fault: ${process.env.PLANTED_FAULT}`);

registerHooks({
  load: (url, context, next) => {
    const result = next(url, context);
    if (!url.endsWith(`/${fault.file}`)) return result;
    return { ...result, source: injectFault(readFileSync(fileURLToPath(url), 'utf8'), fault) };
  },
});
