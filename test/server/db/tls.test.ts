import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startPostgresServer } from '#scripts/postgres/start-postgres.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { openDatabase } from '#server/db/connection.ts';
import type { RunAs } from '#server/db/postgres-binaries.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const folder = await createScratchFolder('tls');
afterAll(() => fs.rm(folder, { recursive: true, force: true }));
const authority = path.join(folder, 'ca.pem');
let url = '';

const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });

/** Creates a test certificate authority and a certificate for 127.0.0.1 that it signed. */
async function createCertificates(): Promise<void> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Authority');
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=database');
  await fs.writeFile(path.join(folder, 'names'), 'subjectAltName=IP:127.0.0.1\n');
  const signOptions = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.crt', ...signOptions);
}

/** Copies the certificate next to the server's data, owned by the server's user. */
async function copyCertificates(data: string, user: RunAs): Promise<void> {
  for (const file of ['server.key', 'server.crt']) {
    const copy = path.join(data, '..', file);
    await fs.copyFile(path.join(folder, file), copy);
    await fs.chmod(copy, 0o600);
    if (user) await fs.chown(copy, user.uid, user.gid);
  }
}

beforeAll(async () => {
  await createCertificates();
  const settings = { ssl: 'on', ssl_cert_file: '../server.crt', ssl_key_file: '../server.key' };
  const server = await startPostgresServer({ prepare: copyCertificates, settings });
  url = server.url;
  return () => server.stop();
});

const openTls = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: '', log: createLogSpy().log });

test('verify-full with its authority encrypts every connection to PostgreSQL', async () => {
  const db = await openTls(`${url}?sslmode=verify-full&sslrootcert=${authority}`);
  await db.listen('news', () => {});
  const { rows } = await db.pool.query(
    `select ssl, count(*)::int from pg_stat_ssl join pg_stat_activity using (pid)
     where backend_type = 'client backend' group by ssl`,
  );
  expect(rows).toEqual([{ ssl: true, count: 2 }]);
  await db.close();
});

test('verify-full rejects an untrusted server before sending the password', async () => {
  const tlsOptions = `sslmode=verify-full&sslrootcert=${authority}`;
  await expect(openTls(`${url}?sslmode=verify-full`)).rejects.toThrow(/cannot be used: .*certificate/);
  await expect(openTls(`${url.replace('127.0.0.1', 'localhost')}?${tlsOptions}`)).rejects.toThrow('does not match');
  await expect(openTls(`${inject('postgresTcpUrl')}?${tlsOptions}`)).rejects.toThrow('does not support SSL');
});
