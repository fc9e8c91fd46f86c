import { Failure } from '#domain/failures.ts';
import { ROLE_TEXTS, ROLES } from '#domain/permissions.ts';
import { parseEmail } from '#domain/profile.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import type { Database } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { findOrg, findOrgBySlug, type OrgFacts } from '#server/entities/find-org.ts';
import { grantRoleOrInvite } from '#server/features/editors/add-editor.ts';
import { printOutcomeFailure, withDatabase, withJobs } from './command-database.ts';
import { getUsage, parseCommand } from './usage.ts';

// npm run add-editor: gives someone a role in a fund without a browser.
const {
  values,
  positionals: [slug, address, ...extraArguments],
} = parseCommand('add-editor', {
  allowPositionals: true,
  options: { role: { type: 'string', default: 'editor' } },
});
try {
  const role = ROLES.find((candidate) => candidate === values.role);
  if (!slug || !address || extraArguments.length > 0) throw new ConfigError(getUsage('add-editor'));
  if (!role) throw new ConfigError(`There is no role “${values.role}”. The roles are: ${ROLES.join(', ')}.`);
  const email = parseEmail(address);
  if (email instanceof Failure) throw email;
  const { org, editor } = await withDatabase(readConfig(), async (db) => {
    const orgFacts = await getOrg(db, slug);
    const request = { orgId: orgFacts.id, email, role, invitedBy: null };
    return {
      org: orgFacts,
      editor: await withJobs(db, (deps) => inTransaction(db, (tx) => grantRoleOrInvite(tx, deps, request))),
    };
  });
  if (editor instanceof Failure) throw editor;
  const outcome = editor.invitation ? 'was invited by email to become' : 'is now';
  console.log(`${email} ${outcome} ${ROLE_TEXTS[role].roleNoun} of ${org.name}.`);
} catch (error) {
  printOutcomeFailure(error);
}

async function getOrg(db: Database, slug: string): Promise<OrgFacts> {
  const org = (await findOrgBySlug(db, slug)) ?? (await findOrg(db, slug));
  if (!org) throw new Error(`There is no fund “${slug}”.`);
  return org;
}
