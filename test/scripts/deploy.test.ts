import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { API_BASE, CALLS } from '#contract/calls.ts';
import commands from '#scripts/commands.json' with { type: 'json' };
import { ConfigError, readConfig } from '#server/config.ts';
import { SETTINGS } from '#server/settings-schema.ts';

const readDeployFile = (name: string) => readFile(`deploy/${name}`, 'utf8');

const COMPOSE = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
      env_file: z.string().optional(),
      environment: z.record(z.string(), z.string()).optional(),
      read_only: z.boolean().optional(),
      volumes: z.array(z.string()),
      networks: z.never().optional(),
      healthcheck: z.object({ test: z.array(z.string()) }).optional(),
    }),
  ),
  networks: z.object({ default: z.object({ ipam: z.object({ config: z.array(z.object({ subnet: z.string() })) }) }) }),
  volumes: z.record(z.string(), z.null()),
});

const RENDER = z.object({
  services: z.array(
    z.object({
      dockerfilePath: z.string(),
      healthCheckPath: z.string(),
      envVars: z.array(z.object({ key: z.string(), value: z.union([z.string(), z.number()]).optional() })),
    }),
  ),
});

/** Settings in docs/settings.md; another test compares them with config.ts. */
async function readDocumentedSettings(): Promise<ReadonlySet<string>> {
  const table = (await readFile('docs/settings.md', 'utf8')).matchAll(/^\| ((?:`[A-Z0-9_]+`(?:, )?)+) \|/gm);
  return new Set([...table].flatMap(([, names = '']) => names.match(/[A-Z0-9_]+/g) ?? []));
}

test('docs/settings.md lists exactly the program’s settings, fewer than 40', async () => {
  const names = Object.keys(SETTINGS.shape);
  const documentedNames = await readDocumentedSettings();
  expect([...documentedNames].toSorted()).toEqual(names.toSorted());
  expect(names.length).toBeLessThan(40);
});

test('compose.yaml is valid, uses existing settings, and starts with the settings that ./install writes', async () => {
  const { services, networks, volumes } = COMPOSE.parse(parse(await readDeployFile('compose.yaml')));
  const { app, db, caddy } = services;
  const settings = app?.environment ?? {};
  const documentedNames = await readDocumentedSettings();
  expect(Object.keys(settings).filter((name) => !documentedNames.has(name))).toEqual([]);
  expect([settings.TRUSTED_PROXIES]).toEqual(networks.default.ipam.config.map(({ subnet }) => subnet));
  expect(settings.DATABASE_URL).toContain(`${db?.environment?.POSTGRES_USER}:$\{POSTGRES_PASSWORD`);
  expect(settings.DATABASE_URL?.endsWith(`@db/${db?.environment?.POSTGRES_DB}`)).toBe(true);
  expect(caddy?.environment?.UPSTREAM).toBe('app:8080');
  expect(app?.read_only).toBe(true);
  const mountSources = Object.values(services).flatMap(({ volumes: serviceVolumes }) =>
    serviceVolumes.map((volume) => volume.split(':')[0] ?? ''),
  );
  for (const name of mountSources.filter((each) => !each.startsWith('.'))) expect(Object.keys(volumes)).toContain(name);
  await readFile(`deploy/${app?.build?.context}/${app?.build?.dockerfile}`);
  expect(findSettingsProblems({ ...settings, DATABASE_URL: 'postgres://fund:word@db/fund' })).toEqual([]);
});

test('the Render blueprint names existing files and every setting production requires', async () => {
  const { services } = RENDER.parse(parse(await readDeployFile('render.yaml')));
  expect(services).toHaveLength(1);
  const [{ dockerfilePath, envVars, healthCheckPath } = { dockerfilePath: '', envVars: [], healthCheckPath: '' }] =
    services;
  await readFile(dockerfilePath);
  expect(healthCheckPath).toBe('/healthz');
  const documentedNames = await readDocumentedSettings();
  expect(envVars.map(({ key }) => key).filter((key) => !documentedNames.has(key))).toEqual([]);
  const settings = Object.fromEntries(
    envVars.map(({ key, value }) => [key, String(value ?? PLACEHOLDER_SETTINGS[key] ?? '')]),
  );
  expect(findSettingsProblems(settings)).toEqual([]);
});

/** Values that the operator enters or another part of the blueprint provides. */
const PLACEHOLDER_SETTINGS: Readonly<Record<string, string>> = {
  PUBLIC_URL: 'https://fund.example',
  DEFAULT_ORG: 'ithaca',
  PARENT_NAME: 'Fund',
  PARENT_EIN: '12-3456789',
  PARENT_ADDRESS: '1 Main Street',
  CONTACT_EMAIL: 'fund@fund.example',
  SMTP_URL: 'smtps://mail.example',
  STRIPE_SECRET_KEY: 'sk_live_of_nobody',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_nobody_and_of_nothing_at_all',
  DATABASE_URL: 'postgres://fund:word@db/fund',
  PICTURES_TO: 's3://key:secret@pictures',
  BACKUP_TO: 's3://fund/backups',
};

/** Validates a file's settings as in production, together with settings that only operators know. */
function findSettingsProblems(settings: Readonly<Record<string, string>>): string[] {
  try {
    readConfig({ ...PLACEHOLDER_SETTINGS, ...settings, NODE_ENV: 'production' });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
}

test('the image runs an existing command as an unprivileged user from the release root', async () => {
  const dockerfile = await readDeployFile('Dockerfile');
  expect(dockerfile).toContain('npm run release -- --to build/release --previous /previous/app --image build/image');
  expect(dockerfile).toMatch(/^FROM scratch\nCOPY --from=build \/src\/build\/image \/$/m);
  expect(dockerfile).toMatch(/^USER 10001:10001$/m);
  const [, entrypoint = '[]'] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
  // Flags that differ from the launcher's would bypass the release's compiled code.
  const [, flags = ''] =
    /^exec "\$node" (.*)"\$home\/scripts\/fund\.mjs" "\$@"$/m.exec(await readDeployFile('fund')) ?? [];
  expect(JSON.parse(entrypoint)).toEqual(['/app/bin/node', ...flags.trim().split(' '), '/app/scripts/fund.mjs']);
  const releaseDockerfile = await readDeployFile('Dockerfile.release');
  for (const instruction of ['USER', 'WORKDIR', 'VOLUME', 'ENV', 'ENTRYPOINT', 'CMD'])
    expect(findLastInstruction(releaseDockerfile, instruction)).toBe(findLastInstruction(dockerfile, instruction));
  const [, command = '[]'] = /^CMD (.*)$/m.exec(dockerfile) ?? [];
  expect(Object.keys(commands)).toContain(JSON.parse(command)[0]);
  const { services } = COMPOSE.parse(parse(await readDeployFile('compose.yaml')));
  const [, ...healthcheckCommand] = services.app?.healthcheck?.test ?? [];
  expect(JSON.parse(entrypoint)).toEqual(expect.arrayContaining(healthcheckCommand.slice(0, 2)));
  expect(Object.keys(commands)).toContain(healthcheckCommand[2]);
});

function findLastInstruction(dockerfile: string, instruction: string): string | undefined {
  return dockerfile.split('\n').findLast((line) => line.startsWith(`${instruction} `));
}

test('the systemd unit starts the release in its writable folder and doesn’t restart it with invalid settings', async () => {
  const unit = await readDeployFile('city-climate-fund.service');
  const { WorkingDirectory, ReadWritePaths, ExecStart, RestartPreventExitStatus } = Object.fromEntries(
    [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(ReadWritePaths).toBe(WorkingDirectory);
  const [program, command] = ExecStart?.split(' ') ?? [];
  expect([program, Object.keys(commands)]).toEqual(['/opt/city-climate-fund/fund', expect.arrayContaining([command])]);
  expect(RestartPreventExitStatus).toBe('78');
});

/** Metric names in the program's source, including the series of each duration. */
async function readMetricNames(): Promise<ReadonlySet<string>> {
  const files = (await readdir('src/server', { recursive: true })).filter((file) => file.endsWith('.ts'));
  const sources = await Promise.all(files.map((file) => readFile(`src/server/${file}`, 'utf8')));
  const names = sources.flatMap((source) => source.match(/\bfund_[a-z_]+/g) ?? []);
  return new Set([
    ...names,
    ...names
      .filter((name) => name.endsWith('_duration_seconds'))
      .flatMap((name) => ['bucket', 'sum', 'count'].map((series) => `${name}_${series}`)),
  ]);
}

test.each(['alerts.yml', 'dashboard.json'])('every metric in deploy/monitoring/%s exists', async (file) => {
  const text = await readDeployFile(`monitoring/${file}`);
  const names = await readMetricNames();
  const usedNames = text.match(/\bfund_[a-z_]+/g) ?? [];
  expect(usedNames.length).toBeGreaterThan(10);
  expect(usedNames.filter((name) => !names.has(name))).toEqual([]);
});

const ALERTS = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.object({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.object({ summary: z.string() }),
        }),
      ),
    }),
  ),
});

test('alert names are unique, and each route in an alert or a panel exists', async () => {
  const alerts = ALERTS.parse(parse(await readDeployFile('monitoring/alerts.yml'))).groups.flatMap(
    ({ rules }) => rules,
  );
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  const panels = JSON.stringify(JSON.parse(await readDeployFile('monitoring/dashboard.json')));
  const routes = [...`${panels}${JSON.stringify(alerts)}`.matchAll(/route=\\+"([^"\\]+)/g)].map(([, route]) => route);
  expect(new Set(routes)).toEqual(new Set([`${API_BASE}${CALLS.createCheckout.path}`]));
});
