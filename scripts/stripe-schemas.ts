// Makes the sandbox's request schemas from the types of the installed Stripe SDK: `npm run stripe-schemas`,
// to be run again whenever the SDK is updated.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGenerator, type Definition } from 'ts-json-schema-generator';
import { madeFrom } from './stripe-schemas/made-from.ts';
import { toWireSchema } from './stripe-schemas/to-wire-schema.ts';

const SCHEMAS = new URL('../src/sandbox/schemas/', import.meta.url);
const TYPES = fileURLToPath(new URL('request-types.ts', SCHEMAS));
const RESULT = fileURLToPath(new URL('stripe-requests.gen.json', SCHEMAS));
const COMPILER_OPTIONS = { module: 'NodeNext', moduleResolution: 'NodeNext', target: 'ES2022', strict: true };

/** Reads the SDK's types anew, which takes some seconds. @returns the text of stripe-requests.gen.json */
function makeStripeRequests(): string {
  const requests = Object.entries(toWireSchema(schemaOfTypes()).properties ?? {});
  // One line for each request: small, and what an update of the SDK changed still shows.
  const lines = requests.map(([name, schema]) => `"${name}":${JSON.stringify(schema)}`);
  return `${JSON.stringify(madeFrom()).slice(0, -1)},"requests":{\n${lines.join(',\n')}\n}}\n`;
}

function schemaOfTypes(): Definition {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-schemas-'));
  const tsconfig = join(folder, 'tsconfig.json');
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: [] }));
  try {
    const options = { skipTypeCheck: true, additionalProperties: false, expose: 'all', jsDoc: 'none' } as const;
    return createGenerator({ path: TYPES, tsconfig, ...options }).createSchema('StripeRequests');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const text = makeStripeRequests();
writeFileSync(RESULT, text);
console.log(`${RESULT}: ${Math.round(text.length / 1024)} KB, from stripe ${madeFrom().stripe}`);
