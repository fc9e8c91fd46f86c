import { pagePath } from '#contract/pages.ts';
import { Failure } from '#domain/failures.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { createOrg } from '#server/features/orgs/create-org.ts';
import { loadBundledPlaces } from '#server/gateways/places/bundled-places.ts';
import { resolveAppPath } from '#server/process/app-path.ts';
import { printOutcomeFailure, withDatabase, withJobs } from './command-database.ts';
import { COMMAND_LOG } from './command-log.ts';
import { getUsage, parseCommand } from './usage.ts';

// npm run create-org: creates a fund and its first editor without a browser.
const { values } = parseCommand('create-org', {
  options: {
    slug: { type: 'string' },
    name: { type: 'string' },
    tag: { type: 'string' },
    place: { type: 'string' },
    editor: { type: 'string' },
  },
});
try {
  const { slug, name, tag, place, editor: email } = values;
  if (!slug || !name || !tag || !email)
    throw new ConfigError(`--slug, --name, --tag, and --editor are required:\n${getUsage('create-org')}`);
  const config = readConfig();
  const places = loadBundledPlaces(resolveAppPath('build/cities.tsv.gz'));
  const org = await withDatabase(config, (db) =>
    withJobs(db, (deps) => createOrg({ ...deps, places, log: COMMAND_LOG }, { slug, name, tag, place, email }, null)),
  );
  if (org instanceof Failure) throw org;
  const homeUrl = `${config.publicUrl ?? `http://localhost:${config.port}`}${pagePath('home-page', { orgid: org.id })}`;
  console.log(`Created ${name}: ${homeUrl}. ${email}, its first editor, will get an email.`);
} catch (error) {
  printOutcomeFailure(error);
}
