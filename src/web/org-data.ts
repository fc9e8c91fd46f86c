import type { OrgSettings } from '#contract/schemas/orgs.ts';
import type { ApiClient, ListAnswer } from './api/client.ts';

/** What the pages about organisations themselves load. */
export type OrgSettingsData = { readonly settings: OrgSettings };
export type AdminData = { readonly orgs: ListAnswer<'readOrgs'> };

export async function loadOrgSettings(api: ApiClient, orgid: string): Promise<OrgSettingsData> {
  return { settings: await api.call('readOrgSettings', { params: { orgid } }) };
}

/** A part of the organisations, the newest first, ten at a time (§9). */
export function loadOrgs(api: ApiClient, cursorRef?: string): Promise<ListAnswer<'readOrgs'>> {
  return api.list('readOrgs', { query: cursorRef === undefined ? {} : { cursorRef } });
}
