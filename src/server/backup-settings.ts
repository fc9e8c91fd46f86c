import path from 'node:path';
import { z } from 'zod';
import { type KeepRule, keepRuleOf, minuteOfDay, USUAL_KEEP_RULE } from '#domain/backups.ts';
import type { S3Config } from '#server/config.ts';

export type BackupPlaceConfig =
  | { readonly folder: string }
  /** The prefix ends with a slash, or is empty. */
  | { readonly s3: S3Config; readonly prefix: string };

export type BackupConfig = {
  readonly to: BackupPlaceConfig;
  /** Encrypts the backups. */
  readonly secret: string | undefined;
  readonly keep: KeepRule;
  /** Minute of the day, in UTC, of the scheduled backup. */
  readonly at: number | undefined;
};

const SECRET_MINIMUM = 32;
const text = z.string().trim().min(1);

/** The backup settings of config.ts. */
export const BACKUP_SETTINGS = {
  BACKUP_TO: text.optional(),
  BACKUP_KEY: z
    .string()
    .trim()
    .min(SECRET_MINIMUM)
    // Rejects secrets that are easy to guess, as for AUTH_SECRET.
    .refine((secret) => new Set(secret).size >= 8)
    .optional(),
  BACKUP_KEEP: z
    .string()
    .refine((rule) => keepRuleOf(rule) !== undefined)
    .default(USUAL_KEEP_RULE),
  BACKUP_AT: z
    .string()
    .refine((time) => minuteOfDay(time) !== undefined)
    .optional(),
  BACKUP_S3_ACCESS_KEY_ID: text.optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: text.optional(),
  BACKUP_S3_REGION: text.default('us-east-1'),
  BACKUP_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  BACKUP_S3_FORCE_PATH_STYLE: z.stringbool().default(false),
};

export const BACKUP_EXPECTED: Readonly<Record<string, string>> = {
  BACKUP_KEY: `at least ${SECRET_MINIMUM} characters long and hard to guess: make one with “openssl rand -hex 32”`,
  BACKUP_KEEP: `a rule such as “${USUAL_KEEP_RULE}”`,
  BACKUP_AT: 'a time of the day in UTC, such as 03:30',
  BACKUP_S3_ENDPOINT: 'an address such as https://s3.example',
  BACKUP_S3_FORCE_PATH_STYLE: 'true or false',
};

type Env = Readonly<Record<string, string | undefined>>;

/** Problems of settings that contradict each other. */
export function backupContradictions(env: Env): string[] {
  const problems: string[] = [];
  if (!env.BACKUP_TO) {
    for (const name of ['BACKUP_AT', 'BACKUP_KEY', 'BACKUP_KEEP'])
      if (env[name]) problems.push(`BACKUP_TO: required with ${name}`);
    return problems;
  }
  const keys = ['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'];
  const missing = keys.filter((name) => !env[name]);
  if (missing.length === 1)
    problems.push(`${missing.join()}: required with ${keys.filter((name) => env[name]).join()}`);
  if (env.BACKUP_TO.startsWith('s3:')) {
    if (!bucketOf(env.BACKUP_TO)) problems.push('BACKUP_TO: must be a folder, or a bucket such as s3://bucket/prefix');
    if (missing.length === 2 && !env.S3_BUCKET)
      problems.push(`${keys.join(', ')}: required with a bucket in BACKUP_TO, or set S3_BUCKET and its keys`);
  }
  return problems;
}

const SHAPE = z.object(BACKUP_SETTINGS);
type Settings = z.output<typeof SHAPE>;

/** @param s3 the bucket of the pictures, whose keys are used if backups have no separate keys */
export function backupOf(settings: Settings, s3: S3Config | undefined): BackupConfig | undefined {
  const keep = keepRuleOf(settings.BACKUP_KEEP);
  const to = settings.BACKUP_TO === undefined ? undefined : placeOf(settings, settings.BACKUP_TO, s3);
  if (!to || !keep) return undefined;
  return { to, secret: settings.BACKUP_KEY, keep, at: minuteOfDay(settings.BACKUP_AT ?? '') };
}

function placeOf(settings: Settings, to: string, s3: S3Config | undefined): BackupPlaceConfig | undefined {
  if (!to.startsWith('s3:')) return { folder: path.resolve(to) };
  const target = bucketOf(to);
  const access = backupAccess(settings) ?? s3;
  return target && access && { s3: { ...access, bucket: target.bucket }, prefix: target.prefix };
}

function bucketOf(address: string): { readonly bucket: string; readonly prefix: string } | undefined {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/\s]+)(?:\/(.*))?$/.exec(address) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix: prefix.replace(/\/*$/, prefix === '' ? '' : '/') };
}

function backupAccess(settings: Settings): Omit<S3Config, 'bucket'> | undefined {
  const { BACKUP_S3_ACCESS_KEY_ID: accessKeyId, BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (!accessKeyId || !secretAccessKey) return undefined;
  const { BACKUP_S3_REGION: region, BACKUP_S3_ENDPOINT: endpoint } = settings;
  return { accessKeyId, secretAccessKey, region, endpoint, forcePathStyle: settings.BACKUP_S3_FORCE_PATH_STYLE };
}
