// npm run bench -- webhooks: runs a benchmark on a scratch database. Takes several minutes.

const BENCHES: Readonly<Record<string, () => Promise<{ run(args: readonly string[]): Promise<boolean> }>>> = {
  lighthouse: () => import('./bench/lighthouse.ts'),
  live: () => import('./bench/live.ts'),
  pages: () => import('./bench/pages.ts'),
  start: () => import('./bench/start.ts'),
  webhooks: () => import('./bench/webhooks.ts'),
  weight: () => import('./bench/weight.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (load) {
  process.exitCode = (await (await load()).run(args)) ? 0 : 1;
} else {
  console.error(`Benchmarks: ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 1;
}
